import {
  BLOCK_ALL,
  type CalendarAccount,
  type CalendarBusy,
  type CalendarDescriptor,
  type CalendarEvent,
  type CallOptions,
  type EventRef,
  type OwnEvent,
  type OwnRef,
  type TimeRange,
  type WriteOutcome,
  type WrittenBefore,
} from '../calendar-provider.ts';
import type { ProviderHttp } from '../provider-http.ts';
import type { CalDavAccountOptions } from './caldav-account.ts';
import type { CalDavCredentials, ServerLogin } from './discover.ts';
import { runInCalDavThread } from './thread-client.ts';
import { CONNECTING_PAYER_ID, toError, type AccountMethod, type Failure } from './thread-protocol.ts';

/**
 * Finds the calendars of a CalDAV account by its server's URL, in a thread.
 * @throws CalendarReconnect if the password is wrong
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function discoverCalDav(
  login: ServerLogin,
  http: ProviderHttp,
  signal?: AbortSignal,
): Promise<CalDavCredentials> {
  return (await runInCalDavThread({ kind: 'discover', login }, http, signal)) as CalDavCredentials;
}

/**
 * An account on a CalDAV server. A separate thread processes the account, because parsing the server's data
 * may take long.
 */
export class CalDavCalendar implements CalendarAccount {
  readonly #credentials: CalDavCredentials;
  readonly #http: ProviderHttp;
  readonly #options: CalDavAccountOptions;

  constructor(
    credentials: CalDavCredentials,
    http: ProviderHttp,
    {
      timezone = 'UTC',
      blocking = BLOCK_ALL,
      payerId = CONNECTING_PAYER_ID,
    }: Partial<CalDavAccountOptions> = {},
  ) {
    this.#credentials = credentials;
    this.#http = http;
    this.#options = { timezone, blocking, payerId };
  }

  listCalendars(options?: CallOptions): Promise<CalendarDescriptor[]> {
    return this.#runInThread('listCalendars', [], options);
  }

  async readBusy(
    calendarIds: readonly string[],
    range: TimeRange,
    options?: CallOptions,
  ): Promise<CalendarBusy[]> {
    const read: (Extract<CalendarBusy, { busy: unknown }> | { calendarId: string; failure: Failure })[] =
      await this.#runInThread('readBusy', [calendarIds, range], options);
    return read.map((calendar) =>
      'busy' in calendar ? calendar : { calendarId: calendar.calendarId, error: toError(calendar.failure) },
    );
  }

  readBusyExcept(ref: EventRef, range: TimeRange, options?: CallOptions): Promise<number[]> {
    return this.#runInThread('readBusyExcept', [ref, range], options);
  }

  writeEvent(
    calendarId: string,
    event: CalendarEvent,
    before: WrittenBefore | null = null,
    options?: CallOptions,
  ): Promise<WriteOutcome> {
    return this.#runInThread('writeEvent', [calendarId, event, before], options);
  }

  removeEvent(calendarId: string, ref: OwnRef, options?: CallOptions): Promise<void> {
    return this.#runInThread('removeEvent', [calendarId, ref], options);
  }

  readOwnEvents(
    calendarId: string,
    refs: readonly OwnRef[],
    orgId: string,
    options?: CallOptions,
  ): Promise<OwnEvent[]> {
    return this.#runInThread('readOwnEvents', [calendarId, refs, orgId], options);
  }

  /** Does nothing: CalDAV has no way to revoke an app password. Owners revoke it at their provider. */
  async revoke(): Promise<void> {}

  async #runInThread<T>(
    method: AccountMethod,
    args: readonly unknown[],
    { signal }: CallOptions = {},
  ): Promise<T> {
    const task = {
      kind: 'account',
      credentials: this.#credentials,
      options: this.#options,
      method,
      args,
    } as const;
    return (await runInCalDavThread(task, this.#http, signal)) as T;
  }
}
