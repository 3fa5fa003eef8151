import type pg from 'pg';
import { withDatabase } from './database-check.ts';

/** Name of the database's superuser, which sets up the embedded database. */
export const ADMINISTRATOR = 'parley_admin';
/**
 * Name of the database role with which Parley connects. The role owns its database. In addition, it may only
 * read statistics and run checkpoints.
 */
export const ROLE = 'parley';
export const DATABASE = 'parley';

interface DatabaseAccess {
  port: number;
  /** Password of the role with which Parley connects. */
  password: string;
  administratorPassword: string;
}

type Access = DatabaseAccess;

export function databaseUrl({ port, password }: Access, database: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}

export function administratorUrl({ port, administratorPassword }: Access, database: string): string {
  return `postgres://${ADMINISTRATOR}:${administratorPassword}@127.0.0.1:${port}/${database}`;
}

/** Creates Parley's database role and its database, if they are missing. */
export async function prepareRoles(access: Access): Promise<void> {
  await withDatabase(administratorUrl(access, 'postgres'), (client) => createRole(client, access));
}

async function createRole(client: pg.Client, { password }: Access): Promise<void> {
  const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [ROLE]);
  if (role.rowCount === 0)
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  await client.query(GRANT_CLEANUP_RIGHTS);
  const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
}

/**
 * SQL that allows the role to run checkpoints and to list the files of the write-ahead log. Parley overwrites
 * these files after it has encrypted content.
 */
export const GRANT_CLEANUP_RIGHTS = `GRANT pg_checkpoint, pg_monitor TO ${ROLE}`;
