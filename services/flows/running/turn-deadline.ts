/** Time limit of a turn. */
export class TurnDeadline {
  /** Aborts pending work when the time is up. */
  readonly signal: AbortSignal;
  readonly #at: number;

  constructor(durationMs: number) {
    this.signal = AbortSignal.timeout(durationMs);
    this.#at = performance.now() + durationMs;
  }

  /** Compares clocks as well: the signal's timer is late while a turn keeps the event loop busy. */
  get hasPassed(): boolean {
    return this.signal.aborted || performance.now() >= this.#at;
  }
}
