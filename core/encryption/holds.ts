/** How long what waits for a key waits at least, and at most, until it is looked at again. */
export const SHORTEST_HOLD_SECONDS = 5;
export const LONGEST_HOLD_SECONDS = 60;

/** Why something of ours waits, in the form of the reasons of attempts. */
export const KEY_UNAVAILABLE =
  'key_unavailable: The workspace’s key cannot be opened at present. This goes on once it can.';

/** How long something waits that cannot be read, in milliseconds: the longer the older it is, without an end. */
export function holdOf(ageMs: number): number {
  const longestMs = LONGEST_HOLD_SECONDS * 1000;
  return Math.round(Math.min(Math.max(ageMs / 2, SHORTEST_HOLD_SECONDS * 1000), longestMs));
}
