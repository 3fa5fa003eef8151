import { setCurrentDetails } from '@temporalio/workflow';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';
import { runInTurn } from '../shared/run-in-turn.ts';
import { archiveActivities } from './archive-activities.ts';
import { runArchiveJob, type ArchiveJobEnd } from './run-archive-job.ts';

/**
 * Exports the records of a workspace: writes them into many files, then joins the files to the parts that
 * users download.
 */
export async function exportArchive(input: ArchiveJobInput): Promise<ArchiveJobEnd> {
  const { writeArchiveFiles } = archiveActivities(input, 'Read conversations, and store them in files');
  const { joinArchive } = archiveActivities(input, 'Join the files into parts');
  const target = { orgId: input.orgId, jobId: input.jobId };
  return runArchiveJob(input, async () => {
    setCurrentDetails('Storing conversations in files.');
    const { conversations, failed } = await runInTurn((ticket) =>
      writeArchiveFiles({ ...target, ...ticket }),
    );
    setCurrentDetails(`${pluralize(conversations, 'conversation')} stored. Joining the files into parts.`);
    const parts = await runInTurn((ticket) => joinArchive({ ...target, ...ticket }));
    return [pluralize(conversations, 'conversation'), `${failed} omitted`, pluralize(parts, 'part')];
  });
}
