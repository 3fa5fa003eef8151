import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { MeasuringStream } from '../../adapters/storage/measuring-stream.ts';
import type { StoredObject } from '../../adapters/storage/object-storage.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { createDataSource, migrations } from '../../entities/data-source.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { CopyOut } from './copy-rows.ts';
import { dumpPath, type BackupManifest, type DumpedTable } from './backup-manifest.ts';

export type DatabaseDump = Pick<BackupManifest, 'createdAt' | 'migrations' | 'tables' | 'files'>;

/** Level of gzip with the fastest compression, because the CPU time of one core limits the database dump. */
const GZIP_LEVEL = 1;
/** Minimum size in bytes of a table for which the dump prints a progress line. */
const REPORTED_BYTES = 10_000_000;

/**
 * Writes all database rows of one snapshot to a folder, while Parley continues to run.
 * @param onSnapshot runs at the moment of the snapshot, before rows are read
 * @throws LaunchError if the schema differs from the schema of this release
 */
export async function dumpDatabase(
  databaseUrl: string,
  folder: string,
  report: (line: string) => void,
  onSnapshot: () => Promise<void>,
): Promise<DatabaseDump> {
  const tables = await listTables(databaseUrl);
  mkdirSync(join(folder, 'database'), { mode: 0o700 });
  return withSession(databaseUrl, 'parley-backup', async (client) => {
    // Lock the tables: these locks permit writes, but prevent migrations from changing the tables.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`);
    const snapshot = await client.query<{ now: Date }>('SELECT now()');
    await onSnapshot();
    const applied = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp');
    const dump: DatabaseDump = {
      createdAt: snapshot.rows[0]!.now.toISOString(),
      migrations: applied.rows.map(({ name }) => name),
      tables: {},
      files: {},
    };
    for (const table of tables) {
      const { stored, ...dumped } = await dumpTable(client, table, folder);
      dump.tables[table] = dumped;
      dump.files[dumpPath(table)] = stored;
      if (stored.sizeBytes >= REPORTED_BYTES)
        report(`  ${table}: ${dumped.rows} rows, ${formatSize(stored.sizeBytes)}`);
    }
    return dump;
  });
}

/** Opens a database connection without timeouts, for long statements. */
export async function withSession<T>(
  databaseUrl: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    options: '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c datestyle=ISO',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Lists the database tables that this release of Parley has.
 * @throws LaunchError if the database has the schema of another release
 */
async function listTables(databaseUrl: string): Promise<string[]> {
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'parley-backup').initialize();
  try {
    const applied = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    const known: string[] = migrations.map(({ name }) => name);
    const isNewer = applied.some(({ name }) => !known.includes(name));
    if (isNewer)
      throw new LaunchError(
        'The schema is newer than this release of Parley. Use the release that is running.',
      );
    if (applied.length < known.length)
      throw new LaunchError('The schema is outdated. Run `npm run parley -- migrate` first.');
    return dataSource.entityMetadatas.map(({ tableName }) => tableName).toSorted();
  } finally {
    await dataSource.destroy();
  }
}

async function dumpTable(
  client: pg.Client,
  table: string,
  folder: string,
): Promise<DumpedTable & { stored: StoredObject }> {
  const found = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  const columns = found.rows.map(({ name }) => name);
  const rows = new CopyOut(client, `COPY ${buildCopyTarget(table, columns)} TO STDOUT`);
  const measured = new MeasuringStream();
  const file = createWriteStream(join(folder, dumpPath(table)), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(rows, createGzip({ level: GZIP_LEVEL }), measured, file);
  return { columns, rows: rows.rows, sizeBytes: rows.sizeBytes, stored: measured.getResult() };
}

export function buildCopyTarget(table: string, columns: string[]): string {
  return `${pg.escapeIdentifier(table)} (${columns.map((name) => pg.escapeIdentifier(name)).join(', ')})`;
}
