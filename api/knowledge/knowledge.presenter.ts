import type { Document } from '../../entities/knowledge/document.entity.ts';
import type { DocumentProgress } from '../../repositories/knowledge/document.repository.ts';
import type { DownloadLink } from '../../services/knowledge/document-downloads.service.ts';
import { titleOf } from '../../services/knowledge/document-title.ts';
import type { DocumentDownload, DocumentRead, DocumentStatusRead } from './knowledge.schemas.ts';

export function presentDocument(document: Document): DocumentRead {
  return {
    id: document.id,
    source_type: document.sourceType,
    title: titleOf(document),
    status: document.status,
    chunk_count: document.chunkCount,
    token_count: document.tokenCount,
    embedding_model: document.embeddingModel,
    error_message: document.errorMessage,
    mime_type: document.mimeType,
    size_bytes: document.sizeBytes,
    source_url: document.sourceUrl,
    ...(document.parentId !== null && { parent_id: document.parentId }),
    ...(document.crawl && { crawl: document.crawl }),
    tags: document.tags,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

export function presentProgress(progress: DocumentProgress): DocumentStatusRead {
  return {
    id: progress.id,
    status: progress.status,
    chunk_count: progress.chunkCount,
    error_message: progress.errorMessage,
  };
}

export function presentLink({ url, expiresInSeconds, filename, mimeType }: DownloadLink): DocumentDownload {
  return { url, expires_in: expiresInSeconds, filename, mime_type: mimeType };
}
