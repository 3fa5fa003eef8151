import type { Document } from '../../entities/knowledge/document.entity.ts';

/** Whether its indexing has neither ended nor failed. */
export function isBeingIndexed({ status }: Pick<Document, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

/** What has a document indexed anew; its chunks stay until that succeeds. */
export function nextRevision({ revision }: Pick<Document, 'revision'>) {
  return { revision: revision + 1, status: 'pending', errorMessage: null } satisfies Partial<Document>;
}
