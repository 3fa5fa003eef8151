import { setTimeout as sleep } from 'node:timers/promises';
import { ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Logger } from '../../core/logger.ts';
import { retryUntilSuccess } from '../../core/concurrency/retry-until-success.ts';
import { scheduledWorkflows } from '../../core/workflows/catalogue.ts';
import { upsertSchedule } from './keep-schedule.ts';

/**
 * Limit of one schedule. The client retries until then, so the log gets the reason only afterwards. A busy Temporal
 * needs some seconds, and a timeout restarts from the first schedule.
 */
const TIMEOUT_MS = 10_000;
const RENEWAL_MS = 60 * 60_000;

export interface MaintainSchedulesOptions {
  client: Client;
  taskQueue: string;
  log: Logger;
  signal: AbortSignal;
  /** Restores the schedules of single documents; returns the number of bots concerned. */
  restoreRefreshes: () => Promise<number>;
}

/**
 * Creates the schedules once Temporal is available, and again each hour in case Temporal lost them. Resolves when the
 * signal is aborted.
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

/** Creates or updates the schedules. One that an operator has paused stays paused. */
export async function ensureSchedules(
  client: Client,
  taskQueue: string,
  signal = new AbortController().signal,
): Promise<void> {
  for (const schedule of buildSchedules(taskQueue))
    await withOwnSignal(signal, (own) =>
      client.withAbortSignal(own, () =>
        client.withDeadline(Date.now() + TIMEOUT_MS, () =>
          upsertSchedule(client, schedule, (present) => present),
        ),
      ),
    );
}

/** Runs work with a short-lived signal: the client leaves a listener on its signal for each call. */
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

function buildSchedules(taskQueue: string): ScheduleOptions[] {
  return scheduledWorkflows().map(({ workflow, id, every, summary }) => ({
    scheduleId: `${taskQueue}/${id}`,
    spec: { intervals: [{ every }], jitter: '30s' },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: `${taskQueue}/${id}`,
      taskQueue,
      // A hanging run must not block the next ones.
      workflowExecutionTimeout: '1h',
      staticSummary: summary,
    },
  }));
}
