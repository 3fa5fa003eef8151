import { describeConnectionCause } from './connection-cause.ts';
import type { Address } from './environment.ts';
import { ConnectionError, ParleyError, TimeoutError } from './errors.ts';

/** Maximum delay in milliseconds of JavaScript timers; timers with a longer delay fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * A timeout of a request or stream, and the option that set the timeout; undefined if the operation's default
 * applies.
 */
export interface TimeLimit {
  ms: number;
  /** True if the limit is the time without data after which an open stream counts as broken. */
  isSilence?: true;
  option?: 'timeoutMs' | 'streamSilenceMs' | undefined;
}

/** Formats a duration in seconds, or in milliseconds if it is short. */
export function formatMs(ms: number): string {
  return ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`;
}

/** Aborts an attempt to send a request after a timeout, or when the caller aborts the call. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #address: Address;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #exceeded: TimeLimit | undefined;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);

  constructor(limit: TimeLimit, caller: AbortSignal | undefined, address: Address) {
    caller?.throwIfAborted();
    this.#address = address;
    this.#caller = caller;
    caller?.addEventListener('abort', this.#abort);
    this.extend(limit);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the timeout of the attempt. */
  extend(limit: TimeLimit): void {
    this.suspend();
    if (limit.ms > MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#exceeded = limit;
      this.#controller.abort();
    }, limit.ms);
  }

  /** Suspends the timeout of the attempt until `extend` is called. */
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

  /** Converts an error of `fetch`, whose type depends on the platform, to an error of the SDK. */
  explain(error: unknown): unknown {
    if (error instanceof ParleyError) return error;
    if (this.#caller?.aborted) return this.#caller.reason;
    if (this.#exceeded)
      return new TimeoutError(describeTimeout(this.#address.baseUrl, this.#exceeded), { cause: error });
    const reason = describeConnectionCause(error) ?? 'no response arrived';
    const { baseUrl, urlSetting } = this.#address;
    return new ConnectionError(
      `The connection to ${baseUrl} failed: ${reason}. To use another address, set ${urlSetting}.`,
      { cause: error },
    );
  }
}

function describeTimeout(address: string, { ms, option, isSilence }: TimeLimit): string {
  const failure = isSilence ? 'sent nothing' : 'did not respond';
  return `${address} ${failure} within ${formatMs(ms)}${option === undefined ? '' : ` (${option})`}.`;
}
