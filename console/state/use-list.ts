import { keepPreviousData, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import type { ApiError } from '../client/api-error.ts';
import { withQuery, type Query } from '../client/paths.ts';
import type { Page } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { getProblem } from './queries.ts';

export interface List<T> {
  /** Undefined until the first page is loaded. */
  rows: readonly T[] | undefined;
  total: number;
  problem: ApiError | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  reload(): void;
}

const PAGE_SIZE = 50;

export interface ListOptions<T> {
  /** Returns the interval for loading the list again while only its first page is shown; false for never. */
  everyMs?: (rows: readonly T[]) => number | false;
}

/** Loads a list of the API page by page, when the user asks for more. */
export function useList<T>(url: string, filters: Query, { everyMs }: ListOptions<T> = {}): List<T> {
  const { client } = useSession();
  const first = withQuery(url, { page_size: PAGE_SIZE, ...filters });
  const query = useInfiniteQuery({
    queryKey: [url, first],
    queryFn: ({ pageParam, signal }) => client.get<Page<T>>(withQuery(first, { cursor: pageParam }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    placeholderData: keepPreviousData,
    // Load the list again on each visit: other pages change its rows.
    staleTime: 0,
    ...(everyMs && {
      refetchInterval: ({ state }: { state: { data?: InfiniteData<Page<T>> | undefined } }) => {
        const [shown, ...others] = state.data?.pages ?? [];
        return shown !== undefined && others.length === 0 && everyMs(shown.items);
      },
    }),
  });
  const rows = query.data?.pages.flatMap(({ items }) => items);
  return {
    rows,
    total: Math.max(query.data?.pages[0]?.total ?? 0, rows?.length ?? 0),
    problem: getProblem(query),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
  };
}
