import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** Limits the time on the event loop: one query would turn thousands of rows into objects without a pause. */
const BATCH_SIZE = 500;

/** A row that can be ordered by its creation time and id. */
interface CreatedRow extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** Reads all rows of the query, aliased `row`, newest first. */
export function listNewestFirst<T extends CreatedRow>(query: () => SelectQueryBuilder<T>): Promise<T[]> {
  return listInBatches((limit, last: T | undefined) => limitToNewest(query(), limit, last).getMany());
}

/** Limits a query, aliased `row`, to the rows that follow the last one, newest first. */
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
 * Reads rows in batches.
 * @param read returns the rows after the last one of the previous batch, in an order without ties
 * @param limit the maximum number of rows
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
