import { ApiPromise, type ApiResult } from './api-promise.ts';
import { ParleyError } from './errors.ts';
import { refuseArrayMethods, refuseSyncIteration } from './refuse-sync-iteration.ts';

/** The request for the next page of a list. */
interface Next<P> {
  /**
   * Cursor of the next page, or a field of the last item before it. Each page of a list has a different
   * position.
   */
  position: unknown;
  fetch: () => Promise<P>;
}

/** A page of a list. Iterating over the page reads the following pages on demand. */
abstract class PageOf<T, P extends PageOf<T, P>> implements AsyncIterable<T> {
  readonly items: readonly T[];
  readonly #next: Next<P> | null;

  /** @param next request for the next page; null on the last page */
  constructor(items: readonly T[], next: Next<P> | null) {
    this.items = items;
    this.#next = next;
  }

  /** Requests the next page; null after the last page. */
  async nextPage(): Promise<P | null> {
    return this.#next && this.#next.fetch();
  }

  /** @throws ParleyError if the server returns pages without end */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const positions = new Set<string>();
    yield* this.items;
    for (let page = await this.#follow(positions); page !== null; page = await page.#follow(positions))
      yield* page.items;
  }

  /**
   * Requests the next page while a list is iterated.
   * @param positions positions of earlier pages, to which this function adds the position of the next page
   */
  async #follow(positions: Set<string>): Promise<P | null> {
    if (this.#next === null) return null;
    const position = String(this.#next.position);
    if (positions.has(position) || this.items.length === 0)
      throw new ParleyError('The list does not end: the server repeats a page, or returns empty ones.');
    positions.add(position);
    return this.#next.fetch();
  }
}

/** Body of a page. */
export interface PageBody<T> {
  items: T[];
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
}

/** Returns whether a response body is a page of a list. */
export function isPageBody<T>(body: unknown): body is PageBody<T> {
  const { items, next_cursor: cursor } = (body ?? {}) as Partial<PageBody<T>>;
  return Array.isArray(items) && (cursor === null || typeof cursor === 'string');
}

export class Page<T> extends PageOf<T, Page<T>> {
  /** Number of all items in the list that match the filters. */
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;

  constructor(body: PageBody<T>, fetchPage: (cursor: string) => Promise<Page<T>>) {
    const { items, total, page, page_size, has_more, next_cursor } = body;
    super(
      items,
      next_cursor === null ? null : { position: next_cursor, fetch: () => fetchPage(next_cursor) },
    );
    this.total = total;
    this.page = page;
    this.page_size = page_size;
    this.has_more = has_more;
    this.next_cursor = next_cursor;
  }
}

/** Page of a list whose total number of items the API does not return. */
export class ListPage<T> extends PageOf<T, ListPage<T>> {}

/** Promise of a list: await its first page, or read all of its items with `for await`. */
export class PagePromise<T, P extends AsyncIterable<T>> extends ApiPromise<P> implements AsyncIterable<T> {
  constructor(result: Promise<ApiResult<P>>) {
    super(result);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this;
  }
}

const ADVICE =
  'A list is read page by page: use `for await (const item of list)` for all items, or `(await list).items` for one page.';
for (const list of [PageOf, PagePromise]) {
  refuseSyncIteration(list, ADVICE);
  refuseArrayMethods(list, ADVICE);
}
