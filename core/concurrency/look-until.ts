import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

/**
 * Looks again and again, in pauses that grow, for what another process writes.
 * @param deadline by `performance.now()`; it is looked at once more when it has come
 * @returns what was seen last: over, or as it was at the deadline
 */
export async function lookUntil<T>(
  look: () => Promise<T>,
  isOver: (seen: T) => boolean,
  deadline: number,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const seen = await look();
    const leftMs = deadline - performance.now();
    if (isOver(seen) || leftMs <= 0) return seen;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
