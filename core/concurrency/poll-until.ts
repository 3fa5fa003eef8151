import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 250;

/**
 * Polls with growing pauses for a result that another process writes.
 * @param deadline time at which polling ends, on the clock of `performance.now()`
 * @returns the last result, even if `isOver` returns false for this result
 */
export async function pollUntil<T>(
  poll: () => Promise<T>,
  isOver: (result: T) => boolean,
  deadline: number,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const result = await poll();
    const leftMs = deadline - performance.now();
    if (isOver(result) || leftMs <= 0) return result;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
