import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { backoffMs } from './backoff.ts';

const PAUSES = { firstMs: 250, maxMs: 5000 };

/**
 * Repeats `work` with growing pauses until it succeeds.
 * @param operation name of the work for the log
 * @throws the signal's reason once the signal aborts
 */
export async function retryUntilSuccess<T>(
  operation: string,
  work: () => Promise<T>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    const pauseMs = backoffMs(failures, PAUSES);
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, pauseMs }, `${operation} failed; retrying`);
    }
    await sleep(pauseMs, undefined, { signal });
  }
}
