import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import { counted, detailsOf } from '../shared/format.ts';
import { taskQueuesOf } from '../shared/task-queues.ts';

/** Removes the files of exports whose time is over, and jobs that no list shows any more. */
export async function sweepArchives(): Promise<number> {
  const { removeExpiredArchives } = proxyActivities<ArchiveActivities>({
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).archives,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 5 },
    summary: 'Remove files whose time is over',
  });
  const { files, jobs } = await removeExpiredArchives();
  setCurrentDetails(
    detailsOf('Archives', [`files of ${counted(files, 'job')} removed`, `${counted(jobs, 'job')} forgotten`]),
  );
  return files;
}
