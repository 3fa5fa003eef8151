import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import type { Runnable } from '../../database/statement.ts';
import type { SharedParley } from './parley.ts';

/** Tables that say something about the calls themselves. */
const UNTOLD = ['rate_windows', 'api_keys'];

/**
 * Tells the state of each table: how many rows it has, and the sum of the transactions that wrote them (`xmin`), which costs
 * a tenth of a sum over their columns. Two snapshots are equal only if no row was written between them. After a minute
 * sessions write when they were last used: a test that takes longer stops the clock.
 */
export async function snapshot(database: Database): Promise<Record<string, string>> {
  sums ??= sumsOf(database);
  const rows = await database.run(await sums);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** A repeated message writes its key anew with the same values: of this table the columns count, not the writes. */
const REWRITTEN = 'idempotency_keys';

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
        `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(${name === REWRITTEN ? 'hashtext(t::text)' : 'xmin::text::bigint'}), 0) AS sum
           FROM "${name}" t`,
    );
  return { name: 'snapshot', text: each.join(' UNION ALL '), isPrepared: true };
}

/** The tables and the names of the stored files. */
export async function everythingStored({ database, runtime }: SharedParley): Promise<{
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
