// Entry of every npm script: node scripts/launch.mjs <start|demo|test|soak|pictures|bench|cli> [arguments]. Only uses
// Node.js, because packages and the build may be missing.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { listDefaultTests, listSoakTests, listTestsWithPictures } from './list-tests.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const commands = {
  start: () => load('dist/scripts/start.js'),
  cli: () => load('dist/scripts/cli.js'),
  demo: () => load('dist/demo/demo.js'),
  test: async (args) => {
    const { buildTests, toBuiltTest } = await import('./build-tests.mjs');
    await buildTests();
    if (args.length === 0) process.env.TEST_WHOLE_RUN = 'true';
    const defaults = args.some((arg) => arg.endsWith('.ts')) ? [] : listDefaultTests();
    const files = [...args, ...defaults].map((arg) => (arg.endsWith('.ts') ? toBuiltTest(arg) : arg));
    return run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...files]);
  },
  soak: async (args) => {
    const schemathesis = ['--import', 'tsx', 'test/schemathesis/run.ts', 'whole'];
    if (args.length === 0) await run(process.execPath, schemathesis, { exitOnSuccess: false });
    const named = args.some((arg) => arg.endsWith('.ts'));
    await commands.test([...(named ? [] : listSoakTests()), ...args]);
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

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  stopWith(
    `Parley needs Node.js 20.19 or later; this is ${process.versions.node}. Get a newer version from https://nodejs.org.`,
  );
}

/** Compares times first, then contents: a lock file of which only the time has changed needs no installation. */
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
      'The first start takes longer than later ones:',
      '  packages from npm       about a minute',
      '  the build               20 seconds on two cores',
      '  a Temporal server       seconds to download; two to four minutes to build with Go where downloads are refused',
      'The last step is skipped if a Temporal CLI is on the PATH or PARLEY_TEMPORAL_BINARY names one.',
    ].join('\n'),
  );
}

async function install() {
  console.log('Installing npm packages; this takes about a minute …');
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
