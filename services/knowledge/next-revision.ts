import type { Document } from '../../entities/knowledge/document.entity.ts';

/** Returns true while the document waits for indexing or is being indexed. */
export function isBeingIndexed({ status }: Pick<Document, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

/** Returns the changes that start another indexing. The existing chunks stay until it succeeds. */
export function toNextRevision({ revision }: Pick<Document, 'revision'>) {
  return { revision: revision + 1, status: 'pending', errorMessage: null } satisfies Partial<Document>;
}
