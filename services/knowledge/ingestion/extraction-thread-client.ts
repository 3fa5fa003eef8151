import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { UnreadableDocument } from '../../../adapters/extraction/unreadable-document.ts';
import { startThread } from '../../../core/concurrency/start-thread.ts';
import { measureCpuTime } from '../../../core/concurrency/thread-cpu-time.ts';
import type { ThreadReply, ThreadRequest } from './extraction-protocol.ts';

const megabyte = 1024 * 1024;
const heapMegabytes = 256;
/** V8 keeps all of it once it was used; with four times as much, reading takes no less of a processor. */
const youngMegabytes = 8;
/** Of the whole process while a document is read: what a decompression bomb fills is outside of the heap. */
const growthBytes = 400 * megabyte;
const checkMs = 50;
const startMs = 60_000;
/** Of CPU, to load the reader and to look at the first bytes. */
const openingMs = 60_000;
/** Those that read a document now. */
const busy = new Set<ExtractionThread>();

/**
 * Reads one document at a time, with bounded time and memory. Time is what the thread has of a processor: a busy machine
 * fails no document. After a failure it is not used again.
 */
export class ExtractionThread {
  readonly #worker: Worker;
  readonly #failure = new AbortController();
  /** To start takes a busy machine seconds, which are no document's. */
  readonly #started: Promise<unknown[]>;
  #signal: AbortSignal = this.#failure.signal;
  #watch: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** How long the thread has computed. */
  #takenMs: () => number = () => 0;
  #timeoutMs = 0;
  /** By `#takenMs`. */
  #deadlineMs = Infinity;
  /** Others that have read at some moment of this document: what they have used may not be given back yet. */
  #mostBeside = 0;
  #request: ThreadRequest | undefined;

  /** @param onEnd hears that the thread has ended, whatever the reason */
  constructor(onEnd: (thread: ExtractionThread) => void) {
    this.#worker = startThread('./extraction-thread', import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#started = once(this.#worker, 'message', { signal: this.#failure.signal });
    this.#started.catch(() => {});
    this.#worker.on('error', (error) => this.#failure.abort(asFailure(error)));
    this.#worker.on('exit', () => {
      onEnd(this);
      this.#failure.abort(new Error('The extraction thread ended early.'));
    });
  }

  /** @param timeoutMs how long the thread may compute for it, once its reader is loaded */
  begin(request: ThreadRequest, timeoutMs: number, signal?: AbortSignal): void {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    this.#request = request;
    this.#timeoutMs = timeoutMs;
    this.#signal = AbortSignal.any(signal ? [signal, this.#failure.signal] : [this.#failure.signal]);
    busy.add(this);
    this.#mostBeside = 0;
    for (const thread of busy) thread.#mostBeside = Math.max(thread.#mostBeside, busy.size - 1);
    this.#watch = this.#watchCosts();
  }

  /** @throws UnreadableDocument when the document is, or when it costs too much time or memory. */
  async next(): Promise<Exclude<ThreadReply, { kind: 'unreadable' }>> {
    const opens = this.#request !== undefined;
    if (opens) await this.#start();
    this.#worker.postMessage(this.#request ?? 'next');
    this.#request = undefined;
    try {
      const [reply] = (await once(this.#worker, 'message', { signal: this.#signal })) as [ThreadReply];
      if (reply.kind === 'unreadable') throw new UnreadableDocument(reply.reason, reply.message);
      // To load a reader is no document's time.
      if (opens) this.#deadlineMs = this.#takenMs() + this.#timeoutMs;
      return reply;
    } catch (error) {
      throw this.#signal.aborted ? this.#signal.reason : asFailure(error);
    }
  }

  async #start(): Promise<void> {
    this.#signal.throwIfAborted();
    const deadline = setTimeout(() => this.#failure.abort(new Error('The thread did not start.')), startMs);
    const waiting = new AbortController();
    const aborted = once(this.#signal, 'abort', { signal: waiting.signal }).catch(() => []);
    try {
      const [place] = (await Promise.race([this.#started, aborted])) as (string | null)[];
      this.#takenMs = measureCpuTime(this.#worker, place ?? null);
      this.#deadlineMs = this.#takenMs() + openingMs;
    } catch {
      // It has failed, and the signal says how.
    } finally {
      clearTimeout(deadline);
      waiting.abort();
    }
    this.#signal.throwIfAborted();
  }

  /** Waits so long for the next document, without keeping the process alive. */
  rest(idleMs: number): void {
    this.#endWatch();
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => void this.stop(), idleMs).unref();
  }

  async stop(): Promise<void> {
    this.#endWatch();
    clearTimeout(this.#idleTimer);
    await this.#worker.terminate();
  }

  #watchCosts(): NodeJS.Timeout {
    const before = process.memoryUsage.rss();
    return setInterval(() => {
      if (this.#takenMs() > this.#deadlineMs) this.#failure.abort(tookTooLong());
      // What others may have on their heaps meanwhile is not this document's.
      const ofOthers = this.#mostBeside * heapMegabytes * megabyte;
      if (process.memoryUsage.rss() > before + growthBytes + ofOthers)
        this.#failure.abort(tookTooMuchMemory());
    }, checkMs).unref();
  }

  #endWatch(): void {
    clearInterval(this.#watch);
    this.#deadlineMs = Infinity;
    busy.delete(this);
  }
}

function asFailure(error: unknown): unknown {
  const isOutOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory ? tookTooMuchMemory() : error;
}

function tookTooLong(): UnreadableDocument {
  return new UnreadableDocument(
    'timeout',
    'The document took too long to read for its size. Save it anew, without what does not belong to its text, or split it.',
  );
}

function tookTooMuchMemory(): UnreadableDocument {
  return new UnreadableDocument(
    'out_of_memory',
    'The document needs more memory to read than Parley allows.',
  );
}
