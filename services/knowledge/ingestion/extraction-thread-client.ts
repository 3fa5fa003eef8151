import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { UnreadableDocument } from '../../../adapters/extraction/unreadable-document.ts';
import { startThread } from '../../../core/concurrency/start-thread.ts';
import { measureCpuTime } from '../../../core/concurrency/thread-cpu-time.ts';
import type { ThreadReply, ThreadRequest } from './extraction-protocol.ts';

const megabyte = 1024 * 1024;
const heapMegabytes = 256;
/** V8 keeps all of it once used. With four times as much, reading is no faster. */
const youngMegabytes = 8;
/**
 * Limit for the growth of the process while it reads a document. A decompression bomb fills memory outside the heap.
 */
const growthBytes = 400 * megabyte;
const checkMs = 50;
const startMs = 60_000;
/** CPU time to load the reader and inspect the first bytes. */
const openingMs = 60_000;
/** Threads that are reading a document. */
const busy = new Set<ExtractionThread>();

/**
 * Reads one document at a time, with bounded CPU time and memory. CPU time, since a document must not fail because
 * the machine is busy.
 * After a failure, the thread is not reused.
 */
export class ExtractionThread {
  readonly #worker: Worker;
  readonly #failure = new AbortController();
  /**
   * Resolves when the thread has started. On a busy machine that takes seconds, which do not count for any document.
   */
  readonly #started: Promise<unknown[]>;
  #signal: AbortSignal = this.#failure.signal;
  #watch: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Returns the CPU time that the thread has used. */
  #takenMs: () => number = () => 0;
  #timeoutMs = 0;
  /** Limit for `#takenMs`. */
  #deadlineMs = Infinity;
  /** Maximum number of other busy threads during this document. They may not have released their memory yet. */
  #maxOtherThreads = 0;
  #request: ThreadRequest | undefined;

  /** @param onEnd callback for the end of the thread, whatever the reason */
  constructor(onEnd: (thread: ExtractionThread) => void) {
    this.#worker = startThread('./extraction-thread', import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#started = once(this.#worker, 'message', { signal: this.#failure.signal });
    this.#started.catch(() => {});
    this.#worker.on('error', (error) => this.#failure.abort(toFailure(error)));
    this.#worker.on('exit', () => {
      onEnd(this);
      this.#failure.abort(new Error('The extraction thread ended early.'));
    });
  }

  /** @param timeoutMs limit of CPU time after the reader is loaded */
  begin(request: ThreadRequest, timeoutMs: number, signal?: AbortSignal): void {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    this.#request = request;
    this.#timeoutMs = timeoutMs;
    this.#signal = AbortSignal.any(signal ? [signal, this.#failure.signal] : [this.#failure.signal]);
    busy.add(this);
    this.#maxOtherThreads = 0;
    for (const thread of busy) thread.#maxOtherThreads = Math.max(thread.#maxOtherThreads, busy.size - 1);
    this.#watch = this.#watchCosts();
  }

  /** @throws UnreadableDocument if the document cannot be read, or takes too much time or memory */
  async next(): Promise<Exclude<ThreadReply, { kind: 'unreadable' }>> {
    const opens = this.#request !== undefined;
    if (opens) await this.#start();
    this.#worker.postMessage(this.#request ?? 'next');
    this.#request = undefined;
    try {
      const [reply] = (await once(this.#worker, 'message', { signal: this.#signal })) as [ThreadReply];
      if (reply.kind === 'unreadable') throw new UnreadableDocument(reply.reason, reply.message);
      // Loading a reader does not count toward the time limit.
      if (opens) this.#deadlineMs = this.#takenMs() + this.#timeoutMs;
      return reply;
    } catch (error) {
      throw this.#signal.aborted ? this.#signal.reason : toFailure(error);
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
      // `throwIfAborted` below throws the failure.
    } finally {
      clearTimeout(deadline);
      waiting.abort();
    }
    this.#signal.throwIfAborted();
  }

  /** Waits for the next document without keeping the process alive; stops after `idleMs`. */
  waitForNext(idleMs: number): void {
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
      if (this.#takenMs() > this.#deadlineMs) this.#failure.abort(createTimeoutError());
      // Other threads may fill their heaps meanwhile, which must not count for this document.
      const othersBytes = this.#maxOtherThreads * heapMegabytes * megabyte;
      if (process.memoryUsage.rss() > before + growthBytes + othersBytes)
        this.#failure.abort(createMemoryError());
    }, checkMs).unref();
  }

  #endWatch(): void {
    clearInterval(this.#watch);
    this.#deadlineMs = Infinity;
    busy.delete(this);
  }
}

function toFailure(error: unknown): unknown {
  const isOutOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory ? createMemoryError() : error;
}

function createTimeoutError(): UnreadableDocument {
  return new UnreadableDocument(
    'timeout',
    'The document took too long to read for its size. Save it again without what does not belong to its text, or split it.',
  );
}

function createMemoryError(): UnreadableDocument {
  return new UnreadableDocument(
    'out_of_memory',
    'The document needs more memory to read than Parley allows.',
  );
}
