import { setImmediate } from 'node:timers/promises';

/** Short enough for requests that wait meanwhile, long enough for most work to end within one slice. */
const SLICE_MS = 5;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in an iteration of the event loop in which no other caller is resumed, so that the slices of many callers do
 * not add up between two requests.
 */
export function yieldToEventLoop(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Cuts long work into slices, between which the rest of the process continues. */
export class LoopSlices {
  #begunAt = performance.now();

  /** To be awaited wherever the work can pause. */
  async pauseIfDue(): Promise<void> {
    if (performance.now() - this.#begunAt < SLICE_MS) return;
    await yieldToEventLoop();
    this.#begunAt = performance.now();
  }
}
