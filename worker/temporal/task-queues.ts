import type { WorkerOptions } from '@temporalio/worker';
import { ARCHIVES_AT_ONCE } from '../../activities/archive/archive.activities.ts';
import { CALENDAR_CALLS_AT_ONCE } from '../../activities/bookings/calendar-turns.ts';
import { indexingAtOnce, WORKFLOW_TASKS_AT_ONCE } from '../../activities/knowledge/ingestion.activities.ts';
import { MESSAGES_AT_ONCE } from '../../services/alerts/messages/message-places.ts';
import { RETRIES_AT_ONCE } from '../../activities/webhooks/webhook.activities.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { taskQueuesOf } from '../../core/workflows/task-queues.ts';

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
 * Each poll costs both sides a few milliseconds a minute, whether anything comes or not. Two fetch hundreds of tasks a second.
 * The SDK's `maxConcurrent…Polls` are read by nobody, and its autoscaling looks ten times a second at each queue.
 */
const polls = (maximum: number) => ({ type: 'simple-maximum', maximum }) as const;

/**
 * One Temporal worker for each queue, so that slow work never keeps quick work waiting. The slots suit a process of
 * two cores: reading documents costs CPU and memory, fetching them memory.
 */
export function queueOptions(
  settings: Pick<Settings, 'temporalTaskQueue' | 'readingPlaces'>,
): QueueOptions[] {
  const { core, fetch, ingest, webhooks, models, mail, calendar, billing, messages, archives } = taskQueuesOf(
    settings.temporalTaskQueue,
  );
  return [
    {
      taskQueue: core,
      runsWorkflows: true,
      // One thread runs them: what is fetched waits there in the order in which it came, what is not in turns of workspaces.
      maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
      maxCachedWorkflows: 500,
      maxConcurrentActivityTaskExecutions: 50,
      // One for the queue, the others for workflows that this worker remembers.
      workflowTaskPollerBehavior: polls(5),
      activityTaskPollerBehavior: polls(3),
    },
    { taskQueue: fetch, ...onlyActivities(6) },
    { taskQueue: ingest, ...onlyActivities(indexingAtOnce(settings)) },
    { taskQueue: webhooks, ...onlyActivities(RETRIES_AT_ONCE) },
    { taskQueue: models, ...onlyActivities(20) },
    { taskQueue: mail, ...onlyActivities(10) },
    { taskQueue: calendar, ...onlyActivities(CALENDAR_CALLS_AT_ONCE) },
    { taskQueue: billing, ...onlyActivities(10) },
    { taskQueue: messages, ...onlyActivities(MESSAGES_AT_ONCE) },
    { taskQueue: archives, ...onlyActivities(ARCHIVES_AT_ONCE) },
  ];
}

function onlyActivities(atOnce: number): Omit<QueueOptions, 'taskQueue'> {
  return {
    runsWorkflows: false,
    maxConcurrentActivityTaskExecutions: atOnce,
    activityTaskPollerBehavior: polls(2),
  };
}
