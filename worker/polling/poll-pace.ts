export interface PollPaceOptions {
  busyMs: number;
  idleMs: number;
  busyForMs: number;
  /** Pause in milliseconds after a check has found the queue empty; by default `idleMs`. */
  emptyMs?: number;
}

/**
 * Chooses the pause between polls of a queue that also sends notifications. Polls are frequent for
 * `busyForMs` after the last work, because missed rows and expired leases are most likely at that time.
 */
export class PollPace {
  readonly #options: PollPaceOptions;
  readonly #now: () => number;
  #busyUntil = 0;
  #isEmpty = false;

  /** @param now function that returns the time in milliseconds */
  constructor(options: PollPaceOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Records that work for the queue has arrived or was found. */
  noteWork(): void {
    this.#busyUntil = this.#now() + this.#options.busyForMs;
    this.#isEmpty = false;
  }

  /** Records whether a check has found the queue empty. Ignored if work has arrived during the check. */
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
