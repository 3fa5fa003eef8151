// Compiles the tests to .tests/, where Node.js runs them without tsx. Their imports of product code lead to dist/.
// With tsx, each process would spend several seconds on compilation, and each of its threads some more.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as compile, stop } from 'esbuild';
import { fingerprint, listSourceFolders } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TESTS = '.tests';
const STAMP = join(TESTS, '.stamp');
/** Tests, and sources that `dist` does not contain or contains only as bundles. */
const FOLDERS = ['test', 'browser', 'console', 'widget', 'sdk/typescript/src'];
const IMPORT = /((?:^|[\s;])(?:from|import)\s*\(?\s*)"(\.{1,2}\/[^"]+)\.tsx?"/g;

/** Returns the compiled file of a test or glob pattern. */
export function toBuiltTest(path) {
  return join(TESTS, relative(root, resolve(path)).replace(/\.ts$/, '.js'));
}

/** Compiles the tests if a file has changed since the last time. */
export async function buildTests() {
  const stamp = fingerprint([...FOLDERS, 'scripts']);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  const next = `${TESTS}-${process.pid}`;
  const { outputFiles } = await compile({
    absWorkingDir: root,
    entryPoints: FOLDERS.flatMap((folder) => [`${folder}/**/*.ts`, `${folder}/**/*.tsx`]),
    outbase: '.',
    outdir: TESTS,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'external',
    write: false,
    logLevel: 'silent',
  });
  await stop();
  const products = new Set(listSourceFolders());
  try {
    for (const { path, text } of outputFiles) {
      const testPath = relative(join(root, TESTS), path);
      const target = join(root, next, testPath);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, testPath.endsWith('.js') ? linkImports(text, testPath, products) : text);
    }
    writeFileSync(join(next, '.stamp'), stamp);
    rmSync(TESTS, { recursive: true, force: true });
    renameSync(next, TESTS);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

/**
 * Redirects imports of product code to dist/. `import.meta` still refers to the source file, because the fixtures are
 * next to it.
 */
function linkImports(text, testPath, products) {
  const source = join(root, testPath.replace(/\.js$/, '.ts'));
  const folder = dirname(testPath);
  return text
    .replaceAll(IMPORT, (_, keyword, specifier) => {
      const imported = join(folder, specifier);
      const isProduct = products.has(imported.split('/')[0]);
      const from = join(TESTS, folder);
      const to = relative(from, join(isProduct ? 'dist' : TESTS, `${imported}.js`));
      return `${keyword}"${to.startsWith('.') ? to : `./${to}`}"`;
    })
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(source)));
}
