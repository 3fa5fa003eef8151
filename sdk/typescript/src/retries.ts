import { ApiError, ConnectionError } from './errors.ts';

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;
const MAX_RETRY_AFTER_SECONDS = 60;

/** Returns whether a retry of a request may succeed after an error. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  if ((error.retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS) return false;
  const { status, code } = error;
  return status === 408 || status === 429 || status >= 500 || code === 'idempotency_in_progress';
}

/**
 * Returns the milliseconds to wait before a retry: the server's `Retry-After`, or else a random time below a
 * limit that doubles.
 * @param attempt number of earlier retries
 */
export function pauseMs(attempt: number, error: unknown, random = Math.random): number {
  const requestedSeconds = error instanceof ApiError ? error.retryAfter : null;
  if (requestedSeconds !== null) return requestedSeconds * 1000;
  return random() * Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** attempt);
}

/** @throws the abort reason of the signal */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
