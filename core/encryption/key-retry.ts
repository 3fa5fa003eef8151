/** Minimum and maximum pause before work that waits for a key is retried. */
export const MIN_RETRY_DELAY_SECONDS = 5;
export const MAX_RETRY_DELAY_SECONDS = 60;

/** Reason of waiting work, in the format of attempts' reasons. */
export const KEY_UNAVAILABLE =
  'key_unavailable: The workspace’s key cannot be opened at present. This goes on once it can.';

/**
 * Returns the pause before work without its key is retried, in milliseconds. It grows with the age of the work, without
 * a limit on retries.
 */
export function keyRetryDelayMs(ageMs: number): number {
  const longestMs = MAX_RETRY_DELAY_SECONDS * 1000;
  return Math.round(Math.min(Math.max(ageMs / 2, MIN_RETRY_DELAY_SECONDS * 1000), longestMs));
}
