import { runBounds } from './flow-graph.ts';

/** A step has exceeded its limit of characters to read, write and compare. */
export class TooMuchWork extends Error {
  constructor() {
    super('The step reads more characters than it may.');
  }
}

/**
 * Counts the cost of a step in characters, so that every step ends soon whatever its values. Unlike a time limit, a
 * count gives the same result on every machine.
 */
export class StepWork {
  readonly #most: number;
  #spent = 0;

  /** @param most maximum cost of the step in characters */
  constructor(most: number = runBounds.workOfStep) {
    this.#most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws TooMuchWork */
  spend(characters: number): void {
    this.#spent += characters;
    if (this.#spent > this.#most) throw new TooMuchWork();
  }
}
