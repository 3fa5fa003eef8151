import { sleep } from '@temporalio/workflow';
import { backoffMs } from '../../core/concurrency/backoff.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';

/**
 * Pauses before an activity that found no free slot in a worker runs again. Time in the activity's queue is
 * part of the pause. After a long wait there, the activity therefore returns to the queue at once.
 */
const PAUSES = { firstMs: 1000, maxMs: 15_000, jitter: 0.5 };

/**
 * Runs an activity once the workspace's payer gets a slot. Until then, Temporal runs the activity repeatedly.
 * These runs do not count as failed attempts, and all of them have the ticket of the first attempt.
 * @param beforePause callback before each pause
 */
export async function runInTurn<T>(
  run: (ticket: QueueTicket) => Promise<T | 'out_of_turn'>,
  beforePause?: () => Promise<void>,
): Promise<T> {
  const ticket = { waitingSince: Date.now() };
  for (let times = 0; ; times += 1) {
    const startedAt = Date.now();
    const result = await run(ticket);
    if (result !== 'out_of_turn') return result;
    await beforePause?.();
    const waitedMs = Date.now() - startedAt;
    await sleep(Math.max(1, backoffMs(times, PAUSES) - waitedMs));
  }
}
