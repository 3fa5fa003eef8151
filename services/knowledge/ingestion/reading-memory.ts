import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../../core/concurrency/semaphore.ts';

const megabyte = 1024 * 1024;
/** Growth of the process's memory from which no further document starts beside those that are being read. */
const crowdedBytes = 256 * megabyte;
/**
 * Time after which memory that documents seem to take keeps no further document waiting. Memory that the process takes for
 * longer is not due to documents, but for example to an embedding model.
 */
const maxCrowdedMs = 10_000;
/** Maximum wait for the end of all other heavy reads. Recognition of a document takes minutes, but no more memory. */
const maxOthersMs = 30_000;
/** Maximum wait of a document for others that must be read alone. */
const maxAloneMs = 60_000;
const checkMs = 50;

/** Thrown if several documents together take too much memory. One of them may be ordinary. */
export class CrowdedError extends Error {
  constructor() {
    super('The documents that are being read take up too much memory together.');
    this.name = 'CrowdedError';
  }
}

/**
 * Memory that documents take which a process reads at the same time. Their growth is measured from the memory that
 * the process had without them. Measured from its own start, each document could take its whole limit in addition to
 * the memory that earlier documents have not released yet.
 */
export class ReadingMemory {
  readonly #countReads: () => number;
  readonly #countHeavyReads: () => number;
  readonly #readRss: () => number;
  readonly #alone = new Semaphore(1);
  /** The process's memory without the documents that are being read. */
  #idleBytes = 0;
  /** Time since which documents take much memory, as `performance.now()`; undefined if they do not. */
  #crowdedSince: number | undefined;
  /** Number of reads that run alone, or wait for that. */
  #aloneCount = 0;
  /** Time since which reads run alone, or wait for that, as `performance.now()`. */
  #aloneSince = 0;

  /** @param reads return how many documents are being read, and how many of them are heavy */
  constructor(
    reads: { countReads: () => number; countHeavyReads: () => number },
    readRss: () => number = () => process.memoryUsage.rss(),
  ) {
    this.#countReads = reads.countReads;
    this.#countHeavyReads = reads.countHeavyReads;
    this.#readRss = readRss;
  }

  /** Begins a read, before `countReads` counts it. */
  begin(): void {
    if (this.#countReads() === 0) this.#idleBytes = this.#readRss();
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

  /** Returns false while other documents take much memory, or must be read alone. */
  hasRoom(): boolean {
    if (this.#aloneCount > 0 && performance.now() - this.#aloneSince <= maxAloneMs) return false;
    if (this.#countReads() === 0) return true;
    this.measureGrowth();
    if (this.#crowdedSince === undefined) return true;
    if (this.#aloneCount > 0 || performance.now() - this.#crowdedSince <= maxCrowdedMs) return false;
    this.#idleBytes = this.#readRss();
    this.#crowdedSince = undefined;
    return true;
  }

  /**
   * Waits until `hasRoom`.
   * @throws the signal's reason
   */
  async wait(signal?: AbortSignal): Promise<void> {
    while (!this.hasRoom()) await pause(signal);
  }

  /**
   * Runs a read after all other heavy reads have ended. Reads that `wait` start after it.
   * @throws the signal's reason
   */
  async runAlone<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#aloneCount === 0) this.#aloneSince = performance.now();
    this.#aloneCount += 1;
    try {
      return await this.#alone.run(async () => {
        const endsAt = performance.now() + maxOthersMs;
        while (this.#countHeavyReads() > 0 && performance.now() < endsAt) await pause(signal);
        return read();
      }, signal);
    } finally {
      this.#aloneCount -= 1;
    }
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await sleep(checkMs);
  signal?.throwIfAborted();
}
