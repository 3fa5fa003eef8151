import { setCurrentDetails } from '@temporalio/workflow';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';
import { runInTurn } from '../shared/run-in-turn.ts';
import { archiveActivities } from './archive-activities.ts';
import { runArchiveJob, type ArchiveJobEnd } from './run-archive-job.ts';

/**
 * Imports a workspace's archive: verifies the whole archive, then imports the records that the workspace does
 * not have yet.
 */
export async function importArchive(input: ArchiveJobInput): Promise<ArchiveJobEnd> {
  const { verifyArchive } = archiveActivities(input, 'Validate the archive');
  const { commitArchive } = archiveActivities(input, 'Import missing conversations');
  const target = { orgId: input.orgId, jobId: input.jobId };
  return runArchiveJob(input, async () => {
    setCurrentDetails('Validating the archive. Nothing is imported yet.');
    const expected = await runInTurn((ticket) => verifyArchive({ ...target, ...ticket }));
    setCurrentDetails(
      `Importing missing conversations. The archive has ${pluralize(expected, 'conversation')}.`,
    );
    const { conversations, skipped, failed } = await runInTurn((ticket) =>
      commitArchive({ ...target, ...ticket }),
    );
    return [pluralize(conversations, 'conversation'), `${skipped} skipped`, `${failed} failed`];
  });
}
