import {
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query';
import { withQuery, type Query } from '../client/paths.ts';
import type { Page } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { useProblem, type Loaded } from './use-loaded.ts';

/** List of the API that is loaded page by page. */
export interface List<T> extends Loaded<readonly T[]> {
  /** Number of rows on all pages of the list; null if the API does not count the rows. */
  total: number | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  /** Replaces the list's row that has the same id, without a request. */
  replace(row: T): void;
}

interface Chunk<T> {
  items: T[];
  total: number | null;
  /** Value of the query parameter that loads the next page of the list; null at the end. */
  next: string | null;
}

const PAGE_SIZE = 50;

export interface ListOptions<T> {
  /**
   * Returns the milliseconds after which the list is loaded again while only its first page is shown; false
   * for never.
   */
  everyMs?: (rows: readonly T[]) => number | false;
}

/** Loads a list of the API, and further pages when the user asks for more. */
export function useList<T extends { id: string }>(
  url: string,
  filters: Query,
  options: ListOptions<T> = {},
): List<T> {
  const { client } = useSession();
  const first = withQuery(url, { page_size: PAGE_SIZE, ...filters });
  const load = async (cursor: string | null, signal: AbortSignal): Promise<Chunk<T>> => {
    const {
      items,
      total,
      next_cursor: next,
    } = await client.get<Page<T>>(withQuery(first, { cursor }), signal);
    return { items, total, next };
  };
  return useChunks([url, first], load, ({ id }) => id, options);
}

/**
 * Loads a list that the API returns as arrays, newest first.
 * @param toKey returns what identifies a row, for the parameter `before`
 */
export function useHistory<T>(url: string, filters: Query, toKey: (row: T) => string): List<T> {
  const { client } = useSession();
  const first = withQuery(url, { limit: PAGE_SIZE, ...filters });
  const load = async (before: string | null, signal: AbortSignal): Promise<Chunk<T>> => {
    const items = await client.get<T[]>(withQuery(first, { before }), signal);
    const last = items.at(-1);
    return { items, total: null, next: last && items.length >= PAGE_SIZE ? toKey(last) : null };
  };
  return useChunks([url, first], load, toKey, {});
}

function useChunks<T>(
  key: QueryKey,
  load: (next: string | null, signal: AbortSignal) => Promise<Chunk<T>>,
  toKey: (row: T) => string,
  { everyMs }: ListOptions<T>,
): List<T> {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Load the list again on each visit of its page: other pages change its rows.
    staleTime: 0,
    ...(everyMs && {
      refetchInterval: ({ state }: { state: { data?: InfiniteData<Chunk<T>> | undefined } }) => {
        const [shown, ...others] = state.data?.pages ?? [];
        return shown !== undefined && others.length === 0 && everyMs(shown.items);
      },
    }),
  });
  const data = query.data?.pages.flatMap(({ items }) => items);
  const total = query.data?.pages[0]?.total ?? null;
  return {
    data,
    total: total && Math.max(total, data?.length ?? 0),
    problem: useProblem(query.error, query.failureReason),
    isLoading: query.isLoading,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
    replace: (row) => {
      const change = (each: T): T => (toKey(each) === toKey(row) ? row : each);
      queries.setQueryData<InfiniteData<Chunk<T>>>(
        key,
        (before) =>
          before && {
            ...before,
            pages: before.pages.map((page) => ({ ...page, items: page.items.map(change) })),
          },
      );
    },
  };
}
