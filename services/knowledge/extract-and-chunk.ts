import type { DocumentSource } from '../../adapters/extraction/extract.ts';
import type { ReadDocument, SearchableChunk } from './extraction-protocol.ts';
import { giveBack, takeThread, type ExtractionThread } from './extraction-threads.ts';

export interface ExtractionOptions {
  /** Takes the place of the document's own title above its chunks. */
  title?: string | null;
  batchSize?: number;
  /** How long the thread may work; the time that `onChunks` takes does not count. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface ExtractionSummary extends ReadDocument {
  chunkCount: number;
  tokenCount: number;
}

type ChunkHandler = (chunks: SearchableChunk[], document: ReadDocument) => Promise<void> | void;

/**
 * Reads a document and cuts it into chunks in a thread, with bounded time and memory, so that the process stays
 * responsive. `onChunks` gets the batches in order, each after the one before was handled.
 * @throws UnreadableDocument, or the signal's reason
 */
export async function extractAndChunk(
  source: DocumentSource,
  onChunks: ChunkHandler,
  options: ExtractionOptions,
): Promise<ExtractionSummary> {
  const { title = null, batchSize = 100, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const thread = takeThread();
  try {
    thread.begin({ source, title, batchSize }, timeoutMs, signal);
    const summary = await readAll(thread, onChunks);
    await giveBack(thread);
    return summary;
  } catch (error) {
    await thread.stop();
    throw error;
  }
}

async function readAll(thread: ExtractionThread, onChunks: ChunkHandler): Promise<ExtractionSummary> {
  const first = await thread.next();
  if (first.kind !== 'document') throw new Error(`The extraction thread began with "${first.kind}".`);
  const summary = { ...first.document, chunkCount: 0, tokenCount: 0 };
  for (let reply = await thread.next(); reply.kind === 'chunks'; reply = await thread.next()) {
    await onChunks(reply.chunks, first.document);
    summary.chunkCount += reply.chunks.length;
    for (const chunk of reply.chunks) summary.tokenCount += chunk.tokenCount;
  }
  return summary;
}
