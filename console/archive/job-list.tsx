import { Progress } from '@mantine/core';
import { path, toLocalPath, withQuery } from '../client/paths.ts';
import type { ArchiveJob, DocumentDownload } from '../client/types.ts';
import { ActionButton } from '../components/dialogs/action-button.tsx';
import { DataTable, type DataColumn } from '../components/lists/data-table.tsx';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { followLink } from '../components/save-file.ts';
import { Status, type Tone } from '../components/lists/status.tsx';
import { formatSize } from '../knowledge/format-size.ts';
import { useSession } from '../session/session.tsx';
import { IconDownload } from '../shell/icons.ts';
import { JobErrors } from './job-errors.tsx';
import { isUnfinishedJob } from './use-archive-jobs.ts';
import { useWorkflowLink } from '../session/use-workflow-link.tsx';

const statuses: Record<ArchiveJob['status'], readonly [Tone, string]> = {
  pending: ['busy', 'Queued'],
  running: ['busy', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
};

export function JobList({ jobs }: { jobs: readonly ArchiveJob[] }) {
  return jobs.length === 0 ? (
    <EmptyState icon={<IconDownload size={32} />} title="No exports or imports yet">
      Exports and imports are listed here while they run and for 30 days afterward.
    </EmptyState>
  ) : (
    <DataTable label="Exports and imports" rows={jobs} columns={columns} />
  );
}

const columns: DataColumn<ArchiveJob>[] = [
  {
    name: 'Type',
    render: (job) => <JobName job={job} />,
  },
  { name: 'Started', render: ({ created_at: at }) => <RelativeTime at={at} /> },
  { name: 'Status', render: (job) => <JobStatus job={job} /> },
  {
    name: 'Result',
    render: (job) => (
      <div className="job-result">
        {job.error_message === null ? describeJobOutcome(job) : <span dir="auto">{job.error_message}</span>}
        {job.errors_total > 0 && <JobErrors job={job} />}
      </div>
    ),
  },
  { name: 'Files', render: (job) => <Downloads job={job} /> },
];

function nameJob({ kind }: ArchiveJob): string {
  return kind === 'export' ? 'Export' : 'Import';
}

function JobName({ job }: { job: ArchiveJob }) {
  const workflow = useWorkflowLink('archive_job', job.id);
  return (
    <>
      <strong>{nameJob(job)}</strong>
      {job.parts > 0 && <span className="cell-note">{formatSize(job.size_bytes)}</span>}
      {workflow !== null && <span className="cell-note">{workflow}</span>}
    </>
  );
}

function JobStatus({ job }: { job: ArchiveJob }) {
  const [tone, name] = statuses[job.status];
  return (
    <>
      <Status tone={tone}>{name}</Status>
      {isUnfinishedJob(job) && (
        <Progress.Root mt={4} w={120}>
          <Progress.Section value={job.progress * 100} aria-label={`Progress of the ${job.kind}`} />
        </Progress.Root>
      )}
    </>
  );
}

function describeJobOutcome({ kind, counts }: ArchiveJob): string {
  const { bots, contacts, conversations, messages, skipped, failed } = counts;
  const processed = [
    formatCount(conversations, 'conversation'),
    formatCount(messages, 'message'),
    formatCount(contacts, 'contact'),
    ...(bots > 0 ? [formatCount(bots, 'bot')] : []),
  ].join(', ');
  const rest = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} ${kind === 'export' ? 'omitted' : 'rejected'}`] : []),
  ];
  return [processed, ...rest].join('; ');
}

/** Links that download the files of an export of conversations. */
function Downloads({ job }: { job: ArchiveJob }) {
  const { client } = useSession();
  const { id, parts, expires_at: expiresAt } = job;
  if (parts === 0 || expiresAt === null) return '–';
  if (new Date(expiresAt) <= new Date()) return 'Expired';
  const downloadPart = async (part: number): Promise<void> => {
    const url = withQuery(path`/api/archive/jobs/${id}/download`, { part });
    const { url: link, filename } = await client.get<DocumentDownload>(url);
    followLink(toLocalPath(link, '/api/files/') ?? link, filename);
  };
  return (
    <>
      <span className="job-parts">
        {Array.from({ length: parts }, (_, index) => (
          <ActionButton
            key={index}
            size="xs"
            about={`part ${index + 1} of ${parts}`}
            onAction={() => downloadPart(index + 1)}
          >
            {parts === 1 ? 'Download' : `Part ${index + 1}`}
          </ActionButton>
        ))}
      </span>
      <span className="cell-note">
        until <RelativeTime at={expiresAt} />
      </span>
    </>
  );
}
