import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { PageToRecognize, RecognizedPage } from '../../../adapters/extraction/page-recognition.ts';
import { UnreadableDocument } from '../../../adapters/extraction/unreadable-document.ts';
import { startThread } from '../../../core/concurrency/start-thread.ts';
import { measureCpuTime } from '../../../core/concurrency/thread-cpu-time.ts';
import {
  OUT_OF_MEMORY,
  type ThreadMessage,
  type ThreadReply,
  type ThreadRequest,
} from './extraction-protocol.ts';
import { CrowdedError, type MemoryWait, ReadingMemory } from './reading-memory.ts';

export interface ThreadBounds {
  /**
   * Limit of the CPU time for a document, in milliseconds. The time starts when the parser is loaded. With
   * recognition of scanned pages, each page has its own limit.
   */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Id of the workspace that pays for the document's workspace. */
  payerId: string;
  /** Whether the document takes so little memory that it should not fail because of other documents. */
  isLight?: boolean;
}

/** Function that recognizes the text of a page that the thread has drawn as an image. */
export type RecognizePage = (page: PageToRecognize, signal: AbortSignal) => Promise<RecognizedPage>;

const megabyte = 1024 * 1024;
/**
 * Maximum size of a thread's V8 heap, in megabytes. V8 ends the whole process if a single allocation exceeds
 * the limit by 16 MB, such as the growth of a long array. The limit is therefore so high that `#watchCosts`
 * stops the document first.
 */
const maxHeapMegabytes = 2048;
/**
 * Memory in bytes that another busy thread may take without counting toward the limit of this thread's
 * document.
 */
const otherThreadBytes = 128 * megabyte;
/**
 * Size of V8's heap for new objects in a thread, in megabytes. V8 never returns this memory. Four times as
 * much would not speed up reading.
 */
const youngMegabytes = 8;
/**
 * Maximum growth of the process's memory in bytes while a thread reads a document, inside and outside V8's
 * heap.
 */
const growthBytes = 400 * megabyte;
const checkMs = 50;
const startMs = 60_000;
/** Limit of CPU time in milliseconds for loading the parser of a document and inspecting its first bytes. */
const loadingMs = 60_000;
/** Threads that are reading a document, or are being stopped. */
const busy = new Set<ExtractionThread>();
const memory = new ReadingMemory({ countReads: () => busy.size, countHeavyReads: countHeavyThreads });
/**
 * Number of other documents that a light document tolerates. It stops only if they use more memory than this
 * many documents may take.
 */
const maxTolerated = 2;

/** Waits until the process has enough memory to start reading a document, as `ReadingMemory.wait` does. */
export const waitForMemory = (...args: Parameters<ReadingMemory['wait']>): Promise<void> =>
  memory.wait(...args);

/** Runs the reading of a document while no other document is read, as `ReadingMemory.runAlone` does. */
export const readAlone = <T>(wait: MemoryWait, read: () => Promise<T>): Promise<T> =>
  memory.runAlone(wait, read);

/**
 * Worker thread that reads one document at a time, with limits of CPU time and memory. CPU time is limited
 * rather than elapsed time, so that no document fails because the machine is busy. After a failure, the
 * thread is not reused.
 */
export class ExtractionThread {
  readonly #worker: Worker;
  readonly #failure = new AbortController();
  /**
   * Promise that resolves when the thread has started. On a busy machine, that takes seconds, which do not
   * count toward a document's time limit.
   */
  readonly #started: Promise<unknown[]>;
  #signal: AbortSignal = this.#failure.signal;
  #watch: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Function that returns the CPU time in milliseconds that the thread has used since it started. */
  #getCpuMs: () => number = () => 0;
  #timeoutMs = 0;
  /** CPU time of the thread, as returned by `#getCpuMs`, at which the current document fails. */
  #deadlineMs = Infinity;
  /**
   * Highest number of other threads that read a heavy document during the current document. The limit allows for
   * the memory of these threads, which they may not have released yet.
   */
  #maxOtherThreads = 0;
  /** Whether the current document takes little memory, as in `ThreadBounds.isLight`. */
  #isLight = false;
  #payerId: string | undefined;
  #request: ThreadRequest | undefined;
  #recognize: RecognizePage | undefined;

  /** @param onEnd function that is called when the thread has ended, after a failure as well */
  constructor(onEnd: (thread: ExtractionThread) => void) {
    this.#worker = startThread('./extraction-thread', import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#started = once(this.#worker, 'message', { signal: this.#failure.signal });
    this.#started.catch(() => {});
    this.#worker.on('error', (error) => this.#failure.abort(toFailure(error)));
    this.#worker.on('exit', () => {
      onEnd(this);
      this.#failure.abort(new Error('The extraction thread ended early.'));
    });
  }

  /**
   * @param recognize function that recognizes a page's text; required if the request's recognition is `ask`
   */
  begin(
    request: ThreadRequest,
    { timeoutMs, signal, payerId, isLight = false }: ThreadBounds,
    recognize?: RecognizePage,
  ): void {
    this.#isLight = isLight;
    this.#payerId = payerId;
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    this.#request = request;
    this.#recognize = recognize;
    this.#timeoutMs = timeoutMs;
    this.#signal = AbortSignal.any(signal ? [signal, this.#failure.signal] : [this.#failure.signal]);
    memory.begin();
    busy.add(this);
    this.#maxOtherThreads = 0;
    for (const thread of busy) thread.#noteOthers();
    this.#watch = this.#watchCosts();
  }

  /** @throws UnreadableDocument if the document cannot be read, or takes too much time or memory */
  async next(): Promise<Exclude<ThreadReply, { kind: 'unreadable' | 'page' }>> {
    const isFirstStep = this.#request !== undefined;
    if (isFirstStep) await this.#startThread();
    try {
      let reply = await this.#ask(this.#request ?? 'next');
      this.#request = undefined;
      while (reply.kind === 'page') {
        const recognized = await this.#recognize!(reply.page, this.#signal);
        this.#extendDeadline();
        reply = await this.#ask({ recognized });
      }
      if (reply.kind === 'unreadable')
        throw new UnreadableDocument(reply.reason, reply.message, { advice: null });
      // The document's time limit starts now: loading a parser does not count.
      if (isFirstStep) this.#extendDeadline();
      return reply;
    } catch (error) {
      throw this.#signal.aborted ? this.#signal.reason : toFailure(error);
    }
  }

  async #ask(message: ThreadMessage): Promise<ThreadReply> {
    this.#worker.postMessage(message);
    const [reply] = (await once(this.#worker, 'message', { signal: this.#signal })) as [ThreadReply];
    return reply;
  }

  #extendDeadline(): void {
    this.#deadlineMs = this.#getCpuMs() + this.#timeoutMs;
  }

  async #startThread(): Promise<void> {
    this.#signal.throwIfAborted();
    const deadline = setTimeout(() => this.#failure.abort(new Error('The thread did not start.')), startMs);
    const waiting = new AbortController();
    const aborted = once(this.#signal, 'abort', { signal: waiting.signal }).catch(() => []);
    try {
      const [statPath] = (await Promise.race([this.#started, aborted])) as (string | null)[];
      this.#getCpuMs = measureCpuTime(this.#worker, statPath ?? null);
      this.#deadlineMs = this.#getCpuMs() + loadingMs;
    } catch {
      // The call of `throwIfAborted` below throws the actual failure.
    } finally {
      clearTimeout(deadline);
      waiting.abort();
    }
    this.#signal.throwIfAborted();
  }

  /**
   * Lets the thread wait for its next document for `idleMs`, then stops it. A waiting thread does not keep
   * the process alive.
   */
  waitForNext(idleMs: number): void {
    this.#endWatch();
    busy.delete(this);
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => void this.stop(), idleMs).unref();
  }

  async stop(): Promise<void> {
    this.#endWatch();
    clearTimeout(this.#idleTimer);
    await this.#worker.terminate();
    busy.delete(this);
  }

  /**
   * Returns whether the thread reads a document that takes much memory. If `payerId` is given, only documents
   * of this payer count.
   */
  readsHeavy(payerId?: string): boolean {
    return !this.#isLight && (payerId === undefined || this.#payerId === payerId);
  }

  #noteOthers(): void {
    const count = countHeavyThreads() - (this.#isLight ? 0 : 1);
    this.#maxOtherThreads = Math.max(this.#maxOtherThreads, count);
  }

  #watchCosts(): NodeJS.Timeout {
    return setInterval(() => {
      if (this.#getCpuMs() > this.#deadlineMs) this.#failure.abort(createTimeoutError());
      // A light document gets a higher limit, so that a memory-intensive document that exceeds its own limit
      // stops first.
      const othersBytes = this.#isLight
        ? Math.min(this.#maxOtherThreads, maxTolerated) * growthBytes
        : this.#maxOtherThreads * otherThreadBytes;
      if (memory.measureGrowth() <= growthBytes + othersBytes) return;
      this.#failure.abort(this.#maxOtherThreads > 0 ? new CrowdedError() : createMemoryError());
    }, checkMs).unref();
  }

  #endWatch(): void {
    clearInterval(this.#watch);
    this.#deadlineMs = Infinity;
  }
}

function countHeavyThreads(payerId?: string): number {
  return [...busy].filter((thread) => thread.readsHeavy(payerId)).length;
}

function toFailure(error: unknown): unknown {
  const isOutOfMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory ? createMemoryError() : error;
}

function createTimeoutError(): UnreadableDocument {
  return new UnreadableDocument(
    'timeout',
    'Reading the document took too long for its size. Save only the document’s text, or split the document.',
  );
}

function createMemoryError(): UnreadableDocument {
  return new UnreadableDocument(OUT_OF_MEMORY.reason, OUT_OF_MEMORY.message);
}
