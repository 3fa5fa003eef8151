// Compiles the sources, emails and guides to dist/, and bundles the workflows and the browser scripts, if a file has
// changed since the last build. Builds in a temporary folder and renames it, so that no process ever sees an
// incomplete build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const BUILD_CONFIG = 'tsconfig.build.json';
/** Folders that the workflow bundle contains, or that determine how it is built. */
const BUNDLED = ['core', 'workflows', 'worker'];
/** Folders of browser scripts. */
const BROWSER = ['browser', 'console', 'guides', 'widget'];
/** Folder of the pages that /docs shows. */
const DOCUMENTATION = ['docs'];
const CONFIGURATION = ['package-lock.json', 'tsconfig.json', BUILD_CONFIG];
const ASSETS = [
  'api/http/openapi/code-samples.json',
  'scripts/launcher/guard.mjs',
  'services/accounts/passwords/common-passwords.txt',
  'services/accounts/passwords/common-passwords.LICENSE.txt',
];
const STAMP = 'dist/.stamp.json';
const BUNDLES = ['workflow-bundle.js', 'workflow-bundle-traced.js'];

/** @returns false if dist is up to date */
export async function build() {
  process.chdir(root);
  const stamp = {
    sources: fingerprint([...listSourceFolders(), ...BROWSER, ...DOCUMENTATION]),
    bundle: fingerprint(BUNDLED),
  };
  const last = existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : {};
  if (last.sources === stamp.sources && last.bundle === stamp.bundle) return false;
  const startedAt = Date.now();
  console.log('Building Parley …');
  const next = `.dist-${process.pid}`;
  try {
    const steps = await Promise.allSettled([
      compile(next),
      bundle(next, last.bundle === stamp.bundle),
      bundleBrowser(next),
      compileMails(next),
      buildGuides(next),
    ]);
    for (const { reason } of steps) if (reason) throw reason;
    for (const asset of ASSETS) copy(asset, join(next, asset));
    writeFileSync(join(next, '.stamp.json'), JSON.stringify(stamp));
    replaceDist(next);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  console.log(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  return true;
}

/** Compiles the sources. `npm run typecheck` checks their types, which takes longer. */
async function compile(folder) {
  await node('Cannot compile the sources', [
    'node_modules/typescript/bin/tsc',
    '-p',
    BUILD_CONFIG,
    '--outDir',
    folder,
    '--noCheck',
  ]);
}

async function bundle(folder, isUnchanged) {
  if (isUnchanged && BUNDLES.every((name) => existsSync(join('dist', name)))) {
    for (const name of BUNDLES) copy(join('dist', name), join(folder, name));
    return;
  }
  await node('Cannot bundle the workflows', ['--import', 'tsx', 'scripts/bundle-workflows.ts', folder]);
}

async function bundleBrowser(folder) {
  await node('Cannot bundle the browser code', ['--import', 'tsx', 'scripts/bundle-browser.ts', folder]);
}

async function compileMails(folder) {
  await node('Cannot compile the email templates', ['--import', 'tsx', 'scripts/compile-mails.ts', folder]);
}

async function buildGuides(folder) {
  await node('Cannot build the guides', ['--import', 'tsx', 'scripts/build-guides.ts', folder]);
}

// The patterns of the compiler begin with a folder.
export function listSourceFolders() {
  const { include } = JSON.parse(readFileSync(BUILD_CONFIG, 'utf8'));
  return include.map((pattern) => pattern.split('/')[0]);
}

/** Returns a digest that changes when a file of `folders` or the configuration changes. */
export function fingerprint(folders) {
  const hash = createHash('sha256');
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(tsx?|mjs|css|svg|mjml|json|md)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name)),
    );
  for (const file of [...files.sort((a, b) => (a < b ? -1 : 1)), ...CONFIGURATION]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function replaceDist(next) {
  const old = `${next}.old`;
  if (existsSync('dist')) renameSync('dist', old);
  renameSync(next, 'dist');
  rmSync(old, { recursive: true, force: true });
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function node(problem, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${problem}:\n${output.trimEnd()}`)),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (!(await build())) console.log('Nothing changed since the last build.');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
