import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { invalidField } from '../core/errors/errors.ts';
import { computeShortDigest } from '../core/short-digest.ts';

/** Query parameters of a paginated list in the API: a page number, or a cursor. */
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

/**
 * Columns by which a paginated list is sorted. Times have a precision of milliseconds, so a cursor contains
 * them exactly.
 */
interface PagedRow extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** Sort order of a paginated list by a time column, which must not be null. */
export interface PageOrder<T> {
  by: keyof T & string;
  direction: 'ASC' | 'DESC';
  /**
   * Column with the sorting time truncated to the hour (UTC). Needed if the index begins with that column.
   */
  hour?: keyof T & string;
}

const NEWEST_FIRST: PageOrder<PagedRow> = { by: 'createdAt', direction: 'DESC' };

export interface PageOptions<T extends ObjectLiteral> {
  order?: PageOrder<T>;
  /**
   * Query that returns the list's `total` more cheaply than counting the rows. Has the same parameters as the
   * list's query.
   */
  total?: SelectQueryBuilder<ObjectLiteral>;
}

interface CursorPayload {
  /** Time (ISO 8601) and id of the last row of the previous page. */
  after: [time: string, id: string];
  page: number;
  total: number;
  /** Digest of the query for which the cursor was issued. */
  bound: string;
}

/** The rows of a list's page, with one row more if another page follows. */
interface FoundRows<T> {
  rows: T[];
  total: number;
  page: number;
}

/** Signs the cursors of paginated lists, so that callers cannot forge them. */
export interface CursorSigner {
  sign(purpose: 'cursor', payload: object): string;
  /** Returns the payload of a signed cursor; null if `sign` did not create it. */
  verify<T extends object>(purpose: 'cursor', token: string): T | null;
}

const DEFAULT_PAGE_SIZE = 20;

/**
 * Reads one page of a list, newest first by default. Cursors use keyset pagination on (time, id), so
 * following them neither repeats nor skips rows.
 * @param query query for all rows of the list, aliased `row`
 * @throws AppError `validation_error` if the request has both page and cursor, or if the cursor is forged or
 *   belongs to another list
 */
export async function readPage<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
  { page, page_size: pageSize = DEFAULT_PAGE_SIZE, cursor }: PageQuery,
  signer: CursorSigner,
  { order = NEWEST_FIRST, total = buildCountQuery(query) }: PageOptions<T> = {},
): Promise<Page<T>> {
  if (page !== undefined && cursor !== undefined) {
    throw invalidField('cursor', 'cannot be combined with `page`', 'query');
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

/**
 * Reads a list's page by its number. Counts and reads in one statement, so that both see the same snapshot.
 */
async function readNumbered<T extends PagedRow>(
  query: SelectQueryBuilder<T>,
  order: PageOrder<T>,
  total: SelectQueryBuilder<ObjectLiteral>,
  page: number,
  pageSize: number,
): Promise<FoundRows<T>> {
  // Skip the previous pages within the index, so that only rows of this page are fetched.
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

/**
 * Returns a query's SQL for use as a subquery. Omits its common table expressions, which the outer statement
 * declares.
 */
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

/**
 * Computes the digest that binds a cursor to its list. It covers the query with table, workspace and filters,
 * and the sort column.
 */
function digestQuery<T extends PagedRow>(query: SelectQueryBuilder<T>, { by }: PageOrder<T>): string {
  const statement = [...query.clone().select('row.id').getQueryAndParameters(), by];
  return computeShortDigest(JSON.stringify(statement));
}

function verifyCursor(cursor: string, bound: string, signer: CursorSigner): CursorPayload {
  const payload = signer.verify<CursorPayload>('cursor', cursor);
  if (payload?.bound !== bound) {
    throw invalidField(
      'cursor',
      'does not belong to this list with these filters; omit it to start at the first page',
      'query',
    );
  }
  return payload;
}

/** Returns a list's page with each item converted by `present`. */
export function mapPage<T, U>(page: Page<T>, present: (item: T, index: number) => U): Page<U> {
  return { ...page, items: page.items.map((item, index) => present(item, index)) };
}
