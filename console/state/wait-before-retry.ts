import { backoffMs } from '../../core/concurrency/backoff.ts';
import { PAUSES } from './queries.ts';

/**
 * Waits before another attempt to connect, longer after each failure. Returns early when the browser is
 * online again or the signal aborts.
 * @param failures number of earlier failures
 */
export function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  const pauseMs = backoffMs(failures, PAUSES);
  return new Promise((resolve) => {
    const stopWaiting = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', stopWaiting);
      signal.removeEventListener('abort', stopWaiting);
      resolve();
    };
    const timer = window.setTimeout(stopWaiting, pauseMs);
    window.addEventListener('online', stopWaiting);
    signal.addEventListener('abort', stopWaiting);
  });
}
