import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../../core/concurrency/semaphore.ts';

const megabyte = 1024 * 1024;
/** Growth of the process's memory from which no further document starts beside those that are being read. */
const crowdedBytes = 256 * megabyte;
/**
 * Maximum wait of a document for the memory of others. Memory that the process takes for longer is not due to
 * documents, but for example to an embedding model.
 */
const maxCrowdedMs = 10_000;
/** Maximum wait for the end of all other reads. Recognition of a document takes minutes, but no more memory. */
const maxOthersMs = 30_000;
/** Maximum wait of a document for others that must be read alone. */
const maxAloneMs = 60_000;
const checkMs = 50;

/**
 * Memory that documents take which a process reads at the same time. Their growth is measured from the memory that
 * the process had without them. Measured from its own start, each document could take its whole limit in addition to
 * the memory that earlier documents have not released yet.
 */
export class ReadingMemory {
  readonly #countReads: () => number;
  readonly #readRss: () => number;
  readonly #alone = new Semaphore(1);
  /** The process's memory without the documents that are being read. */
  #idleBytes = 0;
  /** Number of reads that run alone, or wait for that. */
  #aloneCount = 0;

  /** @param countReads returns the number of documents that are being read */
  constructor(countReads: () => number, readRss: () => number = () => process.memoryUsage.rss()) {
    this.#countReads = countReads;
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
    return rssBytes - this.#idleBytes;
  }

  /**
   * Waits while other documents take much memory, or must be read alone.
   * @throws the signal's reason
   */
  async wait(signal?: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    while (this.#aloneCount > 0 || this.#isCrowded()) {
      const waitedMs = performance.now() - startedAt;
      if (waitedMs > maxAloneMs) return;
      if (this.#aloneCount === 0 && waitedMs > maxCrowdedMs) this.#idleBytes = this.#readRss();
      else await pause(signal);
    }
  }

  /**
   * Runs a read after all others have ended. Reads that `wait` start after it.
   * @throws the signal's reason
   */
  async runAlone<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#aloneCount += 1;
    try {
      return await this.#alone.run(async () => {
        const endsAt = performance.now() + maxOthersMs;
        while (this.#countReads() > 0 && performance.now() < endsAt) await pause(signal);
        return read();
      }, signal);
    } finally {
      this.#aloneCount -= 1;
    }
  }

  #isCrowded(): boolean {
    return this.#countReads() > 0 && this.measureGrowth() > crowdedBytes;
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await sleep(checkMs);
  signal?.throwIfAborted();
}
