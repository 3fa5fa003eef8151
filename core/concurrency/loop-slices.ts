import { setImmediate } from 'node:timers/promises';

/**
 * Maximum length of a slice of work, in milliseconds. Requests can wait this long, and most work fits into
 * one slice.
 */
const SLICE_MS = 5;

let last: Promise<void> = Promise.resolve();

/**
 * Yields to the event loop. Only one waiting caller resumes in each turn of the loop; if all callers resumed,
 * requests would wait for the slices of all of them.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Divides long work into slices. Between two slices, the process can do other work. */
export class LoopSlices {
  #startedAt = performance.now();

  /**
   * Yields to the event loop if the current slice has lasted long enough. Call this regularly during long
   * work.
   */
  async pauseIfDue(): Promise<void> {
    if (performance.now() - this.#startedAt < SLICE_MS) return;
    await yieldToEventLoop();
    this.#startedAt = performance.now();
  }
}

/** Runs the steps of long work in slices. Returns the generator's result. */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  const slices = new LoopSlices();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await slices.pauseIfDue();
  }
}
