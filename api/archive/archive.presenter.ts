import type { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import { calculateProgress } from '../../services/archive/job-progress.ts';
import type { ArchiveJobRead } from './archive.schemas.ts';

export function presentJob(job: ArchiveJob): ArchiveJobRead {
  const { selection } = job;
  return {
    id: job.id,
    kind: job.kind,
    status: job.status,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    expires_at: job.expiresAt?.toISOString() ?? null,
    request: selection && {
      bot_ids: selection.botIds,
      from: selection.from,
      to: selection.to,
      include_contacts: selection.includesContacts,
    },
    progress: calculateProgress(job),
    counts: job.counts,
    parts: job.parts,
    size_bytes: job.sizeBytes,
    error_message: job.errorMessage,
    errors: job.errors,
    errors_total: job.errorsTotal,
  };
}
