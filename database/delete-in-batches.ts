import type { Database } from './database.ts';
import { tableOf } from './table.ts';

export interface Doomed {
  entity: new () => object;
  /** Which of its rows, by `parameters`, in SQL. */
  where: string;
  /** So few that a statement stays far below the time which PostgreSQL gives it. */
  batchSize: number;
  /** Column by which they are found again; by default, where they are. */
  key?: string;
  orderBy?: string;
}

/** Removes rows that nobody has locked, at most so many as a batch has; returns how many. */
export async function deleteBatch(
  db: Database,
  { entity, where, batchSize, key = 'ctid', orderBy }: Doomed,
  parameters: unknown[] = [],
): Promise<number> {
  const { table } = tableOf(entity, '');
  const order = orderBy === undefined ? '' : `ORDER BY ${orderBy}`;
  const removed = await db.sql(
    `DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
       SELECT ${key} FROM ${table} WHERE ${where} ${order} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )) RETURNING 1`,
    parameters,
  );
  return removed.length;
}

/** Removes rows until none is left but those that somebody has locked, each batch a transaction of its own. @throws the signal's reason */
export async function deleteInBatches(
  db: Database,
  doomed: Doomed,
  parameters: unknown[],
  signal: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    isMore = (await deleteBatch(db, doomed, parameters)) > 0;
  }
}
