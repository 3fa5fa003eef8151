import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import { detectType, type TypeHint } from '../../../adapters/extraction/detect-type.ts';
import type { DocumentType } from '../../../adapters/extraction/document-types.ts';
import type { DocumentSource } from '../../../adapters/extraction/extract.ts';
import { explainFailure } from '../../../adapters/extraction/page-recognition.ts';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { Semaphore } from '../../../core/concurrency/semaphore.ts';
import { createDocumentRecognition, type RecognitionSource } from './document-recognition.ts';
import type { ReadDocument, ReadingStep, SearchableChunk, ThreadRequest } from './extraction-protocol.ts';
import { withOwnThread, withThread } from './extraction-pool.ts';
import {
  type ExtractionThread,
  readAlone,
  type RecognizePage,
  waitForMemory,
} from './extraction-thread-client.ts';
import { CrowdedError } from './reading-memory.ts';

export interface ExtractionOptions {
  /** Title to put above the document's chunks instead of the title that the file contains. */
  title?: string | null;
  batchSize?: number;
  /**
   * Limit of the worker thread's CPU time for the document, in milliseconds. Time spent waiting, for example
   * for `onChunks`, does not count.
   */
  timeoutMs: number;
  /** Time in milliseconds to wait for one of the busy threads before another thread is started. */
  patienceMs?: number;
  signal?: AbortSignal;
  /**
   * Id of the workspace that pays for the document's workspace. Payers take turns when little memory is left.
   */
  payerId: string;
  /**
   * Behavior while the payer's documents take much memory. With `throw`, reading ends with CrowdedError, so
   * that its caller can give other documents its slot meanwhile. Default: `wait`.
   */
  whenCrowded?: 'wait' | 'throw';
  /**
   * Recognizer of the text on scanned pages. With `defer`, a document with scanned pages fails with
   * `has_scans`. If undefined, the text of scanned pages is missing.
   */
  recognition?: RecognitionSource | 'defer' | undefined;
}

export interface ExtractionSummary extends ReadDocument {
  chunkCount: number;
  tokenCount: number;
}

interface ReadOptions extends ExtractionOptions {
  /** Whether reading the document takes little memory. */
  isLight: boolean;
}

interface ThreadOptions extends Omit<ReadOptions, 'recognition'> {
  recognition: ThreadRequest['recognition'];
  /** Function that recognizes a page's text. Required if `recognition` is `ask`. */
  recognize?: RecognizePage;
}

type ChunkHandler = (chunks: SearchableChunk[], document: ReadDocument) => Promise<void> | void;

/**
 * Maximum size in bytes of texts that are read in the calling thread, within 30 ms. Longer texts and other
 * formats are read in a worker thread.
 */
const SHORT_TEXT_BYTES = 4096;
/**
 * Maximum size in bytes of texts and web pages that count as light: reading them usually takes less than 32
 * MB of memory.
 */
const LIGHT_BYTES = 128 * 1024;
/**
 * Minimum size in bytes of documents that each process reads one at a time. Reading such a document takes
 * several times its size in memory.
 */
const LARGE_BYTES = 8 * 1024 * 1024;
const largeDocumentSemaphore = new Semaphore(1);

/**
 * Reads a document and cuts it into chunks in a worker thread, with limits of time and memory. Short texts
 * are read in the calling thread. Passes batches of chunks to `onChunks` in order and awaits each call.
 * @throws UnreadableDocument, CrowdedError if the caller must repeat the read later, or the signal's reason
 */
export async function extractAndChunk(
  source: DocumentSource,
  onChunks: ChunkHandler,
  options: ExtractionOptions,
): Promise<ExtractionSummary> {
  options.signal?.throwIfAborted();
  if (isShortText(source)) return readInline(source, onChunks, options);
  const { recognition = 'off' } = options;
  const readOptions = { ...options, isLight: isLight(source) };
  if (typeof recognition === 'object') return recognizeAndChunk(source, onChunks, readOptions, recognition);
  return chunkInThread(source, onChunks, readOptions, recognition);
}

/**
 * Reads a document with the text of its scanned pages. If drawing these pages takes too much time or memory,
 * reads the document without them. Uses no thread of the pool, since recognition takes minutes.
 */
async function recognizeAndChunk(
  source: DocumentSource,
  handler: ChunkHandler,
  options: ReadOptions,
  recognition: RecognitionSource,
): Promise<ExtractionSummary> {
  const chunks = watchChunks(handler);
  try {
    const recognize = createDocumentRecognition(recognition);
    return await readWithinMemory(chunks.handle, options, (onChunks) =>
      withOwnThread((thread) =>
        readInThread(thread, source, onChunks, { ...options, recognition: 'ask', recognize }),
      ),
    );
  } catch (error) {
    // Drawing the pages precedes the first chunk. A second reading would repeat the chunks that the caller
    // already has.
    if (
      chunks.hasAny() ||
      !isUnreadable(error) ||
      (error.reason !== 'timeout' && error.reason !== 'out_of_memory')
    )
      throw error;
    const reason = error.reason === 'timeout' ? 'drawing them took too long' : 'they need too much memory';
    return chunkInThread(source, handler, options, { obstacle: explainFailure(reason) });
  }
}

async function chunkInThread(
  source: DocumentSource,
  onChunks: ChunkHandler,
  options: ReadOptions,
  recognition: ThreadRequest['recognition'],
): Promise<ExtractionSummary> {
  return readWithinMemory(onChunks, options, (handleChunks) => {
    const work = (thread: ExtractionThread) =>
      readInThread(thread, source, handleChunks, { ...options, recognition });
    if (getSourceSize(source) < LARGE_BYTES) return withThread(work, options.patienceMs);
    return largeDocumentSemaphore.run(() => withOwnThread(work), options.signal);
  });
}

/**
 * Reads a document once other documents leave enough memory; a light document does not wait for that. If
 * several documents together take too much memory, reads each of them again alone, so that no document fails
 * because of another.
 * @throws CrowdedError if the caller must repeat the read. Either it has chunks of it, other reads went on, or it
 *   does not wait for memory.
 */
async function readWithinMemory(
  onChunks: ChunkHandler,
  { payerId, signal, whenCrowded, isLight: isLightSource }: ReadOptions,
  read: (onChunks: ChunkHandler) => Promise<ExtractionSummary>,
): Promise<ExtractionSummary> {
  const chunks = watchChunks(onChunks);
  if (!isLightSource) await waitForMemory({ payerId, signal }, whenCrowded);
  return read(chunks.handle).catch((error: unknown) => {
    // A second reading would repeat the chunks that the caller already has.
    if (chunks.hasAny() || !(error instanceof CrowdedError)) throw error;
    return readAlone({ payerId, signal }, () => read(chunks.handle));
  });
}

/** Passes a document's chunks on to a handler, and records whether the handler has received any. */
function watchChunks(handler: ChunkHandler): { handle: ChunkHandler; hasAny(): boolean } {
  let hasAny = false;
  const handle: ChunkHandler = (chunks, document) => {
    hasAny = true;
    return handler(chunks, document);
  };
  return { handle, hasAny: () => hasAny };
}

function getSourceSize(source: DocumentSource): number {
  return 'bytes' in source ? source.bytes.length : fstatSync(source.file).size;
}

/**
 * Returns true for plain text or Markdown short enough to be read in the calling thread.
 * Detecting an encoding other than UTF-8 would take too long.
 */
export function isShortText(source: DocumentSource): boolean {
  if (!('bytes' in source) || source.bytes.length > SHORT_TEXT_BYTES || !isUtf8(source.bytes)) return false;
  return isOfType(source.bytes, source, ['text', 'markdown']);
}

/**
 * Returns true for a document that takes so little memory that it need not wait until other documents release
 * memory.
 */
function isLight(source: DocumentSource): boolean {
  if (!('bytes' in source) || source.bytes.length > LIGHT_BYTES) return false;
  return isOfType(source.bytes, source, ['text', 'markdown', 'csv', 'html']);
}

function isOfType(bytes: Uint8Array, hint: TypeHint, types: readonly DocumentType[]): boolean {
  try {
    return types.includes(detectType(bytes, hint));
  } catch {
    return false; // The worker thread detects the type again and reports the reason of the failure.
  }
}

async function readInline(
  source: DocumentSource,
  onChunks: ChunkHandler,
  { title = null, batchSize = 100 }: ExtractionOptions,
): Promise<ExtractionSummary> {
  // Imports the module on demand, so that processes that never read texts do not load the tables for tokens
  // and languages.
  const { readAndChunk } = await import('./read-and-chunk.ts');
  const steps = readAndChunk({ source, title, batchSize });
  return collectSummary(async () => (await steps.next()).value, onChunks);
}

function readInThread(
  thread: ExtractionThread,
  source: DocumentSource,
  onChunks: ChunkHandler,
  {
    title = null,
    batchSize = 100,
    timeoutMs,
    payerId,
    signal,
    isLight: isLightSource,
    recognition,
    recognize,
  }: ThreadOptions,
): Promise<ExtractionSummary> {
  const bounds = { timeoutMs, payerId, signal, isLight: isLightSource };
  thread.begin({ source, title, batchSize, recognition }, bounds, recognize);
  const next = async () => {
    const reply = await thread.next();
    return reply.kind === 'done' ? undefined : reply;
  };
  return collectSummary(next, onChunks);
}

async function collectSummary(
  next: () => Promise<ReadingStep | void>,
  onChunks: ChunkHandler,
): Promise<ExtractionSummary> {
  const opened = await next();
  const first = opened?.kind === 'opened' ? await next() : opened;
  if (first?.kind !== 'document')
    throw new Error(`The extraction returned "${first?.kind}" instead of a document.`);
  const summary = { ...first.document, chunkCount: 0, tokenCount: 0 };
  for (let step = await next(); step?.kind === 'chunks'; step = await next()) {
    await onChunks(step.chunks, first.document);
    summary.chunkCount += step.chunks.length;
    for (const chunk of step.chunks) summary.tokenCount += chunk.tokenCount;
  }
  return summary;
}
