import { sleep } from '@temporalio/workflow';
import { backoffMs } from '../../core/concurrency/backoff.ts';

/** Pauses before an activity that found no free slot runs again. */
const PAUSES = { firstMs: 1000, maxMs: 15_000, jitter: 0.5 };

/**
 * Runs an activity once the workspace's payer gets a slot. While the payer uses its whole share of slots,
 * other payers go first, and this activity runs again after pauses. These runs do not count as failed
 * attempts.
 * @param beforePause called before each pause
 */
export async function runInTurn<T>(
  run: () => Promise<T | 'out_of_turn'>,
  beforePause?: () => Promise<void>,
): Promise<T> {
  for (let times = 0; ; times += 1) {
    const result = await run();
    if (result !== 'out_of_turn') return result;
    await beforePause?.();
    await sleep(backoffMs(times, PAUSES));
  }
}
