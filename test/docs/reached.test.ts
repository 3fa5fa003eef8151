import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listSourceFiles } from '../support/source-files.ts';

const PRODUCT = [
  'activities',
  'adapters',
  'api',
  'browser',
  'console',
  'core',
  'database',
  'entities',
  'guides',
  'repositories',
  'services',
  'web',
  'widget',
  'worker',
  'workflows',
];
const CODE = /(?<!\.d)\.(ts|tsx|mjs)$/;
const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\(\s*'(\.[^']+)'/gm;
/** Matches modules of worker threads. The code starts them by path, so no module imports them. */
const THREAD = /-thread\.ts$/;
/**
 * Modules that no other module imports. Temporal bundles the first two by their paths; the third is only
 * compiled; the build runs the console's design tokens; the others are separate bundles.
 */
const BY_PATH = [
  'workflows/index.ts',
  'workflows/shared/wait-for-keys.ts',
  'workflows/registered.ts',
  'console/flows/canvas/drawn-canvas.tsx',
  'console/components/theme/theme-variables.ts',
  'widget/booking/part.ts',
  'guides/main.ts',
  'widget/directory/part.ts',
  'widget/faults/part.ts',
  'widget/files/part.ts',
  'widget/form/part.ts',
  'widget/launcher/part.ts',
  'widget/markdown/part.ts',
  'widget/rating/part.ts',
  'widget/sheets/part.ts',
];
/** Maximum number of lines of a test file, because people read the file as a whole. */
const MAX_TEST_FILE_LINES = 400;

describe('the product', () => {
  it('imports every file, so that all pages are routed, activities registered and migrations listed', () => {
    const imported = new Set(listSourceFiles([...PRODUCT, 'scripts', 'demo'], CODE).flatMap(listImports));
    const unused = listSourceFiles(PRODUCT, CODE).filter(
      (file) => !imported.has(file) && !THREAD.test(file) && !BY_PATH.includes(file),
    );
    assert.deepEqual(unused.filter(hasCode), []);
  });

  it('has an input for each field of a bot’s form', () => {
    const draft = readFileSync('console/bots/fields/bot-draft.ts', 'utf8');
    const [, fields = ''] = /const formFields = \{(.*?)\}/s.exec(draft)!;
    const inputs = listSourceFiles(['console/bots'], /\.tsx$/).map((file) => readFileSync(file, 'utf8'));
    const names = [...fields.matchAll(/(\w+):/g)].map(([, name]) => name!);
    assert.ok(names.includes('welcome_message'));
    assert.deepEqual(
      names.filter((name) => !inputs.some((page) => page.includes(`('${name}')`))),
      [],
    );
  });
});

describe('the tests', () => {
  it('are in files of at most 400 lines', () => {
    const lengths = listSourceFiles(['test'], /\.test\.tsx?$/).map((file) => ({
      file,
      lines: countLines(file),
    }));
    assert.ok(lengths.length > 100);
    const long = lengths.filter(({ lines }) => lines > MAX_TEST_FILE_LINES);
    assert.deepEqual(
      long.map(({ file, lines }) => `${file} has ${lines} lines: split it by what it is about`),
      [],
    );
  });
});

/** Returns the files that a source file imports at runtime, without imports of types. */
function listImports(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)];
  return found.flatMap(([, type, from, later]) => (type ? [] : [join(dirname(file), from ?? later ?? '')]));
}

function hasCode(file: string): boolean {
  return /^export (async |abstract |default )?(const|function|class|let)\b|^export \{/m.test(
    readFileSync(file, 'utf8'),
  );
}

function countLines(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}
