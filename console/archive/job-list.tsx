import type { ArchiveJob } from '../client/types.ts';
import { Table } from '../components/table.tsx';
import { JobRow } from './job-row.tsx';

const columns = ['Type', 'Started', 'Status', 'Result'];

export function JobList({ jobs }: { jobs: readonly ArchiveJob[] }) {
  if (jobs.length === 0) return <p className="empty">Nothing was exported or imported yet.</p>;
  return (
    <Table columns={columns} hasActions>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </Table>
  );
}
