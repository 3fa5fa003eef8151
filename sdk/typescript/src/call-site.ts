import { ParleyError } from './errors.ts';

/** Matches the start of the first frame in the stack of an error in V8. */
const FRAMES = /\n {4}at /;

/**
 * The stack of an SDK call. An error that arrives with the response has no frame of the code that made the
 * call.
 */
export class CallSite {
  /** Error whose stack is the call's. V8 formats the stack only when it is read. */
  readonly #error = new Error();

  /** Replaces an error's stack by its description and the frames of the SDK call. */
  addTo(error: unknown): void {
    const stack = this.#error.stack ?? '';
    const start = stack.search(FRAMES);
    if (error instanceof ParleyError && start >= 0) error.stack = `${String(error)}${stack.slice(start)}`;
  }
}
