import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { UnreadableDocument } from '../../adapters/extraction/unreadable-document.ts';
import { startThread } from '../../core/concurrency/start-thread.ts';
import { cpuTimeOf } from '../../core/concurrency/thread-cpu-time.ts';
import type { ThreadReply, ThreadRequest } from './extraction-protocol.ts';

const megabyte = 1024 * 1024;
const heapMegabytes = 256;
/** Of the whole process while a document is read: what a decompression bomb fills is outside of the heap. */
const growthBytes = 400 * megabyte;
const checkMs = 50;
/** A thread is kept this long for the next document: to start one costs more than to read a hundred small ones. */
const idleMs = 30_000;
const startMs = 60_000;
/** Of CPU, to load the reader and to look at the first bytes. */
const openingMs = 60_000;
/** As many as work at once in a crowd of documents; further ones would only wait for a core. */
const maxIdle = availableParallelism();

const idle: ExtractionThread[] = [];
/** Those that read a document now. */
const busy = new Set<ExtractionThread>();

/** A thread that waits for work, or a new one. */
export function takeThread(): ExtractionThread {
  return idle.pop() ?? new ExtractionThread();
}

/** Keeps the thread for the next document, if it is not one too many. */
export async function giveBack(thread: ExtractionThread): Promise<void> {
  if (idle.length >= maxIdle) return thread.stop();
  idle.push(thread);
  thread.rest();
}

function forget(thread: ExtractionThread): void {
  const place = idle.indexOf(thread);
  if (place >= 0) idle.splice(place, 1);
}

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

  constructor() {
    this.#worker = startThread('./extraction-thread', import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
    });
    this.#started = once(this.#worker, 'message', { signal: this.#failure.signal });
    this.#started.catch(() => {});
    this.#worker.on('error', (error) => this.#failure.abort(asFailure(error)));
    this.#worker.on('exit', () => {
      forget(this);
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
      this.#takenMs = cpuTimeOf(this.#worker, place ?? null);
      this.#deadlineMs = this.#takenMs() + openingMs;
    } catch {
      // It has failed, and the signal says how.
    } finally {
      clearTimeout(deadline);
      waiting.abort();
    }
    this.#signal.throwIfAborted();
  }

  /** Waits for the next document, for a while, without keeping the process alive. */
  rest(): void {
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
