// Entry of every npm script: node scripts/launch.mjs <start|demo|test|soak|pictures|bench|cli> [arguments]. Only uses
// Node.js, because packages and the build may be missing.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The longest tests run first, so that the end of a run does not wait for them. */
const FIRST_TESTS = ['test/docs/guides.test.ts', 'test/launcher/start.test.ts'];

const commands = {
  start: () => load('dist/scripts/start.js'),
  cli: () => load('dist/scripts/cli.js'),
  demo: () => load('dist/demo/demo.js'),
  test: async (args) => {
    const { buildTests, toBuiltTest } = await import('./build-tests.mjs');
    await buildTests();
    if (args.length === 0) process.env.TEST_WHOLE_RUN = 'true';
    const files = [...args, ...listDefaultTests(args)].map((arg) =>
      arg.endsWith('.ts') ? toBuiltTest(arg) : arg,
    );
    return run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...files]);
  },
  soak: async (args) => {
    const schemathesis = ['--import', 'tsx', 'test/schemathesis/run.ts', 'whole'];
    if (args.length === 0) await run(process.execPath, schemathesis, { exitOnSuccess: false });
    await commands.test([...listTests('test').filter(isInSoak), ...args]);
  },
  pictures: (args) => {
    process.env.SCREENSHOTS = 'docs/screenshots';
    return commands.test([...listTestsWithPictures(), ...args]);
  },
  bench: (args) => run(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args]),
};

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name ?? ''))
  stopWith(`Usage: node scripts/launch.mjs <${Object.keys(commands).join('|')}> [arguments]`);
checkNode();
process.chdir(root);
if (needsInstall()) {
  if (name === 'start') announceFirstStart();
  await install();
}
const { build } = await import('./build.mjs');
try {
  await build();
} catch (error) {
  stopWith(error.message);
}
await commands[name](args);

/** Returns whether a test belongs to the soak run: those of one folder, and files that mark some tests for it. */
function isInSoak(file) {
  return file.startsWith('test/soak/') || /itInSoak|oneOfEachKind/.test(readFileSync(file, 'utf8'));
}

/** Returns the tests that take screenshots for the documentation if `SCREENSHOTS` is set. */
function listTestsWithPictures() {
  return ['test/browser', 'test/console', 'test/soak', 'test/widget']
    .flatMap(listTests)
    .filter((file) => readFileSync(file, 'utf8').includes('support/pictures.ts'));
}

/**
 * Returns the tests to run if the arguments name none. The list is not in Mocha's configuration, which would add it
 * to named files. Tests of real processes and of workflows mostly wait, so each is followed by one that uses the
 * processor.
 */
function listDefaultTests(args) {
  if (args.some((arg) => arg.endsWith('.ts'))) return [];
  const waits = /^test\/(launcher|observability|webhooks|worker)\/|\.workflow\.test\.ts$/;
  const files = listTests('test').filter(
    (file) => !file.startsWith('test/soak/') && !FIRST_TESTS.includes(file),
  );
  const working = files.filter((file) => !waits.test(file));
  const waiting = [...FIRST_TESTS, ...files.filter((file) => waits.test(file))];
  return [...waiting.flatMap((file) => [file, ...working.splice(0, 1)]), ...working];
}

function listTests(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  return names.map((name) => `${folder}/${name}`).sort();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  stopWith(
    `Parley needs Node.js 20.19 or later; this is ${process.versions.node}. Get a newer one from https://nodejs.org.`,
  );
}

/** Compares times first, then contents: a lock file with a new time only needs no installation. */
function needsInstall() {
  const installedFile = 'node_modules/.package-lock.json';
  if (!existsSync(installedFile)) return true;
  if (!existsSync('package-lock.json')) return false;
  if (statSync(installedFile).mtimeMs >= statSync('package-lock.json').mtimeMs) return false;
  const locked = readPackages('package-lock.json');
  const installed = readPackages(installedFile);
  return Object.entries(locked).some(([path, { version, optional }]) =>
    installed[path] ? installed[path].version !== version : path !== '' && !optional,
  );
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

function announceFirstStart() {
  console.log(
    [
      'The first start takes longer, once:',
      '  packages from npm       about a minute',
      '  the build               20 seconds on two cores',
      '  a Temporal server       seconds to download; two to four minutes to build with Go where downloads are refused',
      'With a Temporal CLI on the PATH, or named by PARLEY_TEMPORAL_BINARY, the last one is skipped.',
    ].join('\n'),
  );
}

async function install() {
  console.log('Installing the packages that Parley needs; this takes a minute, once …');
  const npmCommand = existsSync('package-lock.json') ? 'ci' : 'install';
  const [command, ...before] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  await run(
    command,
    [...before, npmCommand, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      exitOnSuccess: false,
    },
  );
}

/** Imports a compiled module into this process, with arguments as if Node.js had started it. */
async function load(file) {
  const path = join(root, file);
  process.argv.splice(1, 2, path);
  await import(pathToFileURL(path).href);
}

/** Runs a command. If it fails, exits in the same way. */
function run(command, args, { exitOnSuccess = true } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: root });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.once('error', (error) => stopWith(`${command} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(each, forward);
      if (signal) process.kill(process.pid, signal);
      else if (code !== 0 || exitOnSuccess) process.exit(code);
      else resolve();
    });
  });
}

function stopWith(message) {
  console.error(message);
  process.exit(1);
}
