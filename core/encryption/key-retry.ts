/** How long what waits for a key waits at least, and at most, until it is looked at again. */
export const MIN_RETRY_DELAY_SECONDS = 5;
export const MAX_RETRY_DELAY_SECONDS = 60;

/** Why something of ours waits, in the form of the reasons of attempts. */
export const KEY_UNAVAILABLE =
  'key_unavailable: The workspace’s key cannot be opened at present. This goes on once it can.';

/** How long something waits that cannot be read, in milliseconds: the longer the older it is, without an end. */
export function keyRetryDelayMs(ageMs: number): number {
  const longestMs = MAX_RETRY_DELAY_SECONDS * 1000;
  return Math.round(Math.min(Math.max(ageMs / 2, MIN_RETRY_DELAY_SECONDS * 1000), longestMs));
}
