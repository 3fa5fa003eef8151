import { isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ArchiveActivities } from '../../activities/archive/archive.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { describeArchiveFailure } from '../../core/workflows/failures.ts';
import { formatDetails } from '../../core/workflows/format.ts';

export type ArchiveJobEnd = 'completed' | 'failed';

const { failArchive } = proxyActivities<ArchiveActivities>({
  ...databaseActivity,
  summary: 'Store why the job failed',
});

/**
 * Runs the steps of an archive's export or import. If a step fails, marks the job as failed with the reason.
 */
export async function runArchiveJob(
  { orgId, jobId, patienceSeconds }: ArchiveJobInput,
  steps: () => Promise<string[]>,
): Promise<ArchiveJobEnd> {
  try {
    setCurrentDetails(formatDetails('Completed', await steps()));
    return 'completed';
  } catch (error) {
    if (isCancellation(error)) throw error;
    const { reason, isArchiveFault } = describeArchiveFailure(error, patienceSeconds);
    await failArchive({ orgId, jobId, reason });
    // Do not show operators the reason for a refused archive, since the reason may quote content of the
    // archive.
    setCurrentDetails(formatDetails('Failed', [isArchiveFault ? 'The archive was refused.' : reason]));
    return 'failed';
  }
}
