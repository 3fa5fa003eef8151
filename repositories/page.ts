import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Keyring } from '../adapters/keys/keyring.ts';
import { invalidField } from '../core/errors.ts';
import { createHash } from 'node:crypto';

/** What a caller asks of a paginated collection: pages by number, or from a cursor onwards. */
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

interface CursorPayload {
  /** created_at in ISO 8601 and id of the last row seen. */
  after: [string, string];
  page: number;
  total: number;
  /** Digest of the filters and the workspace that the cursor was made for. */
  bound: string;
}

const DEFAULT_PAGE_SIZE = 20;

/**
 * Reads one page, newest first, by keyset on (created_at, id): a walk by cursor neither repeats nor skips rows.
 * @param query builder whose filters are already set, with the entity aliased as `row`
 * @param filters whatever the filters were made of; a cursor serves only the same ones
 * @throws AppError `validation_error` for page together with cursor, and for a foreign or altered cursor
 */
export async function readPage<T extends ObjectLiteral & { id: string; createdAt: Date }>(
  query: SelectQueryBuilder<T>,
  { page, page_size: pageSize = DEFAULT_PAGE_SIZE, cursor }: PageQuery,
  filters: unknown,
  keyring: Keyring,
): Promise<Page<T>> {
  if (page !== undefined && cursor !== undefined) {
    throw invalidField('cursor', 'cannot be combined with page', 'query');
  }
  const bound = createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 22);
  const from = cursor === undefined ? undefined : readCursor(cursor, bound, keyring);
  const total = from ? from.total : await query.clone().getCount();
  const rows = query
    .orderBy('row.createdAt', 'DESC')
    .addOrderBy('row.id', 'DESC')
    .limit(pageSize + 1);
  if (from) rows.andWhere('(row.created_at, row.id) < (:afterTime, :afterId)', afterOf(from));
  else rows.offset(((page ?? 1) - 1) * pageSize);
  const found = await rows.getMany();
  const items = found.slice(0, pageSize);
  const last = items.at(-1);
  const number = from ? from.page : (page ?? 1);
  const hasMore = found.length > pageSize && last !== undefined;
  return {
    items,
    total,
    page: number,
    page_size: pageSize,
    has_more: hasMore,
    next_cursor: hasMore
      ? keyring.sign('cursor', {
          after: [last.createdAt.toISOString(), last.id],
          page: number + 1,
          total,
          bound,
        } satisfies CursorPayload)
      : null,
  };
}

function afterOf(cursor: CursorPayload) {
  return { afterTime: cursor.after[0], afterId: cursor.after[1] };
}

function readCursor(cursor: string, bound: string, keyring: Keyring): CursorPayload {
  const payload = keyring.verify<CursorPayload>('cursor', cursor);
  if (payload?.bound !== bound) {
    throw invalidField('cursor', 'is not one that this list gave out with these filters', 'query');
  }
  return payload;
}

/** The same page with its items presented. */
export function mapPage<T, U>(page: Page<T>, present: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(present) };
}
