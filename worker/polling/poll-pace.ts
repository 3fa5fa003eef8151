export interface PollPaceOptions {
  busyMs: number;
  idleMs: number;
  busyForMs: number;
  /** While nothing is there at all, if that is known. */
  emptyMs?: number;
}

/**
 * How often a queue is looked at that also tells when something comes. What is left over, such as the leases of a process
 * that has died, follows what came by moments: so it is looked at often while that is not long ago.
 */
export class PollPace {
  readonly #options: PollPaceOptions;
  readonly #now: () => number;
  #busyUntil = 0;
  #isEmpty = false;

  /** @param now a clock in milliseconds */
  constructor(options: PollPaceOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Something has come, or was found. */
  note(): void {
    this.#busyUntil = this.#now() + this.#options.busyForMs;
    this.#isEmpty = false;
  }

  /** Whether nothing is there now, unless something has come while that was looked for. */
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
