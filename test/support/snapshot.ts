import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import type { Runnable } from '../../database/statement.ts';
import type { TestParley } from './parley.ts';

/** Tables that say something about the calls themselves. */
const UNTOLD = ['rate_windows', 'api_keys'];

/**
 * What each table holds: its rows, and a sum over all of their columns. Equal before and after what has no effect, unless a
 * minute passes, after which sessions say when they were used last: a test that takes longer stops the clock.
 */
export async function snapshot(database: Database): Promise<Record<string, string>> {
  sums ??= sumsOf(database);
  const rows = await database.run(await sums);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** Prepared: to plan what looks at every table takes several times as long as to run it. */
let sums: Promise<Runnable<{ name: string; sum: string }>> | undefined;

async function sumsOf(database: Database): Promise<Runnable<{ name: string; sum: string }>> {
  const tables = await database.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const each = tables
    .filter(({ name }) => !UNTOLD.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) AS sum FROM "${name}" t`,
    );
  return { name: 'snapshot', text: each.join(' UNION ALL '), isPrepared: true };
}

/** The tables and the names of the stored files. */
export async function everythingStored({ database, runtime }: TestParley): Promise<{
  tables: Record<string, string>;
  files: string[];
}> {
  return { tables: await snapshot(database), files: filesIn(runtime.settings.home) };
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
