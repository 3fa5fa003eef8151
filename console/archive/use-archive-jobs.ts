import type { ArchiveJob } from '../client/types.ts';
import { useInterval } from '../state/use-interval.ts';
import { useLoad, type Loaded } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';

const POLL_EVERY_MS = 1500;

/** Loads all exports and imports, newest first. Polls while one of them is running. */
export function useArchiveJobs(): Loaded<ArchiveJob[]> & { add(job: ArchiveJob): void } {
  const { client } = useSession();
  const loaded = useLoad((signal) => client.get<ArchiveJob[]>('/api/archive/jobs', signal), [client]);
  const { data, change, reload } = loaded;
  useInterval(reload, data?.some(isUnfinishedJob) ? POLL_EVERY_MS : null);
  return {
    ...loaded,
    add: (job) => change((jobs) => [job, ...jobs.filter(({ id }) => id !== job.id)]),
  };
}

export function isUnfinishedJob({ status }: Pick<ArchiveJob, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
