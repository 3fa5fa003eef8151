import { runBounds } from './flow-graph.ts';

/** Thrown when a step of a flow reads, writes and compares more characters than its limit. */
export class WorkLimitExceeded extends Error {
  constructor() {
    super('The step reads too many characters.');
  }
}

/**
 * Counts the characters that a step of a flow reads, writes and compares, and stops the step at a limit.
 * Unlike a time limit, a count gives the same result on every machine.
 */
export class StepWork {
  readonly #max: number;
  #spent = 0;

  /** @param max limit of the flow's step, in characters */
  constructor(max: number = runBounds.workOfStep) {
    this.#max = max;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws WorkLimitExceeded if the step's total exceeds the limit */
  spend(characters: number): void {
    this.#spent += characters;
    if (this.#spent > this.#max) throw new WorkLimitExceeded();
  }
}
