import type { KnowledgeDocument } from '../client/types.ts';
import type { Tone } from '../components/lists/status.tsx';

/** Color tone and name of each status of a document. */
export const documentWords: Record<KnowledgeDocument['status'], readonly [Tone, string]> = {
  pending: ['busy', 'Queued'],
  processing: ['busy', 'Indexing'],
  indexed: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
};

/** Names of the types of sources from which documents come. */
export const sourceNames: Record<KnowledgeDocument['source_type'], string> = {
  file: 'File',
  raw_text: 'Text',
  url: 'Web page',
  sitemap: 'Website',
};
