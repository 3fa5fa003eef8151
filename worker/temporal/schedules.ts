import { setTimeout as sleep } from 'node:timers/promises';
import { ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Logger } from '../../core/logger.ts';
import { retryUntilSuccess } from '../../core/concurrency/retry-until-success.ts';
import { listScheduledWorkflows } from '../../core/workflows/workflow-catalog.ts';
import { upsertSchedule } from './upsert-schedule.ts';

/**
 * Time limit in milliseconds for creating one Temporal schedule. The client retries until then without
 * logging the reason. A shorter limit would not suffice: a busy Temporal needs some seconds, and after a
 * timeout, the worker creates all schedules from the start.
 */
const TIMEOUT_MS = 10_000;
const RENEWAL_MS = 60 * 60_000;

export interface MaintainSchedulesOptions {
  client: Client;
  taskQueue: string;
  log: Logger;
  signal: AbortSignal;
  /** Restores the schedules that refresh documents. Returns the number of bots with such documents. */
  restoreRefreshes: () => Promise<number>;
}

/**
 * Creates Parley's schedules in Temporal once Temporal is available, and again each hour in case Temporal has
 * lost them. Resolves when the signal is aborted.
 */
export async function maintainSchedules({
  client,
  taskQueue,
  log,
  signal,
  restoreRefreshes,
}: MaintainSchedulesOptions): Promise<void> {
  const ensure = async () => {
    await ensureSchedules(client, taskQueue, signal);
    const bots = await restoreRefreshes();
    if (bots > 0) log.info({ bots }, 'recreating the refresh schedules of bots');
  };
  try {
    for (;;) {
      await retryUntilSuccess('creating the Temporal schedules', ensure, { log, signal });
      await sleep(RENEWAL_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Creates or updates all of Parley's schedules in Temporal. A schedule that an operator has paused stays
 * paused.
 */
export async function ensureSchedules(
  client: Client,
  taskQueue: string,
  signal = new AbortController().signal,
): Promise<void> {
  for (const schedule of buildSchedules(taskQueue))
    await withOwnSignal(signal, (own) =>
      client.withAbortSignal(own, () =>
        client.withDeadline(Date.now() + TIMEOUT_MS, () =>
          upsertSchedule(client, schedule, (current) => current),
        ),
      ),
    );
}

/**
 * Runs `work`, which calls Temporal, with an abort signal of its own. The Temporal client never removes the
 * listeners that it adds to a signal.
 */
async function withOwnSignal(signal: AbortSignal, work: (own: AbortSignal) => Promise<void>): Promise<void> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const abortOwn = () => controller.abort(signal.reason);
  signal.addEventListener('abort', abortOwn, { once: true });
  try {
    await work(controller.signal);
  } finally {
    signal.removeEventListener('abort', abortOwn);
  }
}

function buildSchedules(taskQueue: string): ScheduleOptions[] {
  return listScheduledWorkflows().map(({ workflow, id, every, summary }) => ({
    scheduleId: `${taskQueue}/${id}`,
    spec: { intervals: [{ every }], jitter: '30s' },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: `${taskQueue}/${id}`,
      taskQueue,
      // End a scheduled run that hangs, so that it does not block later runs.
      workflowExecutionTimeout: '1h',
      staticSummary: summary,
    },
  }));
}
