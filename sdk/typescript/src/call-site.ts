import { ParleyError } from './errors.ts';

/** First line of a stack in V8, without the frames. */
const FRAMES = /\n {4}at /;

/** The stack of a call. An error that arrives with the response has no frame of the caller. */
export class CallSite {
  /** V8 formats the stack only when it is read. */
  readonly #error = new Error();

  /** Replaces an error's stack by its description and the frames of the call. */
  addTo(error: unknown): void {
    const stack = this.#error.stack ?? '';
    const start = stack.search(FRAMES);
    if (error instanceof ParleyError && start >= 0) error.stack = `${String(error)}${stack.slice(start)}`;
  }
}
