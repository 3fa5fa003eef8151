import type { SlotOptions } from '../../core/concurrency/fair-queue.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { CrowdedError } from '../../services/knowledge/ingestion/reading-memory.ts';
import { PayerQueue } from '../../services/requests/payer-queue.ts';

/**
 * Time in milliseconds after which a document that a worker reads may lose its slot to a payer that has used
 * slots much less. A payer that has lately used no slot therefore waits at most this long for strangers'
 * documents, and until a thread has stopped. If several such payers wait, each of them waits this long for
 * those before it. Most documents are read within this time.
 */
const TURN_MS = 3000;
/**
 * Number of documents that a worker reads at once in slots for long reads, after these documents lost their
 * usual slots.
 */
export const LONG_READS_AT_ONCE = 1;
/** Number of documents that may wait for a slot of long reads. */
export const MAX_WAITING_LONG_READS = 16;

interface ReadingQueueOptions {
  slots: number;
  maxWaiting: number;
  maxWaitMs: number;
  turnMs?: number;
}

type Read<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Queue of documents to read, or whose scanned pages to recognize. A document's size does not tell how long
 * reading takes. A read that takes long while other payers wait loses its slot. It starts again in a slot for
 * long reads, which it does not lose.
 */
export class ReadingQueue {
  readonly #reads: PayerQueue;
  readonly #longReads: PayerQueue;

  constructor({ slots, maxWaiting, maxWaitMs, turnMs = TURN_MS }: ReadingQueueOptions) {
    this.#reads = new PayerQueue({ slots, maxWaiting, maxWaitMs, turnMs });
    this.#longReads = new PayerQueue({
      slots: LONG_READS_AT_ONCE,
      maxWaiting: MAX_WAITING_LONG_READS,
      maxWaitMs,
    });
  }

  /**
   * Reads a document when the workspace's payer gets a slot. Returns `out_of_turn` if the payer gets no slot in
   * time, if the read lost its slot, or if other documents leave too little memory. The slot is then free for others.
   */
  run<T>(
    scope: OrgScope,
    read: Read<T>,
    signal: AbortSignal,
    options?: SlotOptions,
  ): Promise<T | 'out_of_turn'> {
    const readInTurn = (turn: AbortSignal) => leaveIfCrowded(read(AbortSignal.any([signal, turn])));
    return this.#reads.run(scope, readInTurn, signal, options);
  }

  /** Reads a document like `run`. If the read loses its slot, starts it again in a slot for long reads. */
  async runToEnd<T>(
    scope: OrgScope,
    read: Read<T>,
    signal: AbortSignal,
    options?: SlotOptions,
  ): Promise<T | 'out_of_turn'> {
    let turn: AbortSignal | undefined;
    const result = await this.run(scope, (inTurn) => read((turn = inTurn)), signal, options);
    const hasLostSlot = result === 'out_of_turn' && turn?.aborted === true;
    if (!hasLostSlot) return result;
    return this.#longReads.run(scope, () => leaveIfCrowded(read(signal)), signal, options);
  }
}

/**
 * Ends the reading of a document that waits for memory which other documents use, so that its slot is free
 * meanwhile.
 */
function leaveIfCrowded<T>(reading: Promise<T>): Promise<T | 'out_of_turn'> {
  return reading.catch((error: unknown) => {
    if (error instanceof CrowdedError) return 'out_of_turn';
    throw error;
  });
}
