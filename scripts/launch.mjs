// The entry of every npm script: node scripts/launch.mjs <start|demo|test|soak|pictures|bench|cli> [arguments].
// Plain JavaScript on Node alone, because nothing may be installed or built yet.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** They take longest, and would keep the others waiting at the end of a run that came to them last. */
const LONGEST = ['test/docs/guides.test.ts', 'test/launcher/start.test.ts'];

const commands = {
  start: () => load('dist/scripts/start.js'),
  cli: () => load('dist/scripts/cli.js'),
  demo: () => load('dist/demo/demo.js'),
  test: async (args) => {
    const { buildTests, builtTest } = await import('./build-tests.mjs');
    await buildTests();
    if (args.length === 0) process.env.TEST_WHOLE_RUN = 'true';
    const files = [...args, ...defaultTests(args)].map((arg) => (arg.endsWith('.ts') ? builtTest(arg) : arg));
    return run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...files]);
  },
  soak: async (args) => {
    const schemathesis = ['--import', 'tsx', 'test/schemathesis/run.ts', 'whole'];
    if (args.length === 0) await run(process.execPath, schemathesis, { exitOnSuccess: false });
    await commands.test([...testsIn('test').filter(isInSoak), ...args]);
  },
  pictures: (args) => {
    process.env.SCREENSHOTS = 'docs/screenshots';
    return commands.test([...testsWithPictures(), ...args]);
  },
  bench: (args) => run(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args]),
};

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name ?? ''))
  stopWith(`Usage: node scripts/launch.mjs <${Object.keys(commands).join('|')}> [arguments]`);
checkNode();
process.chdir(root);
if (needsInstall()) {
  if (name === 'start') sayWhatTakesLong();
  await install();
}
const { build } = await import('./build.mjs');
try {
  await build();
} catch (error) {
  stopWith(error.message);
}
await commands[name](args);

/** Crowds and the matrix of faults have a folder of their own; other files mark their variants. */
function isInSoak(file) {
  return file.startsWith('test/soak/') || /itInSoak|oneOfEachKind/.test(readFileSync(file, 'utf8'));
}

/** Tests take the pictures of the documentation, on the way, where `SCREENSHOTS` says where to put them. */
function testsWithPictures() {
  return ['test/browser', 'test/console', 'test/soak', 'test/widget']
    .flatMap(testsIn)
    .filter((file) => readFileSync(file, 'utf8').includes('support/pictures.ts'));
}

/**
 * Mocha adds the files of its configuration to those that are named, so they are not there. The tests of real
 * processes and of workflows wait more than they work: each has one beside it that works, so that no processor does
 * nothing.
 */
function defaultTests(args) {
  if (args.some((arg) => arg.endsWith('.ts'))) return [];
  const waits = /^test\/(launcher|observability|webhooks|worker)\/|\.workflow\.test\.ts$/;
  const files = testsIn('test').filter((file) => !file.startsWith('test/soak/') && !LONGEST.includes(file));
  const working = files.filter((file) => !waits.test(file));
  const waiting = [...LONGEST, ...files.filter((file) => waits.test(file))];
  return [...waiting.flatMap((file) => [file, ...working.splice(0, 1)]), ...working];
}

function testsIn(folder) {
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

/** By time first, then by content: a lock file that was only touched installs nothing. */
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

function sayWhatTakesLong() {
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

/** Hands over to a compiled module, in this process: it finds its arguments where it would alone. */
async function load(file) {
  const path = join(root, file);
  process.argv.splice(1, 2, path);
  await import(pathToFileURL(path).href);
}

/** Runs a command to its end; when it fails, this process ends in the same way. */
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
