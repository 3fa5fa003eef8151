import { describeConnectionCause } from './connection-cause.ts';
import { ConnectionError, ParleyError, TimeoutError } from './errors.ts';

/** Maximum delay of timers; timers with a longer delay fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Aborts an attempt after a timeout, or when the caller aborts. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #address: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasTimedOut = false;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);

  /** @param address URL of Parley, for error messages */
  constructor(timeoutMs: number, caller: AbortSignal | undefined, address: string) {
    caller?.throwIfAborted();
    this.#address = address;
    this.#caller = caller;
    caller?.addEventListener('abort', this.#abort);
    this.extend(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timeout. */
  extend(timeoutMs: number): void {
    this.suspend();
    if (timeoutMs > MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#hasTimedOut = true;
      this.#controller.abort();
    }, timeoutMs);
  }

  /** Suspends the timeout until `extend` is called. */
  suspend(): void {
    clearTimeout(this.#timer);
  }

  clear(): void {
    this.suspend();
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  /** Aborts the attempt. */
  stop(): void {
    this.clear();
    this.#controller.abort();
  }

  /** Converts an error of `fetch`, whose type depends on the platform. */
  explain(error: unknown): unknown {
    if (error instanceof ParleyError) return error;
    if (this.#caller?.aborted) return this.#caller.reason;
    if (this.#hasTimedOut)
      return new TimeoutError(`${this.#address} did not respond in time.`, { cause: error });
    const reason = describeConnectionCause(error) ?? 'no response arrived';
    return new ConnectionError(
      `The connection to ${this.#address} failed: ${reason}. To use another address, set PARLEY_URL.`,
      { cause: error },
    );
  }
}
