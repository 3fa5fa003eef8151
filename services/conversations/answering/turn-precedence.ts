import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 250;
/** After a turn another one of the same crowd may come so much later. */
const QUIET_MS = 25;
const CHECK_MS = 5;

/** While so many turns and answers are under way at once, new turns come first. */
const CROWD = 32;

/** Lets all visitors of a crowd see that they were heard before their answers are made. */
export class TurnPrecedence {
  #writing = 0;
  #lastTurnAt = 0;
  #given: Promise<void> | undefined;

  async of<T>(turn: Promise<T>): Promise<T> {
    this.#writing += 1;
    try {
      return await turn;
    } finally {
      this.#writing -= 1;
      this.#lastTurnAt = performance.now();
    }
  }

  /**
   * Resolves once no turn of a crowd has come for a while, after a quarter of a second at most.
   * @param answering how many answers are under way
   */
  async given(answering: number): Promise<void> {
    if (!this.isCrowd(answering)) return;
    await (this.#given ??= this.#wait().finally(() => (this.#given = undefined)));
  }

  isCrowd(answering: number): boolean {
    return this.#writing + answering >= CROWD;
  }

  async #wait(): Promise<void> {
    const end = performance.now() + LONGEST_MS;
    do await sleep(CHECK_MS);
    while (this.#isMoreToCome() && performance.now() < end);
  }

  #isMoreToCome(): boolean {
    return this.#writing > 0 || performance.now() < this.#lastTurnAt + QUIET_MS;
  }
}
