import type { DocumentSource } from '../../../adapters/extraction/extract.ts';
import type {
  PageRecognition,
  PageToRecognize,
  RecognizedPage,
} from '../../../adapters/extraction/page-recognition.ts';
import { TOO_MUCH_MEMORY, type UnreadableReason } from '../../../adapters/extraction/unreadable-document.ts';
import type { Chunk } from './chunker.ts';

/** Properties of a document that are known before its first chunk. */
export interface ReadDocument {
  title: string | null;
  mimeType: string;
  /** ISO 639-1 code; null if the language was not detected. */
  language: string | null;
  /** Name of the PostgreSQL text search configuration for the chunks, such as `german`. */
  searchConfig: string;
  /** Message for the bot's owner about parts of the document that could not be read. */
  notice?: string;
}

export interface SearchableChunk extends Chunk {
  /** The chunk's text as passed to PostgreSQL's `to_tsvector(searchConfig, …)`. */
  searchText: string;
}

export interface ThreadRequest {
  source: DocumentSource;
  /** Title to use instead of the title in the document. */
  title: string | null;
  batchSize: number;
  /** The value `ask` makes the thread send each scanned page and wait for its text. */
  recognition: Exclude<PageRecognition, (page: PageToRecognize) => unknown> | 'ask';
}

/**
 * Message to the worker thread: a document to start reading, `next` for its next step, or the text of the page that
 * the thread sent.
 */
export type ThreadMessage = ThreadRequest | 'next' | { recognized: RecognizedPage };

/**
 * Results of reading a document, in order: `opened` once the parser is loaded, then the document's
 * properties, then its chunks. The time until `opened` does not count toward the time limit.
 */
export type ReadingStep =
  | { kind: 'opened' }
  | { kind: 'document'; document: ReadDocument }
  | { kind: 'chunks'; chunks: SearchableChunk[] };

/**
 * The worker thread's reply to a message: a step, `done` after the last step, the reason of a failure, or a
 * page to recognize.
 */
export type ThreadReply =
  | ReadingStep
  | { kind: 'done' }
  | { kind: 'unreadable'; reason: UnreadableReason; message: string }
  | { kind: 'page'; page: PageToRecognize };

/** Reply for a document that exceeds the memory limit. */
export const OUT_OF_MEMORY = {
  kind: 'unreadable',
  reason: 'out_of_memory',
  message: TOO_MUCH_MEMORY,
} as const satisfies ThreadReply;
