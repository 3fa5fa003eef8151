import type { DocumentProgress } from '../../repositories/knowledge/document.repository.ts';
import { selectMessage } from '../../services/knowledge/document-message.ts';
import type { SiteProgress } from '../../services/knowledge/document-service.ts';
import type { DownloadLink } from '../../services/knowledge/document-downloads.ts';
import type { DocumentDownload, DocumentStatusRead } from './knowledge.schemas.ts';

export function presentProgress(
  progress: DocumentProgress & { site: SiteProgress | null },
): DocumentStatusRead {
  return {
    id: progress.id,
    status: progress.status,
    chunk_count: progress.chunkCount,
    error_message: selectMessage(progress),
    progress: progress.site,
  };
}

export function presentLink({ url, expiresInSeconds, filename, mimeType }: DownloadLink): DocumentDownload {
  return { url, expires_in: expiresInSeconds, filename, mime_type: mimeType };
}
