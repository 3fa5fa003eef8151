import {
  MAX_ARCHIVE_ERRORS,
  unfinishedJobStatuses,
  type ArchiveCounts,
  type ArchiveJob,
  type ArchiveJobError,
  type ExportPosition,
} from '../../entities/archive/archive-job.entity.ts';

/** Progress of an export, from 0 to 1, once all files are written and only need to be joined into parts. */
const JOINING_PROGRESS = 0.9;

export function isUnfinished({ status }: Pick<ArchiveJob, 'status'>): boolean {
  return unfinishedJobStatuses.some((each) => each === status);
}

/** Adds further counts and errors to the results of an export or import. */
export function addJobResults(
  { counts, errors, errorsTotal }: Pick<ArchiveJob, 'counts' | 'errors' | 'errorsTotal'>,
  more: Partial<ArchiveCounts>,
  moreErrors: readonly ArchiveJobError[],
): Pick<ArchiveJob, 'counts' | 'errors' | 'errorsTotal'> {
  const sums = Object.entries(more).map(([name, count]) => [
    name,
    counts[name as keyof ArchiveCounts] + count,
  ]);
  return {
    counts: { ...counts, ...(Object.fromEntries(sums) as Partial<ArchiveCounts>) },
    errors: [...errors, ...moreErrors].slice(0, MAX_ARCHIVE_ERRORS),
    errorsTotal: errorsTotal + moreErrors.length,
  };
}

/** Returns the progress of an export or import, from 0 to 1. */
export function calculateProgress(
  job: Pick<ArchiveJob, 'kind' | 'status' | 'counts' | 'expected' | 'position'>,
): number {
  const { kind, status, counts, expected, position } = job;
  if (status === 'completed') return 1;
  const processed = counts.conversations + counts.failed + (kind === 'import' ? counts.skipped : 0);
  const share = expected === 0 ? 0 : Math.min(1, processed / expected);
  if (kind === 'import') return roundShare(share);
  const isJoiningParts = (position as ExportPosition | null)?.phase === 'joining';
  return isJoiningParts ? JOINING_PROGRESS : roundShare(share * JOINING_PROGRESS);
}

function roundShare(share: number): number {
  return Math.floor(share * 1000) / 1000;
}
