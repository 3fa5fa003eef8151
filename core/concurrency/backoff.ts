export interface Backoff {
  /** The pause before the second attempt. */
  firstMs: number;
  maxMs: number;
  /** Ratio of each pause to the one before it. */
  factor?: number;
  /** Random deviation of each pause, from 0 to 1 of its length, so that many callers do not retry at once. */
  jitter?: number;
}

/**
 * Returns the pause after a failure, in milliseconds. Workflows may call it: their `Math.random` is deterministic.
 * @param failures number of earlier pauses; a negative number counts as 0
 */
export function backoffMs(failures: number, { firstMs, maxMs, factor = 2, jitter = 0 }: Backoff): number {
  const pauseMs = Math.min(firstMs * factor ** Math.max(0, failures), maxMs);
  return jitter === 0 ? pauseMs : pauseMs * (1 - jitter + 2 * jitter * Math.random());
}

/** Longest wait that another service may ask for. */
export const MAX_ASKED_WAIT_MS = 3_600_000;

/**
 * Bounds a wait that another program asked for, so that timers and dates accept it. Returns `maxMs` unless the wait is a
 * finite number: JSON turns Infinity into null.
 */
export function limitWaitMs(waitMs: number, maxMs: number): number {
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), maxMs) : maxMs;
}
