import {
  QueryClient,
  useQuery,
  type QueryClient as Queries,
  type UseQueryResult,
} from '@tanstack/react-query';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';
import { useSession } from '../session/session.tsx';

const PAUSES = { firstMs: 250, maxMs: 15_000, jitter: 0.25 };
const STALE_MS = 10_000;

/** Creates the cache of the API's responses for one session. */
export function createQueries(): Queries {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Report a lost connection as an error in place of waiting silently until the browser is online.
        networkMode: 'always',
        staleTime: STALE_MS,
        retry: (_failures, error) => toApiError(error).isTemporary,
        retryDelay: (failures) => backoffMs(failures + 1, PAUSES),
      },
    },
  });
}

export interface ApiQueryOptions<T> {
  /** Interval for loading the data again while the page is visible; undefined to load it once. */
  everyMs?: ((data: T | undefined) => number | false) | undefined;
  isEnabled?: boolean;
  /** Whether the data of the last URL stays visible while the data of the next one is loaded. */
  keepsPrevious?: boolean;
}

/** Loads a URL of the API. The cache shares the response between components. */
export function useApi<T>(
  url: string,
  { everyMs, isEnabled = true, keepsPrevious = false }: ApiQueryOptions<T> = {},
): UseQueryResult<T> {
  const { client } = useSession();
  return useQuery<T>({
    queryKey: [url],
    queryFn: ({ signal }) => client.get<T>(url, signal),
    enabled: isEnabled,
    ...(everyMs && { refetchInterval: ({ state }) => everyMs(state.data) }),
    ...(keepsPrevious && { placeholderData: (before: T | undefined) => before }),
  } as Parameters<typeof useQuery<T>>[0]);
}

/** Returns the error of a query, also while it is being retried. */
export function getProblem({
  error,
  failureReason,
}: Pick<UseQueryResult, 'error' | 'failureReason'>): ApiError | null {
  const cause = error ?? failureReason;
  return cause === null ? null : toApiError(cause);
}
