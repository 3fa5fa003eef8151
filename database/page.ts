import { createHash } from 'node:crypto';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { invalidField } from '../core/errors/errors.ts';

/** Query parameters of a paginated collection: a page number, or a cursor. */
export interface PageQuery {
  page?: number;
  page_size?: number;
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
}

/** Sort key of a list. Times have milliseconds, which a cursor can carry exactly. */
interface PagedRow extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** Sort order by a time that every row of the list has. */
export interface PageOrder<T> {
  by: keyof T & string;
  direction: 'ASC' | 'DESC';
  /** Column with the time's hour (UTC), if the index has that column first. */
  hour?: keyof T & string;
}

const NEWEST_FIRST: PageOrder<PagedRow> = { by: 'createdAt', direction: 'DESC' };

export interface PageOptions<T extends ObjectLiteral> {
  order?: PageOrder<T>;
  /** Query that selects `total` faster than by counting the rows. It uses the parameters of the list's query. */
  total?: SelectQueryBuilder<ObjectLiteral>;
}

interface CursorPayload {
  /** ISO 8601 time and id of the last row that the caller has seen. */
  after: [time: string, id: string];
  page: number;
  total: number;
  /** Digest of the list that the cursor belongs to. */
  bound: string;
}

/** The rows of a page. One more row shows that another page follows. */
interface FoundRows<T> {
  rows: T[];
  total: number;
  page: number;
}

/** Signs cursors, so that callers cannot forge them. */
export interface CursorSigner {
  sign(purpose: 'cursor', payload: object): string;
  /** Null for a token that `sign` did not produce. */
  verify<T extends object>(purpose: 'cursor', token: string): T | null;
}

const DEFAULT_PAGE_SIZE = 20;

/**
 * Reads one page, newest first by default. Pages are found by keyset on (time, id): following cursors neither repeats
 * nor skips rows.
 * @param query rows of the list, aliased `row`; a cursor is valid only for the same workspace and filters
 * @throws AppError `validation_error` for page together with cursor, and for a cursor of another list or a forged one
 */
export async function readPage<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
  { page, page_size: pageSize = DEFAULT_PAGE_SIZE, cursor }: PageQuery,
  signer: CursorSigner,
  { order = NEWEST_FIRST, total = buildCountQuery(query) }: PageOptions<T> = {},
): Promise<Page<T>> {
  if (page !== undefined && cursor !== undefined) {
    throw invalidField('cursor', 'cannot be combined with page', 'query');
  }
  const bound = digestQuery(query, order);
  const found =
    cursor === undefined
      ? await readNumbered(query, order, total, page ?? 1, pageSize)
      : await readAfter(query, order, verifyCursor(cursor, bound, signer), pageSize);
  const items = found.rows.slice(0, pageSize);
  const last = found.rows.length > pageSize ? items.at(-1) : undefined;
  return {
    items,
    total: found.total,
    page: found.page,
    page_size: pageSize,
    has_more: last !== undefined,
    next_cursor: last
      ? signer.sign('cursor', {
          after: [(last[order.by] as Date).toISOString(), last.id],
          page: found.page + 1,
          total: found.total,
          bound,
        } satisfies CursorPayload)
      : null,
  };
}

/** Counts and reads in one statement, so that both see the same snapshot. */
async function readNumbered<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
  order: PageOrder<T>,
  total: SelectQueryBuilder<ObjectLiteral>,
  page: number,
  pageSize: number,
): Promise<FoundRows<T>> {
  // The index skips the previous pages; only rows of this page are fetched.
  const ids = applyOrder(query.clone().select('row.id'), order)
    .offset((page - 1) * pageSize)
    .limit(pageSize + 1);
  const { entities, raw } = await applyOrder(query, order)
    .andWhere(`row.id IN (${toSubquery(ids)})`)
    .addSelect(`(${toSubquery(total)})`, 'total')
    .getRawAndEntities<{ total: string }>();
  const found = raw[0] ?? (await total.getRawOne<{ total: string }>());
  return { rows: entities, total: Number(found?.total), page };
}

/** Returns the query as a subquery. Common table expressions stay at the head of the whole statement. */
function toSubquery(query: SelectQueryBuilder<ObjectLiteral>): string {
  const part = query.clone();
  part.expressionMap.commonTableExpressions = [];
  return part.getQuery();
}

function buildCountQuery<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
): SelectQueryBuilder<ObjectLiteral> {
  return query.clone().select('count(*)', 'total');
}

async function readAfter<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
  order: PageOrder<T>,
  { after: [afterTime, afterId], total, page }: CursorPayload,
  pageSize: number,
): Promise<FoundRows<T>> {
  const beyond = order.direction === 'ASC' ? '>' : '<';
  const { columns, values } = order.hour
    ? {
        columns: `row.${order.hour}, row.${order.by}`,
        values: `date_trunc('hour', :afterTime::timestamptz, 'UTC'), :afterTime`,
      }
    : { columns: `row.${order.by}`, values: ':afterTime' };
  const rows = await applyOrder(query, order)
    .andWhere(`(${columns}, row.id) ${beyond} (${values}, :afterId)`, { afterTime, afterId })
    .limit(pageSize + 1)
    .getMany();
  return { rows, total, page };
}

function applyOrder<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
  { by, direction, hour = by }: PageOrder<T>,
): SelectQueryBuilder<T> {
  query.orderBy(`row.${hour}`, direction);
  if (hour !== by) query.addOrderBy(`row.${by}`, direction);
  return query.addOrderBy('row.id', direction);
}

/** Digests the table, workspace and filters, which are all in the statement, and the order. */
function digestQuery<T extends PagedRow>(query: SelectQueryBuilder<T>, { by }: PageOrder<T>): string {
  const statement = [...query.clone().select('row.id').getQueryAndParameters(), by];
  return createHash('sha256').update(JSON.stringify(statement)).digest('base64url').slice(0, 22);
}

function verifyCursor(cursor: string, bound: string, signer: CursorSigner): CursorPayload {
  const payload = signer.verify<CursorPayload>('cursor', cursor);
  if (payload?.bound !== bound) {
    throw invalidField('cursor', 'is not one that this list gave out with these filters', 'query');
  }
  return payload;
}

/** Returns the page with each item mapped. */
export function mapPage<T, U>(page: Page<T>, present: (item: T, index: number) => U): Page<U> {
  return { ...page, items: page.items.map((item, index) => present(item, index)) };
}
