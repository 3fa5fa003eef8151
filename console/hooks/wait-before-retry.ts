import { backoffMs } from '../../core/concurrency/backoff.ts';

const PAUSES = { firstMs: 250, maxMs: 15_000, jitter: 0.25 };

/**
 * Waits before the next connection attempt, longer after each failure. Ends early when the network returns or the
 * signal aborts.
 */
export function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  const pauseMs = backoffMs(failures, PAUSES);
  return new Promise((resolve) => {
    const end = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = window.setTimeout(end, pauseMs);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
