import { ApiPromise, type ApiResult } from './api-promise.ts';

/** Requests the next page; null after the last one. */
type Next<P> = () => Promise<P> | null;

/** A page of a list. Iterating it reads the following pages on demand. */
abstract class PageOf<T, P extends PageOf<T, P>> implements AsyncIterable<T> {
  readonly items: readonly T[];
  readonly #next: Next<P>;

  constructor(items: readonly T[], next: Next<P>) {
    this.items = items;
    this.#next = next;
  }

  /** Null after the last page. */
  async nextPage(): Promise<P | null> {
    return (await this.#next()) ?? null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* this.items;
    for (let page = await this.nextPage(); page !== null; page = await page.nextPage()) yield* page.items;
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

export class Page<T> extends PageOf<T, Page<T>> {
  /** Number of all items that match the filters. */
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;

  constructor(body: PageBody<T>, fetchPage: (cursor: string) => Promise<Page<T>>) {
    const { items, total, page, page_size, has_more, next_cursor } = body;
    super(items, () => (next_cursor === null ? null : fetchPage(next_cursor)));
    this.total = total;
    this.page = page;
    this.page_size = page_size;
    this.has_more = has_more;
    this.next_cursor = next_cursor;
  }
}

/** Part of a list without a total. */
export class ListPage<T> extends PageOf<T, ListPage<T>> {}

/** Promise of a list: of its first page, or of each item in a `for await`. */
export class PagePromise<T, P extends AsyncIterable<T>> extends ApiPromise<P> implements AsyncIterable<T> {
  constructor(result: Promise<ApiResult<P>>) {
    super(result);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this;
  }
}
