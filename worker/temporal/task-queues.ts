import type { WorkerOptions } from '@temporalio/worker';
import { ARCHIVE_ACTIVITIES_AT_ONCE } from '../../activities/archive/archive.activities.ts';
import { CALENDAR_CALLS_AT_ONCE } from '../../activities/bookings/calendar-concurrency.ts';
import {
  countIndexingSlots,
  WORKFLOW_TASKS_AT_ONCE,
} from '../../activities/knowledge/ingestion.activities.ts';
import { MAX_CONCURRENT_MESSAGES } from '../../services/alerts/messages/channel-concurrency.ts';
import { RETRIES_AT_ONCE } from '../../activities/webhooks/webhook.activities.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { FETCH_ACTIVITIES_AT_ONCE, MODEL_ACTIVITIES_AT_ONCE } from '../../activities/shared-queues.ts';
import { nameTaskQueues, type TaskQueues } from '../../core/workflows/task-queues.ts';
import { readWorkerRoles, type WorkerRole } from '../../core/settings/worker-roles.ts';

interface QueueOptions extends Pick<
  WorkerOptions,
  | 'maxConcurrentActivityTaskExecutions'
  | 'activityTaskPollerBehavior'
  | 'workflowTaskPollerBehavior'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxCachedWorkflows'
> {
  taskQueue: string;
  runsWorkflows: boolean;
}

/**
 * Worker role that serves each task queue of Temporal. All other roles are loops over queues in the database.
 */
export const QUEUE_ROLES: Readonly<Record<keyof TaskQueues, WorkerRole>> = {
  core: 'default',
  fetch: 'ingestion',
  ingest: 'ingestion',
  webhooks: 'webhooks',
  models: 'models',
  mail: 'mail',
  calendar: 'calendar',
  billing: 'billing',
  messages: 'alerts',
  archives: 'archives',
};

/**
 * Limits the number of concurrent polls of a Temporal task queue. Each poll costs a few milliseconds a minute
 * even without tasks, and two polls can fetch hundreds of tasks a second. The SDK ignores its own
 * `maxConcurrent…Polls`, and its autoscaling polls each queue ten times a second.
 */
const limitPollers = (maximum: number) => ({ type: 'simple-maximum', maximum }) as const;

/**
 * Returns the options of the Temporal workers, one for each task queue that this process serves, so that slow
 * work never delays quick work. The numbers of concurrent tasks suit two cores: indexing documents needs CPU
 * and memory, fetching them needs memory.
 */
export function listQueueOptions(
  settings: Pick<Settings, 'temporalTaskQueue' | 'readingSlots' | 'workerQueues'>,
): QueueOptions[] {
  const roles = readWorkerRoles(settings.workerQueues);
  const names = Object.entries(nameTaskQueues(settings.temporalTaskQueue)) as [keyof TaskQueues, string][];
  const options: Record<keyof TaskQueues, Omit<QueueOptions, 'taskQueue'>> = {
    core: {
      runsWorkflows: true,
      // Fetch few workflow tasks at once. Fetched tasks run in order of arrival; those that wait at the
      // Temporal server take turns by payer.
      maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
      maxCachedWorkflows: 500,
      maxConcurrentActivityTaskExecutions: 50,
      // The first poller reads the task queue that all workers share. The others read this worker's own
      // queue, for workflows in its cache.
      workflowTaskPollerBehavior: limitPollers(5),
      activityTaskPollerBehavior: limitPollers(3),
    },
    fetch: buildActivityOptions(FETCH_ACTIVITIES_AT_ONCE),
    ingest: buildActivityOptions(countIndexingSlots(settings)),
    webhooks: buildActivityOptions(RETRIES_AT_ONCE),
    models: buildActivityOptions(MODEL_ACTIVITIES_AT_ONCE),
    mail: buildActivityOptions(10),
    calendar: buildActivityOptions(CALENDAR_CALLS_AT_ONCE),
    billing: buildActivityOptions(10),
    messages: buildActivityOptions(MAX_CONCURRENT_MESSAGES),
    archives: buildActivityOptions(ARCHIVE_ACTIVITIES_AT_ONCE),
  };
  return names
    .filter(([queue]) => roles.has(QUEUE_ROLES[queue]))
    .map(([queue, taskQueue]) => ({ taskQueue, ...options[queue] }));
}

function buildActivityOptions(atOnce: number): Omit<QueueOptions, 'taskQueue'> {
  return {
    runsWorkflows: false,
    maxConcurrentActivityTaskExecutions: atOnce,
    activityTaskPollerBehavior: limitPollers(2),
  };
}
