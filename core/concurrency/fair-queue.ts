import { FairShare } from './fair-share.ts';
import { SlotUse } from './slot-use.ts';
import { TaskTurns } from './task-turns.ts';

export interface FairQueueOptions {
  /** Maximum number of tasks that run at the same time. */
  slots: number;
  /**
   * Number of additional slots for holders, such as workspaces, that have no other slot. Each such holder can
   * use one.
   */
  reservedSlots?: number;
  /** Maximum number of tasks that wait for a slot in the queue. */
  maxWaiting: number;
  maxWaitMs: number;
  /**
   * Milliseconds after which a task may lose its slot to another holder, which has no slot and has used slots
   * less than half as long. Such a holder waits at most this long, and until an ended task has stopped.
   * Without this option, tasks keep their slots.
   */
  turnMs?: number;
  /** Clock that measures the use of slots, in milliseconds. */
  now?: () => number;
}

export interface SlotOptions {
  maxWaitMs?: number;
  /** Time since which the task waits for a slot, as `Date.now()`, if it has waited before. */
  waitingSince?: number | undefined;
  /**
   * Whether the task runs before other waiting tasks of the same holder, and displaces one of these tasks if
   * the queue is full. An urgent task never displaces a task of another holder.
   */
  isUrgent?: boolean;
}

interface WaitingTask {
  holder: string;
  isUrgent: boolean;
  waitingSince: number;
  go: () => void;
  giveUp: () => void;
}

/**
 * Maximum use of slots by a waiting holder, as a fraction of the use of the holder whose turn it may end. A
 * holder is, for example, a workspace.
 */
const MAX_USE_RATIO = 0.5;

type Ticket = Pick<WaitingTask, 'holder' | 'isUrgent' | 'waitingSince'>;

/**
 * Runs long tasks in a limited number of slots, with a limited queue. `FairShare` divides both among holders,
 * such as workspaces: a holder with many tasks cannot use up all slots or the whole queue. A free slot goes to
 * the holder that has lately used slots for the shortest time.
 */
export class FairQueue {
  readonly #slots: FairShare;
  readonly #waitingSlots: FairShare;
  readonly #use: SlotUse;
  readonly #turns: TaskTurns;
  readonly #maxWaitMs: number;
  /** Waiting tasks, sorted by `waitingSince`. */
  #waiting: WaitingTask[] = [];

  constructor({ slots, reservedSlots = 0, maxWaiting, maxWaitMs, turnMs, now }: FairQueueOptions) {
    this.#slots = new FairShare(slots, reservedSlots);
    this.#waitingSlots = new FairShare(maxWaiting);
    this.#use = new SlotUse(now);
    this.#turns = new TaskTurns(turnMs, () => this.#endTurns());
    this.#maxWaitMs = maxWaitMs;
  }

  /** Number of tasks that wait for a slot in the queue. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs a task when its holder gets a slot. Returns `out_of_turn` without running the task if the holder's
   * part of the queue is full, or if no slot was free within `maxWaitMs`. Also returns `out_of_turn` if the
   * task stopped because its turn had ended.
   * @param work task, which should stop with an error when the signal of its turn aborts
   * @throws the signal's reason if the signal aborts while the task waits
   */
  async run<T>(
    holder: string,
    work: (turn: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    { maxWaitMs = this.#maxWaitMs, isUrgent = false, waitingSince = Date.now() }: SlotOptions = {},
  ): Promise<T | 'out_of_turn'> {
    if (!(await this.#acquire({ holder, isUrgent, waitingSince }, signal, maxWaitMs))) return 'out_of_turn';
    const endUse = this.#use.start(holder);
    const turn = this.#turns.start(holder);
    try {
      return await work(turn.signal);
    } catch (error) {
      if (signal.aborted || !turn.signal.aborted) throw error;
      return 'out_of_turn';
    } finally {
      endUse();
      this.#turns.finish(turn);
      this.#slots.release(holder);
      this.#admit();
    }
  }

  async #acquire(ticket: Ticket, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    const { holder, isUrgent } = ticket;
    signal.throwIfAborted();
    if (this.#slots.countAvailable(holder) > 0) {
      this.#slots.take(holder);
      return true;
    }
    if (
      this.#waitingSlots.countAvailable(holder) === 0 &&
      !(isUrgent && this.#evictLast(holder)) &&
      !this.#evictFor(holder)
    )
      return false;
    return this.#wait(ticket, signal, maxWaitMs);
  }

  /**
   * Removes the newest waiting task of a holder, such as a workspace, except for urgent tasks. Returns false
   * if the holder has no such task.
   */
  #evictLast(holder: string): boolean {
    const last = this.#waiting.findLast((other) => other.holder === holder && !other.isUrgent);
    last?.giveUp();
    return last !== undefined;
  }

  /**
   * Makes room in the full queue for a holder, such as a workspace, without waiting tasks. Removes the newest
   * task of the holder with the most waiting tasks. If each holder has only one task, removes the task of the
   * holder with the most use of slots. Returns false if no holder has more waiting tasks or more use than
   * this holder.
   */
  #evictFor(holder: string): boolean {
    if (this.#waitingSlots.countTaken(holder) > 0) return false;
    let worst = { holder, count: 1, use: this.#use.measure(holder) };
    for (const other of this.#listWaitingHolders()) {
      const count = this.#waitingSlots.countTaken(other);
      const use = this.#use.measure(other);
      if (count > worst.count || (count === worst.count && use > worst.use))
        worst = { holder: other, count, use };
    }
    return this.#evictLast(worst.holder);
  }

  #wait(ticket: Ticket, signal: AbortSignal, maxWaitMs: number): Promise<boolean> {
    const { holder } = ticket;
    this.#waitingSlots.take(holder);
    return new Promise((resolve, reject) => {
      const removeWaiting = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#waitingSlots.release(holder);
        clearTimeout(timer);
        signal.removeEventListener('abort', leaveAndReject);
      };
      const createResolver = (isAdmitted: boolean) => (): void => (removeWaiting(), resolve(isAdmitted));
      const waiting: WaitingTask = { ...ticket, go: createResolver(true), giveUp: createResolver(false) };
      const leaveAndReject = (): void => (removeWaiting(), reject(signal.reason as Error));
      const timer = setTimeout(waiting.giveUp, maxWaitMs);
      signal.addEventListener('abort', leaveAndReject, { once: true });
      const following = this.#waiting.findIndex((other) => other.waitingSince > waiting.waitingSince);
      this.#waiting.splice(following < 0 ? this.#waiting.length : following, 0, waiting);
      this.#endTurns();
    });
  }

  /**
   * Starts waiting tasks while slots are free. The holder with the least use of slots comes first, then the
   * oldest task; among tasks of one holder, urgent ones come first.
   */
  #admit(): void {
    for (let holder = this.#findNextHolder(); holder !== undefined; holder = this.#findNextHolder()) {
      const tasks = this.#waiting.filter((task) => task.holder === holder);
      this.#slots.take(holder);
      (tasks.find(({ isUrgent }) => isUrgent) ?? tasks[0]!).go();
    }
    this.#endTurns();
  }

  /**
   * Ends a long task for each waiting holder that has no slot and much less use of slots than the task's
   * holder.
   */
  #endTurns(): void {
    if (!this.#turns.hasLongTasks) return;
    const uses = [...this.#listWaitingHolders()]
      .filter((holder) => this.#slots.countTaken(holder) === 0)
      .map((holder) => this.#use.measure(holder))
      .sort((a, b) => a - b);
    // Leave the slots of stopping tasks to the holders with the least use.
    for (const use of uses.slice(this.#turns.stoppingCount))
      this.#turns.endOne((holder) => this.#use.measure(holder), use / MAX_USE_RATIO);
  }

  /**
   * Returns each holder, such as a workspace, with waiting tasks once, in the order of their oldest tasks.
   */
  #listWaitingHolders(): Set<string> {
    return new Set(this.#waiting.map(({ holder }) => holder));
  }

  /** Returns the holder with the least use of slots among those that wait and may take a slot. */
  #findNextHolder(): string | undefined {
    const holders = [...this.#listWaitingHolders()];
    return this.#use.findLeast(holders.filter((holder) => this.#slots.countAvailable(holder) > 0));
  }
}
