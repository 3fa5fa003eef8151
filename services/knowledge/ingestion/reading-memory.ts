import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../../../core/concurrency/fair-queue.ts';

const megabyte = 1024 * 1024;
/**
 * Growth of the process's memory in bytes from which no further document is read beside those that are being
 * read.
 */
const crowdedBytes = 256 * megabyte;
/**
 * Time in milliseconds after which memory use no longer delays documents. Memory that the process takes for
 * longer is not due to documents, but for example to an embedding model.
 */
const maxCrowdedMs = 10_000;
/**
 * Maximum wait in milliseconds until the reading of all other memory-intensive documents has ended.
 * Recognition of a document takes minutes, but no more memory.
 */
const maxOthersMs = 30_000;
/** Maximum wait in milliseconds of a document for other documents that must be read alone. */
const maxAloneMs = 60_000;
const maxOtherPayersMs = 5000;
/**
 * Limits of the queue for documents that must be read alone, while no other document is read. Payers take
 * turns.
 */
const ALONE_READS = { slots: 1, maxWaiting: 64, maxWaitMs: 120_000 };
const checkMs = 50;

/** Counts of the documents that a process is reading. */
export interface CurrentReads {
  countReads(): number;
  /** Returns the number of documents being read that take much memory, of one payer if `payerId` is given. */
  countHeavyReads(payerId?: string): number;
}

export interface MemoryOptions {
  /** Function that returns the process's memory in bytes. */
  readRss?: () => number;
  /**
   * Maximum wait in milliseconds of a document for documents of other payers. It applies if the document's
   * own payer has no memory-intensive document being read.
   */
  otherPayersMs?: number;
}

export interface MemoryWait {
  /** Id of the workspace that pays for the document's workspace. */
  payerId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Error if several documents that are read at once together take too much memory. One of them may be
 * ordinary.
 */
export class CrowdedError extends Error {
  constructor() {
    super('The documents that are being read take up too much memory together.');
    this.name = 'CrowdedError';
  }
}

/**
 * Limits the memory for documents that a process reads at the same time. Their growth is measured from the
 * memory that the process had without them. Measured from its own start, each document could take its whole
 * limit in addition to the memory that earlier documents have not released yet.
 */
export class ReadingMemory {
  readonly #reads: CurrentReads;
  readonly #readRss: () => number;
  readonly #otherPayersMs: number;
  readonly #aloneQueue = new FairQueue(ALONE_READS);
  /** The process's memory in bytes without the documents that are being read. */
  #idleBytes = 0;
  /**
   * Time since which documents take too much memory for further documents, as returned by
   * `performance.now()`; undefined if they do not.
   */
  #crowdedSince: number | undefined;
  /** Payers of the documents that are read alone, or wait for that. */
  readonly #alonePayers: string[] = [];
  /** Time since which documents are read alone, or wait for that, as returned by `performance.now()`. */
  #aloneSince = 0;

  constructor(
    reads: CurrentReads,
    { readRss = () => process.memoryUsage.rss(), otherPayersMs = maxOtherPayersMs }: MemoryOptions = {},
  ) {
    this.#reads = reads;
    this.#readRss = readRss;
    this.#otherPayersMs = otherPayersMs;
  }

  /** Records the process's memory before the reading of a document begins and `countReads` counts it. */
  begin(): void {
    if (this.#reads.countReads() === 0) this.#idleBytes = this.#readRss();
  }

  /** Returns the growth of the process's memory due to documents, in bytes. */
  measureGrowth(): number {
    const rssBytes = this.#readRss();
    this.#idleBytes = Math.min(this.#idleBytes, rssBytes);
    const growth = rssBytes - this.#idleBytes;
    if (growth <= crowdedBytes) this.#crowdedSince = undefined;
    else this.#crowdedSince ??= performance.now();
    return growth;
  }

  /**
   * Returns true if a further document may be read: other documents leave enough memory, and none must be
   * read alone.
   */
  hasRoom(): boolean {
    if (this.#alonePayers.length > 0 && performance.now() - this.#aloneSince <= maxAloneMs) return false;
    if (this.#reads.countReads() === 0) return true;
    this.measureGrowth();
    if (this.#crowdedSince === undefined) return true;
    if (this.#alonePayers.length > 0 || performance.now() - this.#crowdedSince <= maxCrowdedMs) return false;
    this.#idleBytes = this.#readRss();
    this.#crowdedSince = undefined;
    return true;
  }

  /**
   * Waits until the process has enough memory to read a document. A payer without memory-intensive documents
   * waits at most `otherPayersMs`, so that other payers cannot keep it waiting.
   * @param whenCrowded `wait`, or `throw` if the payer's own heavy reads may be the cause
   * @throws CrowdedError, or the signal's reason
   */
  async wait({ payerId, signal }: MemoryWait, whenCrowded: 'wait' | 'throw' = 'wait'): Promise<void> {
    const endsAt = performance.now() + this.#otherPayersMs;
    while (!this.hasRoom()) {
      const hasOwnReads = this.#alonePayers.includes(payerId) || this.#reads.countHeavyReads(payerId) > 0;
      if (hasOwnReads && whenCrowded === 'throw') throw new CrowdedError();
      if (!hasOwnReads && performance.now() >= endsAt) return;
      await pause(signal);
    }
  }

  /**
   * Reads a document alone, after the reading of all other memory-intensive documents has ended. Documents
   * that call `wait` meanwhile start after it. If several documents wait to be read alone, their payers take
   * turns.
   * @throws CrowdedError if too many reads wait to run alone, or the signal's reason
   */
  async runAlone<T>(
    { payerId, signal = new AbortController().signal }: MemoryWait,
    read: () => Promise<T>,
  ): Promise<T> {
    if (this.#alonePayers.length === 0) this.#aloneSince = performance.now();
    this.#alonePayers.push(payerId);
    const readAfterOthers = async () => {
      const endsAt = performance.now() + maxOthersMs;
      while (this.#reads.countHeavyReads() > 0 && performance.now() < endsAt) await pause(signal);
      return { value: await read() };
    };
    try {
      const result = await this.#aloneQueue.run(payerId, readAfterOthers, signal);
      if (result === 'out_of_turn') throw new CrowdedError();
      return result.value;
    } finally {
      this.#alonePayers.splice(this.#alonePayers.indexOf(payerId), 1);
    }
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await sleep(checkMs);
  signal?.throwIfAborted();
}
