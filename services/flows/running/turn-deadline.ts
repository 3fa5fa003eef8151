/** Enforces the time limit of one run of a flow. */
export class TurnDeadline {
  /** Signal that aborts when the time limit of the flow's run is reached. */
  readonly signal: AbortSignal;
  readonly #endMs: number;

  constructor(durationMs: number) {
    this.signal = AbortSignal.timeout(durationMs);
    this.#endMs = performance.now() + durationMs;
  }

  /** Also reads the clock, because the signal aborts late if the run keeps the event loop busy. */
  get hasPassed(): boolean {
    return this.signal.aborted || performance.now() >= this.#endMs;
  }
}
