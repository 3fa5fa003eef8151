import type pg from 'pg';
import { newId } from '../../core/ids.ts';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { ROLE } from '../../scripts/launcher/postgres-roles.ts';

/** Name of the template database that the global set-up migrates once; every test file works on a copy. */
export const TEMPLATE_DATABASE = 'parley_template';

export interface TestDatabase {
  url: string;
  /** Deletes the test database and cuts its open connections. */
  drop(): Promise<void>;
}

/**
 * Creates a test database on the shared throwaway server, owned by the role that Parley has in production.
 * @param template the migrated database by default
 */
export async function createTestDatabase(
  template: typeof TEMPLATE_DATABASE | 'template0' = TEMPLATE_DATABASE,
): Promise<TestDatabase> {
  const name = `test_${newId().replaceAll('-', '')}`;
  await withAdmin((client) =>
    client.query(`CREATE DATABASE ${name} OWNER ${ROLE} TEMPLATE ${template} STRATEGY file_copy`),
  );
  const url = new URL(readServerAddress('TEST_DATABASE_URL'));
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await withAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** Returns the address of the shared Temporal server. Each caller uses its own task queue. */
export function readTestTemporalAddress(): string {
  return readServerAddress('TEST_TEMPORAL_ADDRESS');
}

/** Runs SQL statements outside the test databases, as a superuser. */
export function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withDatabase(readServerAddress('TEST_DATABASE_ADMIN_URL'), work);
}

function readServerAddress(variable: string): string {
  const address = process.env[variable];
  if (!address)
    throw new Error(`${variable} is not set: run this with \`npm test\`, whose set-up starts the servers.`);
  return address;
}
