import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Does `work` again until it succeeds, with growing pauses, for as long as the process runs.
 * @throws the signal's reason
 */
export async function untilDone<T>(
  what: string,
  work: () => Promise<T>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, pauseMs }, `${what} failed; trying again`);
    }
    await sleep(pauseMs, undefined, { signal });
  }
}
