import type { DocumentSource } from '../../../adapters/extraction/extract.ts';
import type { UnreadableReason } from '../../../adapters/extraction/unreadable-document.ts';
import type { Chunk } from './chunker.ts';

/** Data of a document that is known before its first chunk. */
export interface ReadDocument {
  title: string | null;
  mimeType: string;
  /** ISO 639-1 code; null if the language was not detected. */
  language: string | null;
  /** PostgreSQL text search configuration of all chunks. */
  searchConfig: string;
  /** Message for the owner about parts that could not be read. */
  notice?: string;
}

export interface SearchableChunk extends Chunk {
  /** Input of `to_tsvector(searchConfig, …)`. */
  searchText: string;
}

export interface ThreadRequest {
  source: DocumentSource;
  /** Replaces the document's own title. */
  title: string | null;
  batchSize: number;
}

/** A document to begin with, or a request for the next step. */
export type ThreadMessage = ThreadRequest | 'next';

/**
 * Steps of reading: `opened` once the reader is loaded, which does not count toward the time limit; then the document
 * and its chunks.
 */
export type ReadingStep =
  | { kind: 'opened' }
  | { kind: 'document'; document: ReadDocument }
  | { kind: 'chunks'; chunks: SearchableChunk[] };

/** Reply to each message: a step, or `done` at the end. */
export type ThreadReply =
  ReadingStep | { kind: 'done' } | { kind: 'unreadable'; reason: UnreadableReason; message: string };
