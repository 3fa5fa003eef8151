import pg from 'pg';
import { withDatabase } from './database-check.ts';

/** Sets the embedded database up, and is its only superuser. */
export const ADMINISTRATOR = 'parley_admin';
/** As whom Parley connects: it owns its database and can do nothing beyond it. */
export const ROLE = 'parley';
export const DATABASE = 'parley';

/** Only while the administrator of a former release is renamed, which nobody can do to himself. */
const INTERIM = 'parley_interim';
const WRONG_PASSWORD = '28P01';

export interface DatabaseAccess {
  port: number;
  /** Of the role. */
  password: string;
  administratorPassword: string;
}

type Access = DatabaseAccess;

export function databaseUrl({ port, password }: Access, database: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}

export function administratorUrl(
  { port, administratorPassword }: Access,
  database: string,
  name = ADMINISTRATOR,
): string {
  return `postgres://${name}:${administratorPassword}@127.0.0.1:${port}/${database}`;
}

/**
 * Makes the role and its database, unless they are there. Data of a release whose role was the superuser are brought to
 * that state, too. Whatever happens in between, calling it again goes on.
 */
export async function prepareRoles(access: Access): Promise<void> {
  const prepare = () => withDatabase(administratorUrl(access, 'postgres'), (client) => make(client, access));
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== WRONG_PASSWORD) throw error;
    await renameFormerSuperuser(access);
    await prepare();
  }
  await withDatabase(administratorUrl(access, DATABASE), (client) => client.query(GIVE_AWAY));
}

async function make(client: pg.Client, { password }: Access): Promise<void> {
  await client.query(`DROP ROLE IF EXISTS ${INTERIM}`);
  const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [ROLE]);
  if (role.rowCount === 0)
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  await client.query(
    database.rowCount === 0
      ? `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`
      : `ALTER DATABASE ${DATABASE} OWNER TO ${ROLE}`,
  );
}

/** It made the cluster, so it stays the superuser, under another name and with another password. */
async function renameFormerSuperuser(access: Access): Promise<void> {
  await withDatabase(databaseUrl(access, 'postgres'), async (client) => {
    await client.query(`DROP ROLE IF EXISTS ${INTERIM}`);
    const password = client.escapeLiteral(access.administratorPassword);
    await client.query(`CREATE ROLE ${INTERIM} SUPERUSER LOGIN PASSWORD ${password}`);
  });
  await withDatabase(administratorUrl(access, 'postgres', INTERIM), async (client) => {
    const password = client.escapeLiteral(access.administratorPassword);
    // Several statements in one query are one transaction.
    await client.query(
      `ALTER ROLE ${ROLE} RENAME TO ${ADMINISTRATOR}; ALTER ROLE ${ADMINISTRATOR} PASSWORD ${password}`,
    );
  });
}

/**
 * Gives what the superuser has in the database to the role. REASSIGN OWNED cannot, for the superuser owns the catalogue, too.
 * What belongs to an extension stays, and sequences of columns follow their tables.
 */
const GIVE_AWAY = `
  DO $do$
  DECLARE
    change text;
  BEGIN
    FOR change IN
      WITH own AS (
        SELECT 'pg_namespace'::regclass AS class, oid, 'SCHEMA' AS kind, format('%I', nspname) AS name
        FROM pg_namespace WHERE nspowner = '${ADMINISTRATOR}'::regrole AND nspname !~ '^pg_' AND nspname <> 'information_schema'
        UNION ALL
        SELECT 'pg_class'::regclass, oid, 'TABLE', oid::regclass::text
        FROM pg_class WHERE relowner = '${ADMINISTRATOR}'::regrole AND relkind IN ('r', 'p', 'v', 'm', 'S')
        UNION ALL
        SELECT 'pg_proc'::regclass, oid, 'ROUTINE', oid::regprocedure::text
        FROM pg_proc WHERE proowner = '${ADMINISTRATOR}'::regrole
        UNION ALL
        SELECT 'pg_type'::regclass, oid, 'TYPE', oid::regtype::text
        FROM pg_type WHERE typowner = '${ADMINISTRATOR}'::regrole AND typtype IN ('e', 'd')
      )
      SELECT format('ALTER %s %s OWNER TO ${ROLE}', kind, name)
      FROM own
      WHERE oid >= 16384 -- What comes before was made by initdb.
        AND NOT EXISTS (
          SELECT FROM pg_depend d WHERE d.classid = own.class AND d.objid = own.oid
            AND (d.deptype = 'e' OR (d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0)))
    LOOP
      EXECUTE change;
    END LOOP;
  END
  $do$`;
