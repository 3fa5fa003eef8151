const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const MIN_POSTPONEMENT_MS = 5000;
const MAX_POSTPONEMENT_MS = 5 * 60 * 1000;
/**
 * Age in milliseconds at which a postponed delivery fails. It equals the default retention of the delivery
 * log.
 */
const POSTPONEMENT_LIMIT_MS = 30 * 24 * 60 * 60 * 1000;
const JITTER = 0.1;

/**
 * Parses the pauses between attempts to send a delivery, in seconds, such as `5,300,1800`, to milliseconds.
 * `none` gives an empty list.
 */
export function parseSchedule(seconds: string): number[] {
  if (seconds === 'none') return [];
  return seconds.split(',').map((pause) => Number(pause) * 1000);
}

/**
 * Returns the pause after a delivery's failed attempt in milliseconds, with up to 10 % of random variation.
 * Undefined after the last attempt.
 * @param attempts number of attempts so far, including the failed attempt
 * @param retryAfterMs pause that the receiver asked for. It only ever lengthens the pause, to 24 h at most.
 */
export function computeRetryPause(
  schedule: readonly number[],
  attempts: number,
  retryAfterMs = 0,
): number | undefined {
  const pauseMs = schedule[attempts - 1];
  if (pauseMs === undefined) return undefined;
  const jittered = pauseMs * (1 + Math.random() * JITTER);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}

/**
 * Returns the pause in milliseconds before a postponed delivery is tried again. The pause grows with the
 * delivery's age, so that many postponed deliveries cost little. Undefined once the delivery is 30 days old;
 * the delivery then fails.
 */
export function computePostponement(ageMs: number): number | undefined {
  if (ageMs > POSTPONEMENT_LIMIT_MS) return undefined;
  const pauseMs = Math.min(Math.max(ageMs / 2, MIN_POSTPONEMENT_MS), MAX_POSTPONEMENT_MS);
  return Math.round(pauseMs * (1 + Math.random() * JITTER));
}
