export interface PollPaceOptions {
  busyMs: number;
  idleMs: number;
  busyForMs: number;
  /** Pause while the queue is known to be empty. */
  emptyMs?: number;
}

/**
 * Chooses the poll interval of a queue that also sends notifications. Leftover rows, such as expired leases of a dead
 * process, appear soon after the last work. Polls are therefore frequent for some time after it.
 */
export class PollPace {
  readonly #options: PollPaceOptions;
  readonly #now: () => number;
  #busyUntil = 0;
  #isEmpty = false;

  /** @param now clock in milliseconds */
  constructor(options: PollPaceOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Notes that work has arrived or was found. */
  note(): void {
    this.#busyUntil = this.#now() + this.#options.busyForMs;
    this.#isEmpty = false;
  }

  /** Notes whether the queue is empty, unless work arrived during the check. */
  noteEmpty(isEmpty: boolean): void {
    if (this.isIdle) this.#isEmpty = isEmpty;
  }

  get isIdle(): boolean {
    return this.#now() >= this.#busyUntil;
  }

  get pauseMs(): number {
    const { busyMs, idleMs, emptyMs = idleMs } = this.#options;
    if (!this.isIdle) return busyMs;
    return this.#isEmpty ? emptyMs : idleMs;
  }
}
