/** Maximum time in milliseconds for which an answer waits while new messages are stored. */
const MAX_WAIT_MS = 250;
/** Time in milliseconds without a stored message after which waiting answers start. */
const QUIET_MS = 25;
/**
 * Minimum number of concurrent messages and answers at which storing visitors' messages takes precedence over
 * generating answers.
 */
const CROWD_SIZE = 32;

/**
 * Under load, stores visitors' new messages before any answers start. Every visitor then soon sees that the
 * message was accepted.
 */
export class TurnGate {
  readonly #countAnswers: () => number;
  #writing = 0;
  #lastTurnAt = -QUIET_MS;
  /** Lets all waiting answers start. */
  #openGate: (() => void) | undefined;
  #opened: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;

  /** @param countAnswers function that returns the number of running answers */
  constructor(countAnswers: () => number) {
    this.#countAnswers = countAnswers;
  }

  get isCrowded(): boolean {
    return this.#writing + this.#countAnswers() >= CROWD_SIZE;
  }

  /** Tracks a visitor's message while it is stored. Under load, answers wait until it is stored. */
  async trackWrite<T>(turn: Promise<T>): Promise<T> {
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

  /**
   * Waits under load until no message was stored for `QUIET_MS`, at most `MAX_WAIT_MS`. Resolves at once
   * without load.
   */
  async waitForTurns(): Promise<void> {
    if (!this.isCrowded) return;
    await (this.#opened ??= this.#wait());
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#openGate?.(), MAX_WAIT_MS);
      this.#openGate = () => {
        clearTimeout(deadline);
        clearTimeout(this.#quiet);
        this.#openGate = this.#opened = undefined;
        resolve();
      };
      this.#openWhenQuiet();
    });
  }

  #openWhenQuiet(): void {
    clearTimeout(this.#quiet);
    const quietMs = performance.now() - this.#lastTurnAt;
    if (this.#writing === 0 && this.#openGate) this.#quiet = setTimeout(this.#openGate, QUIET_MS - quietMs);
  }
}
