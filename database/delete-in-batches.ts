import type { Database } from './database.ts';
import { aliasTable } from './table.ts';

export interface DeletionTarget {
  entity: new () => object;
  /** SQL condition that selects the rows to delete, with placeholders for the parameters. */
  where: string;
  /** Number of rows that one statement deletes, small enough to stay far below the statement timeout. */
  batchSize: number;
  /** Column that identifies rows in the DELETE statement; `ctid` by default. */
  key?: string;
  orderBy?: string;
}

/** Deletes a batch of a table's rows, except locked rows. Returns the number of deleted rows. */
export async function deleteBatch(
  db: Database,
  { entity, where, batchSize, key = 'ctid', orderBy }: DeletionTarget,
  parameters: unknown[] = [],
): Promise<number> {
  const { table } = aliasTable(entity, '');
  const order = orderBy === undefined ? '' : `ORDER BY ${orderBy}`;
  const removed = await db.sql(
    `DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
       SELECT ${key} FROM ${table} WHERE ${where} ${order} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )) RETURNING 1`,
    parameters,
  );
  return removed.length;
}

/**
 * Deletes all rows of a table that match a condition except locked rows, each batch in its own transaction.
 * @throws the signal's reason if it is aborted
 */
export async function deleteInBatches(
  db: Database,
  target: DeletionTarget,
  parameters: unknown[],
  signal: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    isMore = (await deleteBatch(db, target, parameters)) > 0;
  }
}
