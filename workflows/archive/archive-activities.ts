import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

/**
 * Returns the activities of an archive's export or import, with their options. A failed activity is retried
 * for up to `patienceSeconds`, for example while storage or the database is unavailable.
 */
export function archiveActivities({ patienceSeconds }: ArchiveJobInput, summary: string) {
  return proxyActivities<ArchiveActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).archives,
    scheduleToCloseTimeout: `${patienceSeconds}s`,
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary,
  });
}
