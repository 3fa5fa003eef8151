import { ConnectionError, ParleyError, TimeoutError } from './errors.ts';

/** A timer that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Ends an attempt when its time is over or its caller wants it to. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    this.#caller = caller;
    caller?.addEventListener('abort', this.#abort);
    this.extend(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time begins anew. */
  extend(timeoutMs: number): void {
    this.rest();
    if (timeoutMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, timeoutMs);
  }

  /** There is no hurry, until it is extended. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  clear(): void {
    this.rest();
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  /** Ends what is still under way. */
  stop(): void {
    this.clear();
    this.#controller.abort();
  }

  /** What an attempt failed for: what `fetch` throws differs from place to place. */
  explain(error: unknown): unknown {
    if (error instanceof ParleyError) return error;
    if (this.#caller?.aborted) return this.#caller.reason;
    if (this.#isOver) return new TimeoutError('No answer came in time.', { cause: error });
    return new ConnectionError('The connection failed.', { cause: error });
  }
}
