import { FairShare } from './fair-share.ts';

export interface FairQueueOptions {
  /** Maximum number of tasks that run at the same time. */
  slots: number;
  /** Additional slots, for holders without any slot. Each such holder can use one. */
  reservedSlots?: number;
  /** Maximum number of tasks that wait for a slot. */
  maxWaiting: number;
  maxWaitMs: number;
}

export interface SlotOptions {
  maxWaitMs?: number;
  /**
   * Whether the task runs before other waiting tasks of the same holder, and displaces one of these tasks if
   * the queue is full. It never displaces a task of another holder.
   */
  isUrgent?: boolean;
}

type TaskPriority = Pick<WaitingTask, 'holder' | 'isUrgent'>;

interface WaitingTask {
  holder: string;
  isUrgent: boolean;
  go: () => void;
  giveUp: () => void;
}

/**
 * Runs long tasks in a limited number of slots, with a limited queue. `FairShare` divides both among holders,
 * such as workspaces: a holder with many tasks cannot use up all slots or the whole queue.
 */
export class FairQueue {
  readonly #slots: FairShare;
  readonly #waitingSlots: FairShare;
  readonly #maxWaitMs: number;
  #waiting: WaitingTask[] = [];

  constructor({ slots, reservedSlots = 0, maxWaiting, maxWaitMs }: FairQueueOptions) {
    this.#slots = new FairShare(slots, reservedSlots);
    this.#waitingSlots = new FairShare(maxWaiting);
    this.#maxWaitMs = maxWaitMs;
  }

  /** Number of tasks that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs a task when its holder gets a slot. Returns `out_of_turn` without running the task if the holder's
   * part of the queue is full, or if no slot was free within `maxWaitMs`.
   * @throws the signal's reason if the signal aborts while the task waits
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

  async #acquire(ticket: TaskPriority, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    const { holder, isUrgent } = ticket;
    signal.throwIfAborted();
    if (this.#slots.countAvailable(holder) > 0) {
      this.#slots.take(holder);
      return true;
    }
    if (this.#waitingSlots.countAvailable(holder) === 0 && !(isUrgent && this.#evictLast(holder)))
      return false;
    return this.#wait(ticket, signal, maxWaitMs);
  }

  /**
   * Removes the newest waiting task of the holder, except for urgent ones. Returns false if the holder has no
   * such task.
   */
  #evictLast(holder: string): boolean {
    const last = this.#waiting.findLast((other) => other.holder === holder && !other.isUrgent);
    last?.giveUp();
    return last !== undefined;
  }

  #wait({ holder, isUrgent }: TaskPriority, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    this.#waitingSlots.take(holder);
    return new Promise((resolve, reject) => {
      const removeWaiting = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#waitingSlots.release(holder);
        clearTimeout(timer);
        signal.removeEventListener('abort', leaveAndReject);
      };
      const createResolver = (isAdmitted: boolean) => (): void => (removeWaiting(), resolve(isAdmitted));
      const waiting: WaitingTask = {
        holder,
        isUrgent,
        go: createResolver(true),
        giveUp: createResolver(false),
      };
      const leaveAndReject = (): void => (removeWaiting(), reject(signal.reason as Error));
      const timer = setTimeout(waiting.giveUp, maxWaitMs);
      signal.addEventListener('abort', leaveAndReject, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /**
   * Starts waiting tasks while slots are free. The holder with the fewest slots comes first, then the oldest
   * task; among tasks of one holder, urgent ones come first.
   */
  #admit(): void {
    for (;;) {
      let next: WaitingTask | undefined;
      for (const waiting of this.#waiting) {
        if (this.#slots.countAvailable(waiting.holder) === 0) continue;
        if (!next || this.#slots.countTaken(waiting.holder) < this.#slots.countTaken(next.holder))
          next = waiting;
      }
      if (!next) return;
      const { holder } = next;
      this.#slots.take(holder);
      (this.#waiting.find((other) => other.holder === holder && other.isUrgent) ?? next).go();
    }
  }
}
