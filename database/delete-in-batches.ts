import type { Database } from './database.ts';

export interface Doomed {
  table: string;
  /** Which of its rows, by `parameters`. */
  where: string;
  parameters: unknown[];
  /** So few that a statement stays far below the time which PostgreSQL gives it. */
  batchSize: number;
}

/** Removes rows until none is left but those that somebody has locked, each batch a transaction of its own. @throws the signal's reason */
export async function deleteInBatches(
  db: Database,
  { table, where, parameters, batchSize }: Doomed,
  signal: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    const removed = await db.sql(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${table} WHERE ${where} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
       )) RETURNING 1`,
      parameters,
    );
    isMore = removed.length > 0;
  }
}
