import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { updateBenchTable } from '../../scripts/generate/bench-table.ts';

describe('the page about benches', () => {
  const page = readFileSync('bench/README.md', 'utf8');

  it('has the table that `npm run generate` writes from bench/results.json', () => {
    assert.ok(updateBenchTable(page) === page, 'Run `npm run generate`.');
  });

  it('explains what limits each bench of the table', () => {
    const { figures } = JSON.parse(readFileSync('bench/results.json', 'utf8')) as {
      figures: { bench: string }[];
    };
    const groups = new Set(
      figures.map(({ bench }) => (bench.startsWith('webhooks/') ? bench : bench.split('/')[0]!)),
    );
    const [, bounds = ''] = page.split('\n## Bounds of each figure\n');
    assert.deepEqual(
      [...groups].filter((group) => !bounds.includes(`\`${group}\``)),
      [],
    );
  });
});
