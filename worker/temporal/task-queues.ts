import type { WorkerOptions } from '@temporalio/worker';
import { ARCHIVES_AT_ONCE } from '../../activities/archive/archive.activities.ts';
import { CALENDAR_CALLS_AT_ONCE } from '../../activities/bookings/calendar-concurrency.ts';
import {
  countIndexingSlots,
  WORKFLOW_TASKS_AT_ONCE,
} from '../../activities/knowledge/ingestion.activities.ts';
import { MAX_CONCURRENT_MESSAGES } from '../../services/alerts/messages/channel-concurrency.ts';
import { RETRIES_AT_ONCE } from '../../activities/webhooks/webhook.activities.ts';
import type { Settings } from '../../core/settings/settings.ts';
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
 * Polls cost both sides a few milliseconds a minute even without tasks; two fetch hundreds of tasks a second. The SDK
 * ignores its `maxConcurrent…Polls`, and its autoscaling polls each queue ten times a second.
 */
const limitPollers = (maximum: number) => ({ type: 'simple-maximum', maximum }) as const;

/**
 * Returns the options of one Temporal worker for each queue, so that slow work never delays quick work. The slots suit
 * a process with two cores: indexing documents needs CPU and memory, fetching them memory.
 */
export function listQueueOptions(
  settings: Pick<Settings, 'temporalTaskQueue' | 'readingPlaces'>,
): QueueOptions[] {
  const { core, fetch, ingest, webhooks, models, mail, calendar, billing, messages, archives } =
    nameTaskQueues(settings.temporalTaskQueue);
  return [
    {
      taskQueue: core,
      runsWorkflows: true,
      // Limits the tasks that wait for the one workflow thread in order of arrival; at the server, workspaces take
      // turns.
      maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
      maxCachedWorkflows: 500,
      maxConcurrentActivityTaskExecutions: 50,
      // The first poller serves the queue, the others the workflows that this worker caches.
      workflowTaskPollerBehavior: limitPollers(5),
      activityTaskPollerBehavior: limitPollers(3),
    },
    { taskQueue: fetch, ...buildActivityOptions(6) },
    { taskQueue: ingest, ...buildActivityOptions(countIndexingSlots(settings)) },
    { taskQueue: webhooks, ...buildActivityOptions(RETRIES_AT_ONCE) },
    { taskQueue: models, ...buildActivityOptions(20) },
    { taskQueue: mail, ...buildActivityOptions(10) },
    { taskQueue: calendar, ...buildActivityOptions(CALENDAR_CALLS_AT_ONCE) },
    { taskQueue: billing, ...buildActivityOptions(10) },
    { taskQueue: messages, ...buildActivityOptions(MAX_CONCURRENT_MESSAGES) },
    { taskQueue: archives, ...buildActivityOptions(ARCHIVES_AT_ONCE) },
  ];
}

function buildActivityOptions(atOnce: number): Omit<QueueOptions, 'taskQueue'> {
  return {
    runsWorkflows: false,
    maxConcurrentActivityTaskExecutions: atOnce,
    activityTaskPollerBehavior: limitPollers(2),
  };
}
