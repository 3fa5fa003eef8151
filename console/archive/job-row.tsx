import { path, toLocalPath, withQuery } from '../client/paths.ts';
import type { ArchiveJob, DocumentDownload } from '../client/types.ts';
import { formatSize } from '../knowledge/format-size.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../components/action-button.tsx';
import { Badge } from '../components/badge.tsx';
import { formatCount } from '../components/format-count.ts';
import { followLink } from '../components/save-file.ts';
import { TimeText } from '../components/time-text.tsx';
import { JobErrors } from './job-errors.tsx';
import { isUnfinishedJob } from './use-archive-jobs.ts';

export function JobRow({ job }: { job: ArchiveJob }) {
  const { kind, status, progress, created_at: createdAt, error_message: message } = job;
  const name = kind === 'export' ? 'Export' : 'Import';
  return (
    <tr data-id={job.id}>
      <td>
        {name} {job.parts > 0 && <span className="hint">{formatSize(job.size_bytes)}</span>}
      </td>
      <td>
        <TimeText at={createdAt} />
      </td>
      <td>
        <Badge state={status} />{' '}
        {isUnfinishedJob(job) && <progress aria-label={`${name}, how far it is`} value={progress} />}
      </td>
      <td className="wide">
        {message === null ? describeJobOutcome(job) : <span dir="auto">{message}</span>}
        {job.errors_total > 0 && <JobErrors job={job} />}
      </td>
      <td>
        <Downloads job={job} />
      </td>
    </tr>
  );
}

function describeJobOutcome({ kind, counts }: ArchiveJob): string {
  const { bots, contacts, conversations, messages, skipped, failed } = counts;
  const taken = [
    formatCount(conversations, 'conversation'),
    formatCount(messages, 'message'),
    formatCount(contacts, 'contact'),
    ...(bots > 0 ? [formatCount(bots, 'bot')] : []),
  ].join(', ');
  const rest = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} ${kind === 'export' ? 'left out' : 'not taken'}`] : []),
  ];
  return [taken, ...rest].join('; ');
}

/** Links that download the parts of an export. */
function Downloads({ job }: { job: ArchiveJob }) {
  const { client } = useSession();
  const { id, parts, expires_at: expiresAt } = job;
  if (parts === 0 || expiresAt === null) return null;
  if (new Date(expiresAt) <= new Date()) return <span className="hint">No longer stored</span>;
  const downloadPart = async (part: number): Promise<void> => {
    const url = withQuery(path`/api/archive/jobs/${id}/download`, { part });
    const { url: link, filename } = await client.get<DocumentDownload>(url);
    followLink(toLocalPath(link, '/api/files/') ?? link, filename);
  };
  return (
    <div className="row end">
      {Array.from({ length: parts }, (_, index) => (
        <ActionButton
          key={index}
          about={`part ${index + 1} of ${parts}`}
          onAction={() => downloadPart(index + 1)}
        >
          {parts === 1 ? 'Download' : `Part ${index + 1}`}
        </ActionButton>
      ))}
      <span className="hint">
        until <TimeText at={expiresAt} />
      </span>
    </div>
  );
}
