import { runBounds } from './flow-graph.ts';

/** A step has read, written and compared more characters than it may. */
export class TooMuchWork extends Error {
  constructor() {
    super('The step reads more characters than it may.');
  }
}

/**
 * Counts what a step costs, in characters, so that every step ends soon whatever its values are. A count gives the same
 * result on every machine, which a time would not.
 */
export class StepWork {
  readonly #most: number;
  #spent = 0;

  /** @param most characters that the step may cost */
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
