import { readFileSync } from 'node:fs';
import { listSourceFiles } from '../source-files.ts';

const FOLDERS = [
  'activities',
  'adapters',
  'api',
  'console',
  'core',
  'database',
  'entities',
  'repositories',
  'scripts',
  'sdk/python/src',
  'sdk/typescript/src',
  'services',
  'widget',
  'worker',
  'workflows',
];
/** Configuration files outside the code folders, whose words count as words of the product. */
const CONFIGURATION = ['package.json', 'docker-compose.yml', 'Dockerfile'];
const CODE = /\.(ts|tsx|mjs|py)$/;
const COMMENTS = /\/\*[^]*?\*\/|^\s*(\/\/|#).*$/gm;

/** Folders of code that API callers and pages with the widget use by name. */
const FOR_CALLERS = ['sdk/python/src', 'sdk/typescript/src', 'widget'];

const words = new Map<readonly string[], ReadonlySet<string>>();

/** Returns whether the product's code contains a word outside its comments. */
export function isInSource(word: string): boolean {
  return getWords(FOLDERS).has(word);
}

/** Returns whether the code of the SDKs or the widget contains a word outside its comments. */
export function isInPublicSource(word: string): boolean {
  return getWords(FOR_CALLERS).has(word);
}

function getWords(folders: readonly string[]): ReadonlySet<string> {
  const known = words.get(folders) ?? readWords(folders);
  words.set(folders, known);
  return known;
}

function readWords(folders: readonly string[]): ReadonlySet<string> {
  const paths = [...listSourceFiles(folders, CODE), ...(folders === FOLDERS ? CONFIGURATION : [])];
  const files = paths.map((file) => readFileSync(file, 'utf8').replaceAll(COMMENTS, ''));
  return new Set(
    files.flatMap((text) => [...(text.match(/\w+/g) ?? []), ...(text.match(/\w+(\.\w+)+/g) ?? [])]),
  );
}
