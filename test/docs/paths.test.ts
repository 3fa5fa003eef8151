import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listSourceFiles } from '../support/source-files.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'sdk/typescript/README.md',
  'sdk/python/README.md',
  ...listSourceFiles(['docs'], /\.md$/),
];
/**
 * Matches a path in the documentation. A path is written without blanks; a path with a `*`, `<` or `…` stands
 * for several.
 */
const PATH = /^\.?[\w@-][\w@.-]*(\/[\w@.-]+)*\/?$/;
const FILE = /\.(ts|tsx|mjs|md|csv|json|mjml|py|sql|css)$/;
/** Files and folders in the project that Parley, its tests or npm create. */
const MADE = new Set(['.parley', '.tests', 'dist', 'manifest.json', 'node_modules', 'secrets.json']);

const top = readdirSync('.', { withFileTypes: true }).filter(({ name }) => !MADE.has(name));
const folders = top
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name);
const names = new Set(listSourceFiles(folders, FILE).map((path) => basename(path)));

describe('the paths that documentation names', () => {
  for (const page of PAGES) {
    it(`in ${page} exist`, () => {
      const whole = readFileSync(page, 'utf8');
      const text = whole.replaceAll(/^```.*?^```/gms, '');
      const written = new Set([...whole.matchAll(/^```\w+ title="([^"]+)"/gm)].map(([, name]) => name));
      const named = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/\s+/));
      const linked = [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)].map(([, link = '']) => link);
      const missing = [
        ...named.filter(
          (word) => PATH.test(word) && isProjectPath(word) && !written.has(word) && !pathExists(word, page),
        ),
        ...linked.filter((link) => !existsSync(join(dirname(page), link))),
      ];
      assert.deepEqual(missing, []);
    });
  }
});

/** Returns whether a word is a path from the root of the project, or the name of a file. */
function isProjectPath(word: string): boolean {
  const [first = ''] = word.split('/');
  return !MADE.has(first) && (FILE.test(word) || (word.includes('/') && folders.includes(first)));
}

function pathExists(path: string, page: string): boolean {
  const isName = !path.includes('/');
  return existsSync(path) || existsSync(join(dirname(page), path)) || (isName && names.has(path));
}
