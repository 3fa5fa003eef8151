import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import { counted, formatDetails } from '../../core/workflows/format.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

/**
 * Removes files of expired exports, uploads without a job, and jobs that no list shows any more. Restarts lost jobs.
 */
export async function sweepArchives(): Promise<number> {
  const { removeExpiredArchives } = proxyActivities<ArchiveActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).archives,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 5 },
    summary: 'Remove files whose time is over',
  });
  const { files, jobs, uploads, unfinished } = await removeExpiredArchives();
  setCurrentDetails(
    formatDetails('Archives', [
      `files of ${counted(files, 'job')} removed`,
      `${counted(jobs, 'job')} forgotten`,
      `${counted(uploads, 'upload')} without a job removed`,
      `${counted(unfinished, 'unfinished job')} looked after`,
    ]),
  );
  return files;
}
