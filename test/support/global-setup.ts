import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { GRANT_CLEANUP_RIGHTS, ROLE } from '../../scripts/launcher/postgres-roles.ts';
import { PostgresService } from '../../scripts/launcher/postgres.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { TEST_FLAGS, TemporalService } from '../../scripts/launcher/temporal.ts';
import { runMigrations } from '../../scripts/migrate.ts';
import { TEMPLATE_DATABASE, withAdmin } from './database.ts';
import { addFileCost, reportFileCosts, startFileCost } from './file-costs.ts';
import { makeRunFolder } from './temporary-folder.ts';

// Mocha runs the set-up and the teardown once, in its main process. The workers that run test files inherit the
// environment.

let folder: string | undefined;
const running: GuardedProcess[] = [];

export async function mochaGlobalSetup(): Promise<void> {
  folder = makeRunFolder();
  process.env['TEST_FOLDER'] = folder;
  await Promise.all([setUpPostgres(folder), setUpTemporal(folder)]);
  if (process.env['TEST_WHOLE_RUN']) await preparePeers();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(running.map((process) => process.stop()));
  try {
    if (folder !== undefined && process.env['TEST_WHOLE_RUN']) {
      process.stdout.write(`${reportFileCosts(folder)}\n`);
      await requireEveryError(folder);
    }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Mocha hooks of the processes that run test files. */
export const mochaHooks = {
  async beforeAll(): Promise<void> {
    const { watchResponses } = await import('./declared-responses.ts');
    watchResponses();
    startFileCost();
  },
  afterAll(this: Mocha.Context): void {
    const file = this.test?.parent?.suites[0]?.file ?? '';
    addFileCost(process.env['TEST_FOLDER'] ?? '', relative('.tests', file));
  },
};

/** Builds and installs the programs for tests that take minutes the first time, which would exceed a test's timeout. */
async function preparePeers(): Promise<void> {
  const { buildVault } = await import('./vault.ts');
  const { installMoto } = await import('./moto.ts');
  const { installPythonTools } = await import('./python-sdk.ts');
  buildVault();
  installMoto();
  installPythonTools();
}

/**
 * Checks that tests have met each error that an operation declares, which only a run of all tests can know.
 * @throws Error naming the errors that no test has met
 */
async function requireEveryError(tests: string): Promise<void> {
  const { findUnreachedErrors: unreachedErrors } = await import('./declared-responses.ts');
  const unreached = unreachedErrors(tests);
  if (unreached.length === 0) return;
  throw new Error(`No test has met these declared errors:\n  ${unreached.join('\n  ')}`);
}

async function setUpPostgres(home: string): Promise<void> {
  const [port = 0] = await findFreePorts(1);
  const postgres = new PostgresService({
    folder: home,
    dataFolder: join(home, 'postgres'),
    port,
    password: randomBytes(12).toString('hex'),
    administratorPassword: randomBytes(12).toString('hex'),
    throwaway: true,
  });
  running.push(await startOnce(postgres));
  process.env['TEST_DATABASE_URL'] = postgres.url('postgres');
  process.env['TEST_DATABASE_ADMIN_URL'] = postgres.administratorUrl('postgres');
  await withAdmin(async (client) => {
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE} OWNER ${ROLE}`);
    await client.query(GRANT_CLEANUP_RIGHTS);
  });
  await runMigrations({ databaseUrl: postgres.url(TEMPLATE_DATABASE), databasePool: 2 });
}

async function setUpTemporal(home: string): Promise<void> {
  const binary = await resolveTemporalBinary({
    env: process.env,
    report: (line) => process.stderr.write(`${line}\n`),
  });
  const [port = 0, httpPort = 0] = await findFreePorts(2);
  const temporal = new TemporalService({ binary, folder: home, port, httpPort, extraArgs: TEST_FLAGS });
  running.push(await startOnce(temporal));
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
}
