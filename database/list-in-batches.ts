import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Maximum number of rows that one query reads. Converting thousands of rows to objects at once would block
 * the event loop.
 */
const BATCH_SIZE = 500;

/** A database row that can be ordered by its creation time and id. */
interface CreatedRow extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** Reads all rows of a query, aliased `row`, in batches, newest first. */
export function listNewestFirst<T extends CreatedRow>(query: () => SelectQueryBuilder<T>): Promise<T[]> {
  return listInBatches((limit, last: T | undefined) => limitToNewest(query(), limit, last).getMany());
}

/** Limits a query, aliased `row`, to a number of rows after `last`, newest first. */
export function limitToNewest<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  limit: number,
  last: Pick<CreatedRow, 'id' | 'createdAt'> | undefined,
): SelectQueryBuilder<T> {
  if (last) {
    const { createdAt, id: lastId } = last;
    query.andWhere('(row.createdAt, row.id) < (:createdAt, :lastId)', { createdAt, lastId });
  }
  return query.orderBy({ 'row.createdAt': 'DESC', 'row.id': 'DESC' }).limit(limit);
}

/**
 * Reads rows in batches until none is left or the limit is reached.
 * @param read function that returns the rows that follow the last row of the previous batch, in a strict
 *   order
 * @param limit maximum number of rows in total
 */
export async function listInBatches<T>(
  read: (limit: number, last: T | undefined) => Promise<T[]>,
  limit = Infinity,
): Promise<T[]> {
  const rows: T[] = [];
  for (let isMore = true; isMore && rows.length < limit;) {
    const size = Math.min(BATCH_SIZE, limit - rows.length);
    const batch = await read(size, rows.at(-1));
    for (const row of batch) rows.push(row);
    isMore = batch.length === size;
  }
  return rows;
}
