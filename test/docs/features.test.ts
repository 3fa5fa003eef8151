import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { renderFeaturesPage } from '../../scripts/generate/features-page.ts';

describe('docs/features.md', () => {
  it('matches the generator’s output', () => {
    assert.ok(readFileSync('docs/features.md', 'utf8') === renderFeaturesPage(), 'Run `npm run generate`.');
  });
});
