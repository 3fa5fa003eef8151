/**
 * How often a queue is looked at that also tells when something comes. What is left over, such as the leases of a process
 * that has died, follows what came by moments: so it is looked at often while that is not long ago.
 */
export class PollPace {
  readonly #options: { busyMs: number; idleMs: number; busyForMs: number };
  #busyUntil = 0;

  constructor(options: { busyMs: number; idleMs: number; busyForMs: number }) {
    this.#options = options;
  }

  /** Something has come, or was found. */
  note(): void {
    this.#busyUntil = performance.now() + this.#options.busyForMs;
  }

  get pauseMs(): number {
    const { busyMs, idleMs } = this.#options;
    return performance.now() < this.#busyUntil ? busyMs : idleMs;
  }
}
