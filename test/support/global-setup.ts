import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { freePorts } from '../../scripts/launcher/ports.ts';
import { PostgresService } from '../../scripts/launcher/postgres.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { quickTimers, TemporalService } from '../../scripts/launcher/temporal.ts';
import { runMigrations } from '../../scripts/migrate.ts';
import { TEMPLATE_DATABASE, withAdmin } from './database.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

// Mocha runs these once, in its main process; the workers that run the test files inherit the environment.

let folder: string | undefined;
const running: GuardedProcess[] = [];

export async function mochaGlobalSetup(): Promise<void> {
  folder = makeTemporaryFolder();
  process.env['TEST_FOLDER'] = folder;
  await Promise.all([setUpPostgres(folder), setUpTemporal(folder)]);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(running.map((process) => process.stop()));
  const report = process.env['TEST_UNREACHED_ERRORS'];
  if (folder !== undefined && report) await reportUnreached(folder, report);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** Writes down which errors the operations declare and no test has met: `TEST_UNREACHED_ERRORS=<file> npm test`. */
async function reportUnreached(tests: string, file: string): Promise<void> {
  const { declaredErrors, reachedErrors } = await import('./declared-answers.ts');
  const declared = declaredErrors();
  const reached = reachedErrors(tests);
  const unreached = declared.filter((pair) => !reached.has(pair));
  writeFileSync(file, unreached.map((pair) => `${pair}\n`).join(''));
  process.stderr.write(`${unreached.length} of ${declared.length} declared errors are unreached: ${file}\n`);
}

async function setUpPostgres(home: string): Promise<void> {
  const [port = 0] = await freePorts(1);
  const postgres = new PostgresService({
    folder: home,
    dataFolder: join(home, 'postgres'),
    port,
    password: randomBytes(12).toString('hex'),
    throwaway: true,
  });
  running.push(await startOnce(postgres));
  process.env['TEST_DATABASE_URL'] = postgres.url('postgres');
  await withAdmin((client) => client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`));
  await runMigrations({ databaseUrl: postgres.url(TEMPLATE_DATABASE), databasePool: 2 });
}

async function setUpTemporal(home: string): Promise<void> {
  const binary = await resolveTemporalBinary({
    env: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  const [port = 0, httpPort = 0] = await freePorts(2);
  const temporal = new TemporalService({ binary, folder: home, port, httpPort, extraArgs: quickTimers });
  running.push(await startOnce(temporal));
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
}
