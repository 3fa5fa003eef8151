import type { DocumentSource } from '../../../adapters/extraction/extract.ts';
import type {
  PageRecognition,
  PageToRecognize,
  RecognizedPage,
} from '../../../adapters/extraction/page-recognition.ts';
import { TOO_MUCH_MEMORY, type UnreadableReason } from '../../../adapters/extraction/unreadable-document.ts';
import type { Chunk } from './chunker.ts';

/** Properties of a document that is being read, which are known before its first chunk. */
export interface ReadDocument {
  title: string | null;
  mimeType: string;
  /** Language of the document as an ISO 639-1 code; null if it was not detected. */
  language: string | null;
  /** Name of the PostgreSQL text search configuration for the document's chunks, such as `german`. */
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
  /** Title to use for the document instead of the title in its file. */
  title: string | null;
  batchSize: number;
  /**
   * Whether the thread recognizes text on scanned pages. The value `ask` makes it send each scanned page and
   * wait for its text.
   */
  recognition: Exclude<PageRecognition, (page: PageToRecognize) => unknown> | 'ask';
}

/**
 * Message to the worker thread that reads documents: a document to start reading, `next` for its next step,
 * or the text of the page that the thread sent.
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
 * The worker thread's reply to a message: a step of reading, `done` after the last step, the reason of a
 * failure, or a page whose text must be recognized.
 */
export type ThreadReply =
  | ReadingStep
  | { kind: 'done' }
  | { kind: 'unreadable'; reason: UnreadableReason; message: string }
  | { kind: 'page'; page: PageToRecognize };

/** Reply of the worker thread for a document that exceeds the memory limit. */
export const OUT_OF_MEMORY = {
  kind: 'unreadable',
  reason: 'out_of_memory',
  message: TOO_MUCH_MEMORY,
} as const satisfies ThreadReply;
