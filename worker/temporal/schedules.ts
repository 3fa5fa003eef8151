import { setTimeout as sleep } from 'node:timers/promises';
import { ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Logger } from '../../core/logger.ts';
import { retryUntilSuccess } from '../../core/concurrency/retry-until-success.ts';
import { scheduledWorkflows } from '../../core/workflows/catalogue.ts';
import { keepSchedule } from './keep-schedule.ts';

/**
 * For each schedule. The client does not stop trying before, so that the log says only then what is wrong; a Temporal that is
 * busy needs some seconds, and all of them would be set up again from the first one.
 */
const TIMEOUT_MS = 10_000;
const RENEWAL_MS = 60 * 60_000;

export interface KeepSchedulesOptions {
  client: Client;
  taskQueue: string;
  log: Logger;
  signal: AbortSignal;
  /** Has those made again that are of single documents; returns of how many bots. */
  restoreRefreshes: () => Promise<number>;
}

/**
 * Sets the schedules up once Temporal can be reached, and each hour again, should it have lost them.
 * Resolves when the signal is aborted.
 */
export async function keepSchedules({
  client,
  taskQueue,
  log,
  signal,
  restoreRefreshes,
}: KeepSchedulesOptions): Promise<void> {
  const ensure = async () => {
    await ensureSchedules(client, taskQueue, signal);
    const bots = await restoreRefreshes();
    if (bots > 0) log.info({ bots }, 'bots have their schedules for refreshes made again');
  };
  try {
    for (;;) {
      await retryUntilSuccess('Setting up the schedules', ensure, { log, signal });
      await sleep(RENEWAL_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Creates the schedules, or brings them to how they are now; one that an operator has paused stays so. */
export async function ensureSchedules(
  client: Client,
  taskQueue: string,
  signal = new AbortController().signal,
): Promise<void> {
  for (const schedule of schedulesOf(taskQueue))
    await withOwnSignal(signal, (own) =>
      client.withAbortSignal(own, () =>
        client.withDeadline(Date.now() + TIMEOUT_MS, () =>
          keepSchedule(client, schedule, (present) => present),
        ),
      ),
    );
}

/** The client leaves a listener for each call on the signal that it gets, which must not be one that lives on. */
async function withOwnSignal(signal: AbortSignal, work: (own: AbortSignal) => Promise<void>): Promise<void> {
  signal.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await work(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function schedulesOf(taskQueue: string): ScheduleOptions[] {
  return scheduledWorkflows().map(({ workflow, id, every, summary }) => ({
    scheduleId: `${taskQueue}/${id}`,
    spec: { intervals: [{ every }], jitter: '30s' },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: `${taskQueue}/${id}`,
      taskQueue,
      // A schedule that hangs must not block the next ones.
      workflowExecutionTimeout: '1h',
      staticSummary: summary,
    },
  }));
}
