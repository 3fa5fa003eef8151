/** Minimum and maximum pause before retrying work that needs an unavailable key. */
export const MIN_RETRY_DELAY_SECONDS = 5;
export const MAX_RETRY_DELAY_SECONDS = 60;

/** Failure reason that is stored with work that waits for a key. */
export const KEY_UNAVAILABLE =
  'key_unavailable: The workspace key cannot be decrypted at present. The work continues once it can.';

/**
 * Returns the pause before retrying work that needs an unavailable key, in milliseconds. The pause grows with
 * the age of the work. Retries do not end.
 */
export function keyRetryDelayMs(ageMs: number): number {
  const maxMs = MAX_RETRY_DELAY_SECONDS * 1000;
  return Math.round(Math.min(Math.max(ageMs / 2, MIN_RETRY_DELAY_SECONDS * 1000), maxMs));
}
