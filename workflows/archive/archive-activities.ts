import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { taskQueuesOf } from '../../core/workflows/task-queues.ts';

/** For the steps of an export or import. Each goes on where it was when storage, database or worker are back, and is given up after that. */
export function archiveActivities({ patienceSeconds }: ArchiveJobInput, summary: string) {
  return proxyActivities<ArchiveActivities>({
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).archives,
    scheduleToCloseTimeout: `${patienceSeconds}s`,
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary,
  });
}
