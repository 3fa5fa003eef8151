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
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

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
 * Limits the number of concurrent polls of a queue. Each poll costs a few milliseconds a minute even without
 * tasks, and two polls can fetch hundreds of tasks a second. The SDK ignores its own `maxConcurrent…Polls`,
 * and its autoscaling polls each queue ten times a second.
 */
const limitPollers = (maximum: number) => ({ type: 'simple-maximum', maximum }) as const;

/**
 * Returns the options of the Temporal workers, one for each task queue, so that slow work never delays quick
 * work. The numbers of slots suit two cores: indexing documents needs CPU and memory, fetching them needs
 * memory.
 */
export function listQueueOptions(
  settings: Pick<Settings, 'temporalTaskQueue' | 'readingSlots'>,
): QueueOptions[] {
  const { core, fetch, ingest, webhooks, models, mail, calendar, billing, messages, archives } =
    nameTaskQueues(settings.temporalTaskQueue);
  return [
    {
      taskQueue: core,
      runsWorkflows: true,
      // Fetch few workflow tasks at once. Fetched tasks run in order of arrival; those that wait at the
      // server take turns by payer.
      maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
      maxCachedWorkflows: 500,
      maxConcurrentActivityTaskExecutions: 50,
      // The first poller reads the shared queue. The others read this worker's own queue, for workflows in its cache.
      workflowTaskPollerBehavior: limitPollers(5),
      activityTaskPollerBehavior: limitPollers(3),
    },
    { taskQueue: fetch, ...buildActivityOptions(FETCH_ACTIVITIES_AT_ONCE) },
    { taskQueue: ingest, ...buildActivityOptions(countIndexingSlots(settings)) },
    { taskQueue: webhooks, ...buildActivityOptions(RETRIES_AT_ONCE) },
    { taskQueue: models, ...buildActivityOptions(MODEL_ACTIVITIES_AT_ONCE) },
    { taskQueue: mail, ...buildActivityOptions(10) },
    { taskQueue: calendar, ...buildActivityOptions(CALENDAR_CALLS_AT_ONCE) },
    { taskQueue: billing, ...buildActivityOptions(10) },
    { taskQueue: messages, ...buildActivityOptions(MAX_CONCURRENT_MESSAGES) },
    { taskQueue: archives, ...buildActivityOptions(ARCHIVE_ACTIVITIES_AT_ONCE) },
  ];
}

function buildActivityOptions(atOnce: number): Omit<QueueOptions, 'taskQueue'> {
  return {
    runsWorkflows: false,
    maxConcurrentActivityTaskExecutions: atOnce,
    activityTaskPollerBehavior: limitPollers(2),
  };
}
