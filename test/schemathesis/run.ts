import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/global-setup.ts';
import { startParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

// Runs Schemathesis, which makes up requests from openapi.json, against the API: `npx tsx test/schemathesis/run.ts`.

const folder = makeTemporaryFolder();
const SCHEMATHESIS = 'schemathesis==4.32.5';

const options = [
  '--phases=examples,coverage,fuzzing',
  '--max-examples=15',
  '--max-time=120',
  '--request-timeout=15',
  '--continue-on-failure',
  '--generation-deterministic',
  '--generation-allow-x00=false',
  // Rules between fields (a cursor not with a page, a URL that may be contacted) have no place in a JSON Schema.
  '--exclude-checks=positive_data_acceptance',
];

async function main(): Promise<number> {
  const scripts = join(folder, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin');
  await succeed('python3', ['-m', 'venv', join(scripts, '..')]);
  await succeed(join(scripts, 'python'), ['-m', 'pip', 'install', '--quiet', SCHEMATHESIS]);
  await mochaGlobalSetup();
  try {
    // Nothing outside may be contacted, whatever URLs are made up.
    const parley = await startParley({ PARLEY_OUTBOUND_ALLOW: '' });
    const { key } = await parley.buildOrg();
    const target = ['--url', parley.baseUrl, '--header', `Authorization: Bearer ${key}`];
    const status = await run(join(scripts, 'schemathesis'), [
      'run',
      `${parley.baseUrl}/openapi.json`,
      ...target,
      ...options,
    ]);
    await parley.stop();
    return status;
  } finally {
    await mochaGlobalTeardown();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function succeed(command: string, args: string[]): Promise<void> {
  const status = await run(command, args);
  if (status !== 0) throw new Error(`${command} ended with ${status}.`);
}

function run(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main();
