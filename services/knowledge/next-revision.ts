import type { Document } from '../../entities/knowledge/document.entity.ts';

/** Returns true while an indexing of the document is pending or running. */
export function isBeingIndexed({ status }: Pick<Document, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

/**
 * Returns the values of a document's columns that start another indexing. The existing chunks stay until the
 * new indexing succeeds.
 */
export function toNextRevision({ revision }: Pick<Document, 'revision'>) {
  return {
    revision: revision + 1,
    status: 'pending',
    readingAttempts: 0,
    errorMessage: null,
  } satisfies Partial<Document>;
}
