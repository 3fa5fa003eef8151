import { FairShare } from './fair-share.ts';

export interface FairQueueOptions {
  /** Number of works that may run at once. */
  slots: number;
  /** Additional slots for holders that have no slot, one for each holder. */
  reservedSlots?: number;
  /** Number of works that may wait for a slot. */
  maxWaiting: number;
  maxWaitMs: number;
}

export interface SlotOptions {
  maxWaitMs?: number;
  /** Runs before the other waiting works of its holder, and evicts one of them from a full queue. Never overtakes other holders. */
  isUrgent?: boolean;
}

type Ticket = Pick<Waiting, 'holder' | 'isUrgent'>;

interface Waiting {
  holder: string;
  isUrgent: boolean;
  go: () => void;
  giveUp: () => void;
}

/**
 * Runs long work in a limited number of slots, with a bounded queue. Both are shared by `FairShare`: a holder with much
 * work never takes the last slot or the last place in the queue.
 */
export class FairQueue {
  readonly #slots: FairShare;
  readonly #waitingSlots: FairShare;
  readonly #maxWaitMs: number;
  #waiting: Waiting[] = [];

  constructor({ slots, reservedSlots = 0, maxWaiting, maxWaitMs }: FairQueueOptions) {
    this.#slots = new FairShare(slots, reservedSlots);
    this.#waitingSlots = new FairShare(maxWaiting);
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs the work once the holder has a slot. Returns `out_of_turn` without running it if the holder's share of the queue
   * is full, or after `maxWaitMs`.
   * @throws the signal's reason while the work waits
   */
  async run<T>(
    holder: string,
    work: () => Promise<T>,
    signal: AbortSignal,
    { maxWaitMs = this.#maxWaitMs, isUrgent = false }: SlotOptions = {},
  ): Promise<T | 'out_of_turn'> {
    if (!(await this.#acquire({ holder, isUrgent }, signal, maxWaitMs))) return 'out_of_turn';
    try {
      return await work();
    } finally {
      this.#slots.release(holder);
      this.#admit();
    }
  }

  async #acquire(ticket: Ticket, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    const { holder, isUrgent } = ticket;
    signal.throwIfAborted();
    if (this.#slots.available(holder) > 0) {
      this.#slots.take(holder);
      return true;
    }
    if (this.#waitingSlots.available(holder) === 0 && !(isUrgent && this.#evictLast(holder))) return false;
    return this.#wait(ticket, signal, maxWaitMs);
  }

  /** Evicts the newest waiting work of the holder that is not urgent. Returns false if there is no such work. */
  #evictLast(holder: string): boolean {
    const last = this.#waiting.findLast((other) => other.holder === holder && !other.isUrgent);
    last?.giveUp();
    return last !== undefined;
  }

  #wait({ holder, isUrgent }: Ticket, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    this.#waitingSlots.take(holder);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#waitingSlots.release(holder);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const end = (isAdmitted: boolean) => (): void => (leave(), resolve(isAdmitted));
      const waiting: Waiting = { holder, isUrgent, go: end(true), giveUp: end(false) };
      const abort = (): void => (leave(), reject(signal.reason as Error));
      const timer = setTimeout(waiting.giveUp, maxWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** Admits the holder with the fewest slots first, then the oldest work; of one holder's work, the urgent one first. */
  #admit(): void {
    for (;;) {
      const [next] = this.#waiting
        .filter(({ holder }) => this.#slots.available(holder) > 0)
        .toSorted((a, b) => this.#slots.takenBy(a.holder) - this.#slots.takenBy(b.holder));
      if (!next) return;
      const { holder } = next;
      this.#slots.take(holder);
      (this.#waiting.find((other) => other.holder === holder && other.isUrgent) ?? next).go();
    }
  }
}
