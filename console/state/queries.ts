import { focusManager, QueryClient, type QueryClient as Queries } from '@tanstack/react-query';
import { toApiError } from '../client/api-error.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

/**
 * Pauses in milliseconds between attempts to reach the server, with the fraction by which they vary randomly.
 */
export const PAUSES = { firstMs: 250, maxMs: 15_000, jitter: 0.25 };
const STALE_MS = 10_000;

// Refresh data also when the user returns from another window, not only from another tab.
focusManager.setEventListener((onReturn) => {
  const report = (): void => onReturn();
  window.addEventListener('visibilitychange', report);
  window.addEventListener('focus', report);
  return () => {
    window.removeEventListener('visibilitychange', report);
    window.removeEventListener('focus', report);
  };
});

/** Creates the cache of the API's responses for one session of a user. */
export function createQueries(): Queries {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Report a lost connection as an error, instead of waiting silently until the browser is online.
        networkMode: 'always',
        staleTime: STALE_MS,
        retry: (_failures, error) => toApiError(error).isTemporary,
        retryDelay: (failures) => backoffMs(failures + 1, PAUSES),
      },
    },
  });
}
