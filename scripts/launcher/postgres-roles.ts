import type pg from 'pg';
import { withDatabase } from './database-check.ts';

/** Sets the embedded database up, and is its only superuser. */
export const ADMINISTRATOR = 'parley_admin';
/** As whom Parley connects: it owns its database, and beyond it may only look at statistics and make checkpoints. */
export const ROLE = 'parley';
export const DATABASE = 'parley';

interface DatabaseAccess {
  port: number;
  /** Of the role. */
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

/** Creates the role and its database where they are missing. A call after an interrupted one completes it. */
export async function prepareRoles(access: Access): Promise<void> {
  await withDatabase(administratorUrl(access, 'postgres'), (client) => createRole(client, access));
}

async function createRole(client: pg.Client, { password }: Access): Promise<void> {
  const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [ROLE]);
  if (role.rowCount === 0)
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  await client.query(PERMIT_CLEANING);
  const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
}

/** Lets the role make checkpoints and see the files of the write-ahead log, which it overwrites once content is sealed. */
export const PERMIT_CLEANING = `GRANT pg_checkpoint, pg_monitor TO ${ROLE}`;
