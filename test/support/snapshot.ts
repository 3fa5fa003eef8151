import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../entities/database.ts';
import type { TestParley } from './parley.ts';

/** Tables that say something about the calls themselves. */
const UNTOLD = ['rate_windows', 'api_keys'];
/** Tables whose rows are written again as they were. */
const REWRITTEN = ['idempotency_keys'];
/** What every write changes. It says as much as all that the row holds, which takes far longer to read. */
const PLACE_AND_TIME = "ctid || ' ' || xmin";

/** What each table holds: its rows, and a sum that tells whether one was written. Equal before and after what has no effect. */
export async function snapshot(database: Database): Promise<Record<string, string>> {
  const tables = await database.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const sums = tables
    .filter(({ name }) => !UNTOLD.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(hashtext(${told(name)})), 0) AS sum FROM "${name}" t`,
    );
  const rows = await database.sql<{ name: string; sum: string }>(sums.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

function told(table: string): string {
  return REWRITTEN.includes(table) ? 't::text' : PLACE_AND_TIME;
}

/** The tables and the names of the stored files. */
export async function everythingStored({ database, runtime }: TestParley): Promise<object> {
  return { tables: await snapshot(database), files: filesIn(runtime.settings.home) };
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
