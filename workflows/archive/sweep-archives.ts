import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

/**
 * Removes the files of expired exports, uploads that were never imported, and old export and import jobs that
 * are no longer listed. Restarts jobs whose workflow was lost.
 */
export async function sweepArchives(): Promise<number> {
  const { removeExpiredArchives } = proxyActivities<ArchiveActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).archives,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 5 },
    summary: 'Remove expired files and jobs',
  });
  const { files, jobs, uploads, unfinished } = await removeExpiredArchives();
  setCurrentDetails(
    formatDetails('Archives', [
      `files of ${pluralize(files, 'job')} removed`,
      `${pluralize(jobs, 'job')} removed`,
      `${pluralize(uploads, 'upload')} without a job removed`,
      `${pluralize(unfinished, 'unfinished job')} checked`,
    ]),
  );
  return files;
}
