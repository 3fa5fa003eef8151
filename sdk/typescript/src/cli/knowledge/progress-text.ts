import type { DocumentStatusRead } from '../../generated/models.ts';
import { formatCount } from '../command.ts';

const stages: Readonly<Record<string, string>> = {
  pending: 'queued',
  processing: 'reading and indexing',
  indexed: 'indexed',
  failed: 'failed',
};

/** Describes the progress of indexing a document in one line, for websites with counts of pages. */
export function formatProgress({
  status,
  chunk_count: passages,
  progress,
}: Pick<DocumentStatusRead, 'status' | 'chunk_count' | 'progress'>): string {
  const parts = [stages[status] ?? status];
  if (progress) {
    const { found, indexed, failed, skipped } = progress;
    parts.push(`${indexed} of ${formatCount(found, 'page')}`);
    if (failed > 0) parts.push(`${failed} failed`);
    if (skipped > 0) parts.push(`${skipped} left out`);
  }
  if (passages > 0) parts.push(formatCount(passages, 'passage'));
  return parts.join(', ');
}
