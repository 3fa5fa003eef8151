import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { describeApi } from '../../scripts/generate/sdk/api-description.ts';
import { TYPESCRIPT_SDK, typescriptSdk } from '../../scripts/generate/sdk/typescript.ts';

describe('What is generated of the SDKs', () => {
  it('is that of the operations as they are: `npm run generate` was run', () => {
    const folder = new URL(TYPESCRIPT_SDK, projectRoot());
    const files = typescriptSdk(describeApi());
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(files).sort());
    for (const [name, text] of Object.entries(files))
      assert.ok(readFileSync(new URL(name, folder), 'utf8') === text, `${name} is stale`);
  });
});
