import {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
  type CalendarAccount,
} from '../calendar-provider.ts';
import type { ProviderRequest } from '../provider-http.ts';
import type { CalDavAccountOptions } from './caldav-account.ts';
import type { DavReply } from './dav-http.ts';
import type { CalDavCredentials, ServerLogin } from './discover.ts';

/**
 * Names of the calendar account's methods that run in the CalDAV thread. The last argument of each is
 * `CallOptions`.
 */
export type AccountMethod = Exclude<keyof CalendarAccount, 'revoke'>;

/**
 * Stand-in for the payer of accounts whose workspace is not known yet, because a person is only connecting
 * them. These accounts share the turns of one payer.
 */
export const CONNECTING_PAYER_ID = '';

/** Task for the CalDAV thread, which parses the data of calendar servers. */
export type CalDavTask =
  | { kind: 'discover'; login: ServerLogin }
  | {
      kind: 'account';
      credentials: CalDavCredentials;
      options: CalDavAccountOptions;
      method: AccountMethod;
      /** Arguments of the calendar account's method, without its `CallOptions`. */
      args: readonly unknown[];
    };

export type ToThread =
  | { kind: 'call'; callId: number; task: CalDavTask }
  | { kind: 'abort'; callId: number }
  | { kind: 'reply'; requestId: number; outcome: Outcome<DavReply> }
  | { kind: 'ping' };

export type FromThread =
  /**
   * Message that the CalDAV thread has started. `statPath` is the path from `threadStatPath`, from which the
   * thread's CPU time is read.
   */
  | { kind: 'started'; statPath: string | null }
  | { kind: 'request'; callId: number; requestId: number; request: ProviderRequest }
  | { kind: 'settled'; callId: number; outcome: Outcome<unknown> }
  | { kind: 'pong' };

export type Outcome<T> = { value: T } | { failure: Failure };

/**
 * An error as sent between the CalDAV thread and the main thread. Messages do not preserve the class of an
 * error.
 */
export interface Failure {
  name: string;
  message: string;
  retryAfterMs?: number;
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  const pauseMs = error instanceof CalendarUnavailable ? error.retryAfterMs : undefined;
  return { name, message, ...(pauseMs !== undefined && { retryAfterMs: pauseMs }) };
}

export function toError({ name, message, retryAfterMs }: Failure): Error {
  if (name === 'CalendarReconnect') return new CalendarReconnect(message);
  if (name === 'CalendarRefused') return new CalendarRefused(message);
  if (name === 'CalendarUnavailable')
    return new CalendarUnavailable(message, retryAfterMs === undefined ? {} : { retryAfterMs });
  return new Error(message, { cause: name });
}

/**
 * Returns the value of a successful call in the CalDAV thread.
 * @throws the error of a failed call, with its original class
 */
export function unwrapOutcome<T>(outcome: Outcome<T>): T {
  if ('failure' in outcome) throw toError(outcome.failure);
  return outcome.value;
}
