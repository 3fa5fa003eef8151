import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { ParleyHome } from '../../scripts/launcher/parley-home.ts';
import { administratorUrl, ROLE } from '../../scripts/launcher/postgres-roles.ts';
import type { Installation } from './installation.ts';

/**
 * Counts the SQL statements that PostgreSQL executes during `work`, by their first characters. The server
 * logs each statement, which takes time: do not measure speed during `work`.
 * @param db a single connection, whose own statements are not counted
 */
export async function countExecutedStatements(
  installation: Installation,
  db: Database,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const log = join(installation.folder, 'logs/postgres.log');
  await runAsSuperuser(installation, [`GRANT SET ON PARAMETER log_statement TO ${ROLE}`]);
  await db.sql("SET log_statement = 'none'");
  await setServerSettings(installation, { log_statement: "'all'", log_parameter_max_length: '0' });
  const from = statSync(log).size;
  await work();
  const text = readFrom(log, from);
  await setServerSettings(installation, { log_statement: 'DEFAULT', log_parameter_max_length: 'DEFAULT' });
  const counts = new Map<string, number>();
  for (const [, beginning = ''] of text.matchAll(/LOG: {2}(?:statement|execute [^:]+):\s+(.{0,80})/g)) {
    counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  }
  return counts;
}

function setServerSettings(installation: Installation, settings: Record<string, string>): Promise<void> {
  const changes = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = ${value}`);
  return runAsSuperuser(installation, [...changes, 'SELECT pg_reload_conf()']);
}

/** Runs SQL statements that Parley's own database role may not run. */
export async function runAsSuperuser(installation: Installation, statements: string[]): Promise<void> {
  await withDatabase(buildSuperuserUrl(installation, 'postgres'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Builds the URL with which a superuser connects to a database on the installation's server. */
export function buildSuperuserUrl({ folder, databaseUrl }: Installation, database: string): string {
  const port = Number(new URL(databaseUrl).port);
  return administratorUrl({ port, ...new ParleyHome(folder).deriveDatabasePasswords() }, database);
}

/** Returns the content of a file from a position to its end. */
export function readFrom(file: string, position: number): string {
  const bytes = Buffer.alloc(statSync(file).size - position);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
  return bytes.toString('utf8');
}
