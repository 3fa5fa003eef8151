import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readTestTitles } from '../support/test-titles.ts';

interface RequirementRow {
  requirement: string;
  shown: { file: string; titles: string[] }[];
}

const rows = parseRequirementRows(readFileSync('docs/security.md', 'utf8'));

describe('the verified requirements of docs/security.md', () => {
  it('are forty-three, each once', () => {
    assert.equal(new Set(rows.map(({ requirement }) => requirement)).size, 43);
    assert.equal(rows.length, 43);
  });

  for (const { requirement, shown } of rows) {
    it(`${requirement} names existing tests`, () => {
      assert.notEqual(shown.length, 0);
      for (const { file, titles } of shown) {
        assert.ok(existsSync(file), file);
        const known = new Set(readTestTitles(readFileSync(file, 'utf8')));
        for (const title of titles) assert.ok(known.has(title), `${file} has no “${title}”`);
      }
    });
  }
});

/** Rows of the table under the heading: a requirement, and files with the titles of their tests. */
function parseRequirementRows(page: string): RequirementRow[] {
  const [, section = ''] = page.split('## Verified requirements\n');
  const lines = section.split('\n## ')[0]!.split('\n');
  return lines
    .filter((line) => line.startsWith('| V'))
    .map((line) => {
      const [, requirement = '', , shown = ''] = line.split('|').map((cell) => cell.trim());
      const files = [...shown.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)];
      return {
        requirement,
        shown: files.map(([, file = '', titles = '']) => ({
          file,
          titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
        })),
      };
    });
}
