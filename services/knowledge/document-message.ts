import type { Document } from '../../entities/knowledge/document.entity.ts';

/**
 * Returns the message about a document that the bot's owner sees: the last problem, or the notice of an
 * indexed document.
 */
export function selectMessage({
  status,
  errorMessage,
  notice,
}: Pick<Document, 'status' | 'errorMessage' | 'notice'>): string | null {
  return errorMessage ?? (status === 'indexed' ? notice : null);
}
