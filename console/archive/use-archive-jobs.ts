import type { ArchiveJob } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';
import type { Loaded } from '../state/use-loaded.ts';

const POLL_EVERY_MS = 1500;

/** Loads all exports and imports of conversations, newest first. Polls while any of them is running. */
export function useArchiveJobs(): Loaded<ArchiveJob[]> & { add(job: ArchiveJob): void } {
  const jobs = useApi<ArchiveJob[]>('/api/archive/jobs', {
    reloadsOnVisit: true,
    everyMs: (all) => all?.some(isUnfinishedJob) === true && POLL_EVERY_MS,
  });
  return {
    ...jobs,
    add: (job) => jobs.set([job, ...(jobs.data ?? []).filter(({ id }) => id !== job.id)]),
  };
}

export function isUnfinishedJob({ status }: Pick<ArchiveJob, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
