import { isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { describeArchiveFailure } from '../../core/workflows/failures.ts';
import { formatDetails } from '../../core/workflows/format.ts';

export type ArchiveJobEnd = 'completed' | 'failed';

const { failArchive } = proxyActivities<ArchiveActivities>({
  ...databaseActivity,
  summary: 'Write down why it has failed',
});

/** Runs the steps of a job. If one fails, the job fails with its reason. */
export async function runArchiveJob(
  { orgId, jobId, patienceSeconds }: ArchiveJobInput,
  steps: () => Promise<string[]>,
): Promise<ArchiveJobEnd> {
  try {
    setCurrentDetails(formatDetails('Completed', await steps()));
    return 'completed';
  } catch (error) {
    if (isCancellation(error)) throw error;
    const { reason, isOfArchive } = describeArchiveFailure(error, patienceSeconds);
    await failArchive({ orgId, jobId, reason });
    // The description of an invalid record may quote the archive's content.
    setCurrentDetails(formatDetails('Failed', [isOfArchive ? 'The archive was refused.' : reason]));
    return 'failed';
  }
}
