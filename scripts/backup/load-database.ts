import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { BoundedStream } from '../../adapters/storage/bounded-stream.ts';
import type { StoredObject } from '../../adapters/storage/object-storage.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { findReason, LaunchError } from '../launcher/launch-error.ts';
import { runMigrations } from '../migrate.ts';
import { dumpPath, type BackupManifest } from './backup-manifest.ts';
import { copyIn } from './copy-rows.ts';
import { buildCopyTarget, withSession } from './dump-database.ts';
import { readPart } from './read-part.ts';

/** A foreign key or index that is dropped before a restore loads rows, and created again afterwards. */
interface DroppedObject {
  drop: string;
  create: string;
}

const APPLICATION = 'parley-restore';
/**
 * Maximum ratio of unpacked to packed size of a table's rows, for a backup that does not name the size.
 * Random ids keep rows far below this ratio.
 */
const MAX_RATIO = 100;
/** Unpacked size in bytes that a table of a backup without recorded sizes may always have. */
const SMALL_TABLE_BYTES = 256_000_000;

/**
 * Fills a database with the rows of a backup, in one transaction. If the load fails, the database keeps its
 * previous rows.
 * @throws LaunchError if the tables, or a table's file, size or number of rows, differ from the manifest
 */
export async function loadDatabase(
  databaseUrl: string,
  folder: string,
  { migrations, tables, files }: BackupManifest,
): Promise<void> {
  await runMigrations({ databaseUrl, databasePool: 2 }, migrations);
  await withSession(databaseUrl, APPLICATION, async (client) => {
    await assertSameTables(client, Object.keys(tables));
    const names = Object.keys(tables).map((name) => pg.escapeIdentifier(name));
    await client.query('BEGIN');
    // Drops foreign keys, so that tables load in any order, and indexes, because building indexes at the end
    // is faster.
    const dropped = [...(await listForeignKeys(client)), ...(await listIndexes(client))];
    for (const { drop } of dropped) await client.query(drop);
    for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await client.query(`TRUNCATE ${names.join(', ')}`);
    for (const [table, { columns, rows, sizeBytes }] of Object.entries(tables)) {
      const described = files[dumpPath(table)]!;
      const maxBytes = sizeBytes ?? limitUnpackedBytes(described);
      const statement = `COPY ${buildCopyTarget(table, columns)} FROM STDIN`;
      const limit = new BoundedStream(maxBytes, () => createSizeError(table, maxBytes));
      const loaded = await readPart(folder, dumpPath(table), described, (content) =>
        copyIn(client, statement, content, createGunzip(), limit),
      ).catch((error: unknown) => {
        throw toLoadError(table, error);
      });
      if (loaded !== rows)
        throw new LaunchError(`The table ${table} has ${loaded} rows; the backup lists ${rows}.`);
    }
    // PostgreSQL checks the rows against each foreign key that it creates.
    for (const { create } of dropped.toReversed()) await client.query(create);
    for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    await client.query(`ANALYZE ${names.join(', ')}`);
  });
}

/**
 * Checks that a restore may fill a database.
 * @throws LaunchError if a running Parley uses the database, or the database has a workspace and `mayReplace`
 *   is false
 */
export async function assertLoadable(
  databaseUrl: string,
  { migrations }: BackupManifest,
  mayReplace: boolean,
): Promise<void> {
  await withSession(databaseUrl, APPLICATION, async (client) => {
    const users = await client.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'parley%' AND pid <> pg_backend_pid()`,
    );
    if (users.rowCount !== 0)
      throw new LaunchError(
        'A running Parley is connected to the database of DATABASE_URL. Stop that Parley first.',
      );
    const found = await client.query<{ exists: boolean }>(`SELECT to_regclass('orgs') IS NOT NULL AS exists`);
    if (!found.rows[0]?.exists) return;
    const orgs = await client.query('SELECT FROM orgs LIMIT 1');
    if (orgs.rowCount !== 0 && !mayReplace)
      throw new LaunchError(
        'The database of DATABASE_URL is not empty. Use an empty database, or --replace.',
      );
    const applied = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp');
    if (applied.rows.some(({ name }) => !migrations.includes(name)))
      throw new LaunchError('The database of DATABASE_URL has a newer schema. Use an empty database.');
  });
}

/**
 * Checks that the backup fills every table, because a replaced database would otherwise keep rows. Ignores tables of
 * PostgreSQL's extensions.
 * @throws LaunchError that names the first table that is only in the backup or only in the database
 */
async function assertSameTables(client: pg.Client, backedUp: string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> 'migrations'
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')`,
  );
  const existing = rows.map(({ name }) => name);
  const missing = existing.find((name) => !backedUp.includes(name));
  if (missing !== undefined)
    throw new LaunchError(
      `The database has a table ${missing}, which manifest.json of the backup does not describe. Use an empty database, or a complete backup.`,
    );
  const surplus = backedUp.find((name) => !existing.includes(name));
  if (surplus !== undefined)
    throw new LaunchError(`The backup is damaged: its schema has no table ${surplus}.`);
}

function limitUnpackedBytes({ sizeBytes }: StoredObject): number {
  return Math.max(SMALL_TABLE_BYTES, MAX_RATIO * sizeBytes);
}

/**
 * Returns an error that explains an error of gzip or PostgreSQL during a restore, due to the rows or to a
 * full disk.
 */
function toLoadError(table: string, error: unknown): LaunchError {
  if (error instanceof LaunchError) return error;
  return new LaunchError(`The rows of ${table} cannot be loaded: ${findReason(error)}.`, { cause: error });
}

function createSizeError(table: string, maxBytes: number): LaunchError {
  return new LaunchError(
    `The backup is damaged: the rows of ${table} decompress to more than ${formatSize(maxBytes)}.`,
  );
}

async function listForeignKeys(client: pg.Client): Promise<DroppedObject[]> {
  const { rows } = await client.query<DroppedObject>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  return rows;
}

/** Lists the database indexes that belong to no constraint. */
async function listIndexes(client: pg.Client): Promise<DroppedObject[]> {
  const { rows } = await client.query<DroppedObject>(
    `SELECT format('DROP INDEX %s', c.oid::regclass) AS drop, pg_get_indexdef(c.oid) AS create
     FROM pg_class c WHERE c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`,
  );
  return rows;
}
