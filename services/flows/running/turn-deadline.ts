/** When a turn has taken too long. */
export class TurnDeadline {
  /** Aborts what the turn waits for. */
  readonly signal: AbortSignal;
  readonly #at: number;

  constructor(durationMs: number) {
    this.signal = AbortSignal.timeout(durationMs);
    this.#at = performance.now() + durationMs;
  }

  /** By the clock: the signal's timer is late where the turn itself, or another one, keeps the event loop busy. */
  get hasPassed(): boolean {
    return this.signal.aborted || performance.now() >= this.#at;
  }
}
