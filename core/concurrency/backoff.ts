export interface Backoff {
  /** Pause before the first retry, in milliseconds. */
  firstMs: number;
  maxMs: number;
  /** Factor by which each pause between retries is longer than the previous pause; 2 by default. */
  factor?: number;
  /**
   * Random deviation of each pause between retries, as a fraction of the pause from 0 to 1. The deviation
   * prevents many callers from retrying at the same time.
   */
  jitter?: number;
}

/**
 * Returns the pause before the next retry, in milliseconds. Workflows may call this function, since Temporal
 * makes their `Math.random` deterministic.
 * @param pauses number of earlier pauses; a negative number counts as 0
 */
export function backoffMs(pauses: number, { firstMs, maxMs, factor = 2, jitter = 0 }: Backoff): number {
  const pauseMs = Math.min(firstMs * factor ** Math.max(0, pauses), maxMs);
  return jitter === 0 ? pauseMs : pauseMs * (1 - jitter + 2 * jitter * Math.random());
}

/** Maximum wait in milliseconds that another service may request, for example by a Retry-After header. */
export const MAX_REQUESTED_WAIT_MS = 3_600_000;

/**
 * Limits a wait to the range from 0 to `maxMs`, so that timers and dates accept it. Returns `maxMs` for any
 * value that is not a finite number, such as the null into which JSON turns Infinity.
 */
export function limitWaitMs(waitMs: number, maxMs: number): number {
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), maxMs) : maxMs;
}
