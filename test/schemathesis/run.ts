import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/global-setup.ts';
import { SELLING } from '../console/billing-support.ts';
import { startParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { buildSession } from '../support/widget.ts';

// Runs Schemathesis, which generates requests from openapi.json, against the API, for less than a minute:
// `npx tsx test/schemathesis/run.ts`. With `whole` it runs all phases, as `npm run test:soak` does; with arguments for
// Schemathesis, `--phases=coverage --include-operation-id=createBot` for example, it runs once.

const SCHEMATHESIS = 'schemathesis==4.32.5';
/** Time limit in milliseconds of a run beside the tests on a slow machine, where five minutes did not suffice. */
const MAX_RUN_MS = 20 * 60_000;
/**
 * Arguments of Schemathesis for each part. The parts run at the same time, each on its own API, because they
 * would delete each other’s resources.
 */
const PARTS = [
  ['--phases=fuzzing', '--max-examples=1'],
  ['--phases=stateful', '--max-examples=50'],
];
const WHOLE = [
  ['--phases=examples,fuzzing'],
  ['--phases=coverage'],
  // Generate enough examples to follow most links between operations.
  ['--phases=stateful', '--max-examples=100'],
];

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = makeTemporaryFolder();

async function main(): Promise<number> {
  try {
    const program = process.env['SCHEMATHESIS'] ?? (await install());
    await mochaGlobalSetup();
    const codes = await Promise.all(chooseParts(process.argv.slice(2)).map((part) => runPart(program, part)));
    return Math.max(...codes);
  } finally {
    await mochaGlobalTeardown();
    rmSync(folder, { recursive: true, force: true });
  }
}

function chooseParts(args: string[]): string[][] {
  if (args.length === 0) return PARTS;
  return args[0] === 'whole' ? WHOLE : [args];
}

async function runPart(program: string, part: string[]): Promise<number> {
  // Block all requests to generated URLs by an empty allow list. The payment provider's settings make Parley
  // refuse unsigned billing events.
  const parley = await startParley({ ...SELLING, PARLEY_OUTBOUND_ALLOW: '' });
  try {
    const args = options(parley.baseUrl, await saveDocument(parley), part);
    return await run(program, args, await prepare(parley));
  } finally {
    await parley.stop();
  }
}

/** Builds two workspaces, one with a conversation and a calendar. */
async function prepare(parley: SharedParley): Promise<Record<string, string>> {
  const acme = await buildSession(parley, { rate_limit_per_minute: 1000 });
  await acme.visitor.post(`${acme.path}/messages`, { content: 'What does a day pass cost?' });
  await acme.client.patch('/api/calendar/settings', {});
  return {
    SCHEMATHESIS_HOOKS: here('hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
    BASE_URL: parley.baseUrl,
    PUBLIC_KEY: acme.bot.public_key,
    BOT_ID: acme.bot.id,
    BOT_KEY: acme.key,
    WORKSPACES: writeWorkspaces({ acme, globex: await parley.buildOrg() }),
  };
}

/** Saves openapi.json in a file, since Schemathesis waits only ten seconds for a URL. Returns the file's path. */
async function saveDocument({ baseUrl }: SharedParley): Promise<string> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  const path = join(folder, `openapi-${new URL(baseUrl).port}.json`);
  writeFileSync(path, await response.text());
  return path;
}

function options(baseUrl: string, document: string, part: string[]): string[] {
  return [
    `--config-file=${here('schemathesis.toml')}`,
    'run',
    document,
    `--url=${baseUrl}`,
    '--checks=all',
    ...part,
  ];
}

/** Installs Schemathesis into its own Python environment, which later runs reuse. */
async function install(): Promise<string> {
  const environment = join(homedir(), '.cache', 'parley', SCHEMATHESIS.replace('==', '-'));
  const programs = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');
  const program = join(programs, 'schemathesis');
  // Check first that the program exists: Node keeps the timer of a program that it cannot start, and the
  // timer keeps this process alive.
  if (existsSync(program) && (await run(program, ['--version'])) === 0) return program;
  await runToSuccess('python3', ['-m', 'venv', '--clear', environment]);
  await runToSuccess(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', SCHEMATHESIS]);
  return program;
}

/** Writes the callers' credentials in the format of Web Fuzzing Commons. */
function writeWorkspaces(orgs: Record<string, TestOrg>): string {
  const auth = Object.entries(orgs).map(([name, { key }]) => ({
    name,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }],
  }));
  const file = join(folder, `${orgs['acme']!.orgId}.json`);
  writeFileSync(file, JSON.stringify({ auth }));
  return file;
}

async function runToSuccess(command: string, args: string[]): Promise<void> {
  const status = await run(command, args);
  if (status !== 0) throw new Error(`${command} ended with ${status}.`);
}

/** Runs a command and prints its output at the end, so that parallel runs do not mix. */
async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    timeout: MAX_RUN_MS,
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  process.stdout.write(output);
  return (code as number | null) ?? 1;
}

process.exitCode = await main();
