import type { WorkerOptions } from '@temporalio/worker';
import { indexingAtOnce } from '../../activities/knowledge/ingestion.activities.ts';
import { RETRIES_AT_ONCE } from '../../activities/webhooks/webhook.activities.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { taskQueuesOf } from '../../workflows/shared/task-queues.ts';

interface QueueOptions extends Pick<
  WorkerOptions,
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxConcurrentActivityTaskPolls'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxCachedWorkflows'
> {
  taskQueue: string;
  runsWorkflows: boolean;
}

/** Each poll costs both sides a few milliseconds a minute, whether anything comes or not. Two fetch what takes a while to do. */
const FEW_POLLS = { maxConcurrentActivityTaskPolls: 2 };

/**
 * One Temporal worker for each queue, so that slow work never keeps quick work waiting. The slots suit a process of
 * two cores: reading documents costs CPU and memory, fetching them memory.
 */
export function queueOptions(
  settings: Pick<Settings, 'temporalTaskQueue' | 'readingPlaces'>,
): QueueOptions[] {
  const { core, fetch, ingest, webhooks, models, mail } = taskQueuesOf(settings.temporalTaskQueue);
  return [
    {
      taskQueue: core,
      runsWorkflows: true,
      maxConcurrentWorkflowTaskExecutions: 40,
      maxCachedWorkflows: 500,
      maxConcurrentActivityTaskExecutions: 50,
    },
    { taskQueue: fetch, runsWorkflows: false, maxConcurrentActivityTaskExecutions: 6, ...FEW_POLLS },
    {
      taskQueue: ingest,
      runsWorkflows: false,
      maxConcurrentActivityTaskExecutions: indexingAtOnce(settings),
    },
    { taskQueue: webhooks, runsWorkflows: false, maxConcurrentActivityTaskExecutions: RETRIES_AT_ONCE },
    { taskQueue: models, runsWorkflows: false, maxConcurrentActivityTaskExecutions: 20, ...FEW_POLLS },
    { taskQueue: mail, runsWorkflows: false, maxConcurrentActivityTaskExecutions: 10, ...FEW_POLLS },
  ];
}
