import { hashKey, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';

export interface Loaded<T> {
  /** Data from the API; undefined until the first response. */
  data: T | undefined;
  /** Error of the last attempt to load the data, even during a retry. */
  problem: ApiError | null;
  /** Whether the first request for the data is running. */
  isLoading: boolean;
  /** Loads the data again. The old data stays until the new data arrives. */
  reload(): void;
}

/** Data of the API in the cache, which components share. */
export interface Cached<T> extends Loaded<T> {
  /**
   * Whether the data belongs to the previous cache key, because the data of the current key has not arrived
   * yet.
   */
  isPrevious: boolean;
  /** Replaces the cached data, for example by the response to a change. */
  set(data: T): void;
}

export interface LoadOptions<T> {
  /**
   * Returns the milliseconds after which the data is loaded again while the page is visible; false for never.
   */
  everyMs?: (data: T | undefined) => number | false;
  isEnabled?: boolean;
  /**
   * Whether the data is loaded again for each page and on each return to the window, since other people
   * change it.
   */
  reloadsOnVisit?: boolean;
  /** Whether the data of the previous cache key stays visible while the data of the new key is loaded. */
  keepsPrevious?: boolean;
  staleMs?: number;
}

/**
 * Loads data by one or several requests to the API. The cache shares the data, by its key, between
 * components.
 */
export function useLoaded<T>(
  key: QueryKey,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs, isEnabled = true, reloadsOnVisit = false, keepsPrevious = false, staleMs }: LoadOptions<T> = {},
): Cached<T> {
  const queries = useQueryClient();
  const {
    data,
    error,
    failureReason,
    isLoading,
    isPlaceholderData: isPrevious,
    refetch,
  } = useQuery<T>({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    enabled: isEnabled,
    ...(reloadsOnVisit && { refetchOnMount: 'always', refetchOnWindowFocus: 'always' }),
    ...(staleMs !== undefined && { staleTime: staleMs }),
    ...(everyMs && { refetchInterval: ({ state }) => everyMs(state.data) }),
    ...(keepsPrevious && { placeholderData: (before: T | undefined) => before }),
  } as Parameters<typeof useQuery<T>>[0]);
  const problem = useProblem(error, failureReason);
  const steps = useMemo(
    () => ({
      // Cancel a request for the data that is waiting for its next attempt, so that the new request starts
      // immediately.
      reload: () => void queries.cancelQueries({ queryKey: key, exact: true }).then(() => refetch()),
      set: (changed: T) => void queries.setQueryData<T>(key, changed),
    }),
    [queries, hashKey(key), refetch],
  );
  return useMemo(
    () => ({ data, problem, isLoading, isPrevious, ...steps }),
    [data, problem, isLoading, isPrevious, steps],
  );
}

/** Returns the error of a cached request, even during a retry. */
export function useProblem(error: Error | null, failureReason: Error | null): ApiError | null {
  const cause = error ?? failureReason;
  return useMemo(() => (cause === null ? null : toApiError(cause)), [cause]);
}
