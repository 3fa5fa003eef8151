import type { DocumentSource } from '../../../adapters/extraction/extract.ts';
import type { UnreadableReason } from '../../../adapters/extraction/unreadable-document.ts';
import type { Chunk } from './chunker.ts';

/** What is known of a document before its first chunk. */
export interface ReadDocument {
  title: string | null;
  mimeType: string;
  /** ISO 639-1; null where it cannot be told. */
  language: string | null;
  /** PostgreSQL text search configuration for all its chunks. */
  searchConfig: string;
  /** What could not be read of it, for its owner. */
  notice?: string;
}

export interface SearchableChunk extends Chunk {
  /** Input of `to_tsvector(searchConfig, …)`. */
  searchText: string;
}

export interface ThreadRequest {
  source: DocumentSource;
  /** Takes the place of the document's own title. */
  title: string | null;
  batchSize: number;
}

/** A document to begin with, or what is next of it. */
export type ThreadMessage = ThreadRequest | 'next';

/** The reader is loaded, which is no document's time; then the document, then batches of chunks. */
export type ReadingStep =
  | { kind: 'opened' }
  | { kind: 'document'; document: ReadDocument }
  | { kind: 'chunks'; chunks: SearchableChunk[] };

/** One reply for each message: a step, or at last `done`. */
export type ThreadReply =
  ReadingStep | { kind: 'done' } | { kind: 'unreadable'; reason: UnreadableReason; message: string };
