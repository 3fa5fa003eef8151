import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** Few enough rows for the event loop, whatever their columns: thousands of rows become objects in one go otherwise. */
const BATCH = 500;

/** Rows in the order of when they were made, and ids. */
interface MadeRow extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** Reads all rows of the query, aliased `row`, newest first. */
export function listNewestFirst<T extends MadeRow>(query: () => SelectQueryBuilder<T>): Promise<T[]> {
  return listInBatches((limit, last: T | undefined) => readNewest(query(), limit, last).getMany());
}

/** Limits a query, aliased `row`, to the next rows after the last one, newest first. */
export function readNewest<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  limit: number,
  last: Pick<MadeRow, 'id' | 'createdAt'> | undefined,
): SelectQueryBuilder<T> {
  if (last) {
    const { createdAt, id: lastId } = last;
    query.andWhere('(row.createdAt, row.id) < (:createdAt, :lastId)', { createdAt, lastId });
  }
  return query.orderBy({ 'row.createdAt': 'DESC', 'row.id': 'DESC' }).limit(limit);
}

/**
 * Returns as many rows as there are, read in batches.
 * @param read the next rows of an order that has no ties, after the last one of the batch before
 * @param limit the most rows that are wanted
 */
export async function listInBatches<T>(
  read: (limit: number, last: T | undefined) => Promise<T[]>,
  limit = Infinity,
): Promise<T[]> {
  const rows: T[] = [];
  for (let isMore = true; isMore && rows.length < limit;) {
    const size = Math.min(BATCH, limit - rows.length);
    const batch = await read(size, rows.at(-1));
    for (const row of batch) rows.push(row);
    isMore = batch.length === size;
  }
  return rows;
}
