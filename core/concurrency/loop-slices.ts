import { setImmediate } from 'node:timers/promises';

/** Short enough for waiting requests, long enough for most work to end within one slice. */
const SLICE_MS = 5;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that resumes no other caller. Otherwise the slices of many callers would add up
 * between two requests.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Cuts long work into slices, between which the rest of the process continues. */
export class LoopSlices {
  #startedAt = performance.now();

  /** Yields to the event loop if the slice is over. Await it wherever the work can pause. */
  async pauseIfDue(): Promise<void> {
    if (performance.now() - this.#startedAt < SLICE_MS) return;
    await yieldToEventLoop();
    this.#startedAt = performance.now();
  }
}
