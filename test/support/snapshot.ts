import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import type { Runnable } from '../../database/statement.ts';
import type { SharedParley } from './parley.ts';

/** Database tables that every API call writes to, which snapshots therefore leave out. */
const EXCLUDED_TABLES = ['rate_windows', 'api_keys', 'request_log'];

/**
 * Returns the state of each database table: its row count and the sum of the transactions that wrote its rows
 * (`xmin`). This sum costs a tenth of a sum over the columns. Two snapshots are equal only if no row was
 * written between them. Sessions store when they were last used, once a minute: a longer test stops the
 * clock.
 */
export async function readSnapshot(database: Database): Promise<Record<string, string>> {
  sums ??= prepareSums(database);
  const rows = await database.run(await sums);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/**
 * Name of the table whose columns are summed instead of its writes: a repeated message rewrites its row with
 * the same values.
 */
const REWRITTEN_TABLE = 'idempotency_keys';

/**
 * Prepared statement that reads the snapshot: planning a query of every table takes several times as long as
 * running it.
 */
let sums: Promise<Runnable<{ name: string; sum: string }>> | undefined;

async function prepareSums(database: Database): Promise<Runnable<{ name: string; sum: string }>> {
  const tables = await database.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const each = tables
    .filter(({ name }) => !EXCLUDED_TABLES.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(${name === REWRITTEN_TABLE ? 'hashtext(t::text)' : 'xmin::text::bigint'}), 0) AS sum
           FROM "${name}" t`,
    );
  return { name: 'snapshot', text: each.join(' UNION ALL '), isPrepared: true };
}

/** Returns the state of all tables and the paths of all stored files. */
export async function readStoredState({ database, runtime }: SharedParley): Promise<{
  tables: Record<string, string>;
  files: string[];
}> {
  return { tables: await readSnapshot(database), files: listFiles(runtime.settings.home) };
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
