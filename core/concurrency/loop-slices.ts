import { setImmediate as waitForNextTurn } from 'node:timers/promises';

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
  last = last.then(() => waitForNextTurn());
  return last;
}

/** Time at which sliced work began in the current turn of the loop; undefined before such work. */
let turnStartTime: number | undefined;

/** Returns the time at which sliced work began in this turn, which is now if there was none. */
function beginSlices(): number {
  if (turnStartTime === undefined) {
    turnStartTime = performance.now();
    setImmediate(() => (turnStartTime = undefined));
  }
  return turnStartTime;
}

/**
 * Yields to the event loop if sliced work has lasted long enough in this turn. All callers share a turn, so many
 * concurrent requests do not add up to a long one. Call this regularly during long work.
 */
export async function pauseIfDue(): Promise<void> {
  if (performance.now() - beginSlices() < SLICE_MS) return;
  await yieldToEventLoop();
  beginSlices();
}

/** Runs the steps of long work in slices. Returns the generator's result. */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    await pauseIfDue();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
