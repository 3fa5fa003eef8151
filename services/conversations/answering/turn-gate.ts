/** Answers wait at most so long for turns. */
const MAX_WAIT_MS = 250;
/** After a turn another one of the same crowd may come so much later. */
const QUIET_MS = 25;
/** While so many turns and answers are under way at once, new turns come first. */
const CROWD = 32;

/** Lets all visitors of a crowd see that they were heard before their answers are made. */
export class TurnGate {
  readonly #countAnswers: () => number;
  #writing = 0;
  #lastTurnAt = -QUIET_MS;
  /** Opens the gate for all answers that wait at it. */
  #open: (() => void) | undefined;
  #opened: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;

  /** @param countAnswers tells how many answers are under way */
  constructor(countAnswers: () => number) {
    this.#countAnswers = countAnswers;
  }

  get isCrowded(): boolean {
    return this.#writing + this.#countAnswers() >= CROWD;
  }

  /** Returns what the turn does; answers of a crowd wait for it. */
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

  /** Resolves at once without a crowd; otherwise once no turn has come for a while, after a quarter of a second at most. */
  async passed(): Promise<void> {
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
