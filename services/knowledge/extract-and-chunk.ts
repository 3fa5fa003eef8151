import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DocumentSource } from '../../adapters/extraction/extract.ts';
import { UnreadableDocument } from '../../adapters/extraction/unreadable-document.ts';
import type { ReadDocument, SearchableChunk, ThreadReply, ThreadRequest } from './extraction-protocol.ts';

export interface ExtractionOptions {
  /** Takes the place of the document's own title above its chunks. */
  title?: string | null;
  batchSize?: number;
  /** How long the thread may work; the time that `onChunks` takes does not count. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ExtractionSummary extends ReadDocument {
  chunkCount: number;
  tokenCount: number;
}

const isSource = import.meta.url.endsWith('.ts');
const threadUrl = new URL(isSource ? './extraction-thread.ts' : './extraction-thread.js', import.meta.url);
/** tsx, which runs the sources in development, does not reach into threads by itself. */
const threadArguments = isSource
  ? [
      '--import',
      `data:text/javascript,import{register}from${JSON.stringify(import.meta.resolve('tsx/esm/api'))};register()`,
    ]
  : [];

const heapMegabytes = 256;
/** Of the whole process while a document is read: what a decompression bomb fills is outside of the heap. */
const growthBytes = 400 * 1024 * 1024;
const memoryCheckMs = 50;

/**
 * Reads a document and cuts it into chunks in a thread of its own, with bounded time and memory, so that the
 * process stays responsive. `onChunks` gets the batches in order, each after the one before was handled.
 * @throws UnreadableDocument, or the signal's reason
 */
export async function extractAndChunk(
  source: DocumentSource,
  onChunks: (chunks: SearchableChunk[], document: ReadDocument) => Promise<void> | void,
  options: ExtractionOptions = {},
): Promise<ExtractionSummary> {
  const { title = null, batchSize = 100, timeoutMs = 60_000, signal } = options;
  signal?.throwIfAborted();
  const thread = new ExtractionThread({ source, title, batchSize }, timeoutMs, signal);
  try {
    const first = await thread.next();
    if (first.kind !== 'document') throw new Error(`The extraction thread began with "${first.kind}".`);
    const summary = { ...first.document, chunkCount: 0, tokenCount: 0 };
    for (let reply = await thread.next(); reply.kind === 'chunks'; reply = await thread.next()) {
      await onChunks(reply.chunks, first.document);
      summary.chunkCount += reply.chunks.length;
      for (const chunk of reply.chunks) summary.tokenCount += chunk.tokenCount;
    }
    return summary;
  } finally {
    await thread.stop();
  }
}

class ExtractionThread {
  readonly #worker: Worker;
  readonly #failure = new AbortController();
  readonly #memoryWatch: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #remainingMs: number;

  constructor(request: ThreadRequest, timeoutMs: number, signal?: AbortSignal) {
    this.#remainingMs = timeoutMs;
    this.#signal = AbortSignal.any(signal ? [signal, this.#failure.signal] : [this.#failure.signal]);
    this.#worker = new Worker(threadUrl, {
      workerData: request,
      execArgv: threadArguments,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker.on('error', (error) => this.#failure.abort(asFailure(error)));
    this.#worker.on('exit', () => this.#failure.abort(new Error('The extraction thread ended early.')));
    this.#memoryWatch = this.#watchMemory();
  }

  /** @throws UnreadableDocument when the document is, or when it costs too much time or memory. */
  async next(): Promise<Exclude<ThreadReply, { kind: 'unreadable' }>> {
    const startedAt = performance.now();
    const deadline = setTimeout(() => this.#failure.abort(tookTooLong()), this.#remainingMs);
    this.#worker.postMessage('next');
    try {
      const [reply] = (await once(this.#worker, 'message', { signal: this.#signal })) as [ThreadReply];
      if (reply.kind === 'unreadable') throw new UnreadableDocument(reply.reason, reply.message);
      return reply;
    } catch (error) {
      throw this.#signal.aborted ? this.#signal.reason : asFailure(error);
    } finally {
      clearTimeout(deadline);
      this.#remainingMs -= performance.now() - startedAt;
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#memoryWatch);
    await this.#worker.terminate();
  }

  #watchMemory(): NodeJS.Timeout {
    const mostBytes = process.memoryUsage.rss() + growthBytes;
    return setInterval(() => {
      if (process.memoryUsage.rss() > mostBytes) this.#failure.abort(tookTooMuchMemory());
    }, memoryCheckMs).unref();
  }
}

function asFailure(error: unknown): unknown {
  const isOutOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory ? tookTooMuchMemory() : error;
}

function tookTooLong(): UnreadableDocument {
  return new UnreadableDocument('timeout', 'The document took too long to read. Split it or save it anew.');
}

function tookTooMuchMemory(): UnreadableDocument {
  return new UnreadableDocument(
    'out_of_memory',
    'The document needs more memory to read than Parley allows.',
  );
}
