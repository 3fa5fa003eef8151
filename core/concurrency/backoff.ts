export interface Backoff {
  /** The pause before the second attempt. */
  firstMs: number;
  maxMs: number;
  /** What each pause is multiplied by. */
  factor?: number;
  /** By which share a pause is randomly shorter or longer, from 0 to 1, so that many waiters do not come back at once. */
  jitter?: number;
}

/**
 * The pause after failures, in milliseconds. Workflows may use it: their `Math.random` is deterministic.
 * @param failures how many pauses there were before, from 0; less counts as 0
 */
export function backoffMs(failures: number, { firstMs, maxMs, factor = 2, jitter = 0 }: Backoff): number {
  const pauseMs = Math.min(firstMs * factor ** Math.max(0, failures), maxMs);
  return jitter === 0 ? pauseMs : pauseMs * (1 - jitter + 2 * jitter * Math.random());
}
