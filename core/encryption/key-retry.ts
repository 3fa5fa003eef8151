/**
 * Minimum and maximum pause, in seconds, before Parley retries work that needs an unavailable encryption key.
 */
export const MIN_RETRY_DELAY_SECONDS = 5;
export const MAX_RETRY_DELAY_SECONDS = 60;

/** Failure reason that is stored with work that waits for an unavailable encryption key. */
export const KEY_UNAVAILABLE =
  'key_unavailable: The workspace key cannot be decrypted at present. The work continues once the key can be decrypted.';

/**
 * Returns the pause, in milliseconds, before Parley retries work that needs an unavailable encryption key. The
 * pause grows with the age of the work. Retries do not end.
 */
export function keyRetryDelayMs(ageMs: number): number {
  const maxMs = MAX_RETRY_DELAY_SECONDS * 1000;
  return Math.round(Math.min(Math.max(ageMs / 2, MIN_RETRY_DELAY_SECONDS * 1000), maxMs));
}
