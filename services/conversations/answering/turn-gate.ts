/** Answers wait for turns at most this long. */
const MAX_WAIT_MS = 250;
/** The gate opens once no turn was written for this long. */
const QUIET_MS = 25;
/** Number of concurrent turns and answers from which on new turns come first. */
const CROWD_SIZE = 32;

/** Under load, stores new turns before it starts answers, so that every visitor soon sees the own message accepted. */
export class TurnGate {
  readonly #countAnswers: () => number;
  #writing = 0;
  #lastTurnAt = -QUIET_MS;
  /** Opens the gate for all answers that wait at it. */
  #open: (() => void) | undefined;
  #opened: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;

  /** @param countAnswers returns the number of running answers */
  constructor(countAnswers: () => number) {
    this.#countAnswers = countAnswers;
  }

  get isCrowded(): boolean {
    return this.#writing + this.#countAnswers() >= CROWD_SIZE;
  }

  /** Tracks the write of a turn, which answers wait for under load. */
  async admit<T>(turn: Promise<T>): Promise<T> {
    this.#writing += 1;
    clearTimeout(this.#quiet);
    try {
      return await turn;
    } finally {
      this.#writing -= 1;
      this.#lastTurnAt = performance.now();
      this.#openWhenQuiet();
    }
  }

  /** Resolves at once unless crowded; otherwise after `QUIET_MS` without a turn, or after `MAX_WAIT_MS`. */
  async waitForTurns(): Promise<void> {
    if (!this.isCrowded) return;
    await (this.#opened ??= this.#wait());
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#open?.(), MAX_WAIT_MS);
      this.#open = () => {
        clearTimeout(deadline);
        clearTimeout(this.#quiet);
        this.#open = this.#opened = undefined;
        resolve();
      };
      this.#openWhenQuiet();
    });
  }

  #openWhenQuiet(): void {
    clearTimeout(this.#quiet);
    const quietMs = performance.now() - this.#lastTurnAt;
    if (this.#writing === 0 && this.#open) this.#quiet = setTimeout(this.#open, QUIET_MS - quietMs);
  }
}
