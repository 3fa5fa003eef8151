import { mergeBusyMinutes, type MsInterval } from '../../../core/bookings/busy-minutes.ts';
import { DAY_MS } from '../../../core/local-clock.ts';
import {
  CalendarRefused,
  CalendarUnavailable,
  type BlockingKinds,
  type CalendarAccount,
  type CalendarBusy,
  type CalendarDescriptor,
  type CalendarEvent,
  type CallOptions,
  type EventProblem,
  type EventRef,
  type OwnEvent,
  type OwnRef,
  type TimeRange,
  type WriteOutcome,
  type WrittenBefore,
} from '../calendar-provider.ts';
import { limitBusyPeriods } from '../limit-busy-periods.ts';
import { listBusyIntervals, ReadingBudget } from './bounded-expansion.ts';
import { CalDavObjects, type CalendarObject } from './caldav-objects.ts';
import { DavHttp, type SendToServer } from './dav-http.ts';
import type { CalDavCredentials } from './discover.ts';
import { renderEventIcs } from './event-ics.ts';
import { findEventTime, UnreadableEvent } from './events/expand-events.ts';
import { readFreeBusy } from './free-busy.ts';
import { listCalDavCalendars } from './list-calendars.ts';
import { createZone } from './zones/zones.ts';

const OBJECTS_AT_ONCE = 50;
/**
 * Time in milliseconds by which a query of events is extended on both sides. Servers place all-day events,
 * and times without a zone, in zones of their own.
 */
const ZONE_MARGIN_MS = DAY_MS;
/** Maximum number of unreadable events that Parley reports for one calendar. */
const MAX_PROBLEMS = 20;

export interface CalDavAccountOptions {
  /** Time zone for all-day events, and for times without a zone, of calendars that have no time zone. */
  timezone: string;
  blocking: BlockingKinds;
  /** Id of the payer of the account's workspace; payers get equal turns of the CalDAV thread. */
  payerId: string;
}

/** State that is shared while several calendars of an account are read. */
interface ReadingState {
  zones: Map<string, string | null>;
  budget: ReadingBudget;
  exceptHref?: string;
}

interface Rewriting {
  href: string;
  event: CalendarEvent;
  before: WrittenBefore;
  budget: ReadingBudget;
}

/**
 * An account on a CalDAV server. URLs identify its calendars and events. Parsing a server's data may take
 * seconds, so `CalDavCalendar` runs this class in a thread.
 */
export class CalDavAccount implements CalendarAccount {
  readonly #credentials: CalDavCredentials;
  readonly #dav: DavHttp;
  readonly #options: CalDavAccountOptions;

  constructor(credentials: CalDavCredentials, sendToServer: SendToServer, options: CalDavAccountOptions) {
    this.#credentials = credentials;
    this.#dav = new DavHttp(credentials, sendToServer);
    this.#options = options;
  }

  listCalendars({ signal }: CallOptions = {}): Promise<CalendarDescriptor[]> {
    return this.#listCalendars(this.#createBudget(signal));
  }

  async readBusy(
    calendarIds: readonly string[],
    range: TimeRange,
    { signal }: CallOptions = {},
  ): Promise<CalendarBusy[]> {
    const reading = await this.#beginReading(signal);
    const read: CalendarBusy[] = [];
    for (const calendarId of calendarIds)
      read.push(
        await this.#readCalendarBusy(calendarId, range, reading).then(
          ({ busy, problems }) => ({ calendarId, busy, ...(problems.length > 0 && { problems }) }),
          (error: unknown) => {
            if (error instanceof CalendarUnavailable || error instanceof CalendarRefused)
              return { calendarId, error };
            throw error;
          },
        ),
      );
    return limitBusyPeriods(read);
  }

  async readBusyExcept(
    { calendarId, eventId }: EventRef,
    range: TimeRange,
    { signal }: CallOptions = {},
  ): Promise<number[]> {
    const reading = { ...(await this.#beginReading(signal)), exceptHref: eventId };
    return (await this.#readCalendarBusy(calendarId, range, reading)).busy;
  }

  async writeEvent(
    calendarId: string,
    event: CalendarEvent,
    before: WrittenBefore | null = null,
    { signal }: CallOptions = {},
  ): Promise<WriteOutcome> {
    const budget = this.#createBudget(signal);
    const objects = this.#openObjects(calendarId, budget);
    const href = before?.eventId ?? objects.resolveHref(event.bookingId);
    if (before) return this.#rewriteEvent(objects, { href, event, before, budget });
    const { status, etag } = await objects.put(href, renderEventIcs(event), { 'if-none-match': '*' });
    if (status < 300) return { state: 'written', calendarId, eventId: href, version: etag };
    const conflicting = status === 412 ? await objects.get(href) : null;
    // Parley searches by UID as well, since some calendar programs store the event under another URL.
    const found =
      conflicting ??
      (status === 412 || status === 409 || status === 403 ? await objects.find(event.bookingId) : null);
    if (found && (await this.#readEventRange(found, event.bookingId, budget)))
      return { state: 'written', calendarId, eventId: found.href, version: found.etag };
    throw toCalDavRefusal(status);
  }

  async removeEvent(
    calendarId: string,
    { bookingId, eventId }: OwnRef,
    { signal }: CallOptions = {},
  ): Promise<void> {
    const objects = this.#openObjects(calendarId, this.#createBudget(signal));
    const status = await objects.delete(objects.resolveHref(eventId ?? bookingId));
    if (status >= 300 && status !== 404 && status !== 410) throw toCalDavRefusal(status);
  }

  async readOwnEvents(
    calendarId: string,
    refs: readonly OwnRef[],
    _orgId: string,
    { signal }: CallOptions = {},
  ): Promise<OwnEvent[]> {
    const budget = this.#createBudget(signal);
    const objects = this.#openObjects(calendarId, budget);
    const ownEvents: OwnEvent[] = [];
    for (let at = 0; at < refs.length; at += OBJECTS_AT_ONCE) {
      const batch = refs.slice(at, at + OBJECTS_AT_ONCE);
      const hrefs = batch.map(({ bookingId, eventId }) => objects.resolveHref(eventId ?? bookingId));
      const found = await objects.getAll(hrefs);
      for (const [index, { bookingId }] of batch.entries()) {
        const href = hrefs[index]!;
        // Try several lookups before the booking's event counts as deleted, because its booking is then
        // canceled.
        const object = found.get(href) ?? (await objects.find(bookingId)) ?? (await objects.get(href));
        const event = object
          ? await this.#toOwnEvent(bookingId, object, budget)
          : ({ bookingId, state: 'gone' } as const);
        if (event) ownEvents.push(event);
      }
    }
    return ownEvents;
  }

  /** Does nothing: CalDAV has no way to revoke an app password. Owners revoke it at their provider. */
  async revoke(): Promise<void> {}

  /**
   * Updates a booking's event in the calendar if it is unchanged since Parley wrote it. Leaves an event that
   * the calendar's owner has changed.
   */
  async #rewriteEvent(
    objects: CalDavObjects,
    { href, event, before: { version }, budget }: Rewriting,
  ): Promise<WriteOutcome> {
    const found = (await objects.get(href)) ?? (await objects.find(event.bookingId));
    const range = found && (await this.#readEventRange(found, event.bookingId, budget));
    if (!found || !range) return { state: 'deleted' };
    const outcome = { state: 'written', calendarId: objects.calendarId, eventId: found.href } as const;
    const isSame =
      range.start.getTime() === event.start.getTime() && range.end.getTime() === event.end.getTime();
    if (isSame || version === null || found.etag !== version) return { ...outcome, version: found.etag };
    const { status, etag } = await objects.put(found.href, renderEventIcs(event), { 'if-match': version });
    if (status === 412) return { ...outcome, version: found.etag };
    if (status >= 300) throw toCalDavRefusal(status);
    return { ...outcome, version: etag };
  }

  async #readCalendarBusy(
    calendarId: string,
    range: TimeRange,
    { zones, budget, exceptHref }: ReadingState,
  ): Promise<{ busy: number[]; problems: EventProblem[] }> {
    const within: MsInterval = [range.start.getTime(), range.end.getTime()];
    const objects = this.#openObjects(calendarId, budget);
    const found = await objects.listWithin({
      start: new Date(within[0] - ZONE_MARGIN_MS),
      end: new Date(within[1] + ZONE_MARGIN_MS),
    });
    if (found === 'unsupported') return { busy: await readFreeBusy(objects, range, budget), problems: [] };
    const zone = createZone(zones.get(calendarId) ?? this.#options.timezone);
    const { addresses } = this.#credentials;
    const problems: EventProblem[] = [];
    const onProblem = (problem: EventProblem): void => {
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    };
    const expansion = { within, zone, addresses, ...this.#options.blocking, onProblem };
    const intervals = await listBusyIntervals(listEventTexts(found, exceptHref), expansion, budget);
    return { busy: mergeBusyMinutes(intervals, within), problems };
  }

  async #toOwnEvent(
    bookingId: string,
    object: CalendarObject,
    budget: ReadingBudget,
  ): Promise<OwnEvent | undefined> {
    try {
      const range = await this.#readEventRange(object, bookingId, budget);
      const { href: eventId, etag: version } = object;
      return range ? { bookingId, state: 'there', eventId, version, ...range } : { bookingId, state: 'gone' };
    } catch (error) {
      if (error instanceof CalendarUnavailable) return undefined;
      throw error;
    }
  }

  /**
   * Returns start and end of the booking's event, or null if the calendar object does not contain it.
   * @throws CalendarUnavailable if the event cannot be parsed
   */
  async #readEventRange(
    { text }: CalendarObject,
    bookingId: string,
    budget: ReadingBudget,
  ): Promise<TimeRange | null> {
    try {
      return await budget.run(() => findEventTime(text, bookingId, createZone(this.#options.timezone)));
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      throw new CalendarUnavailable('The event could not be read.', { cause: error });
    }
  }

  async #beginReading(signal: AbortSignal | undefined): Promise<ReadingState> {
    const budget = this.#createBudget(signal);
    const calendars = await this.#listCalendars(budget);
    const zones = new Map(calendars.map(({ id, timezone }) => [id, timezone]));
    return { zones, budget };
  }

  #listCalendars(budget: ReadingBudget): Promise<CalendarDescriptor[]> {
    return listCalDavCalendars(this.#dav, this.#credentials.homeUrl, budget);
  }

  #createBudget(signal: AbortSignal | undefined): ReadingBudget {
    return new ReadingBudget(this.#options.payerId, signal);
  }

  #openObjects(calendarId: string, budget: ReadingBudget): CalDavObjects {
    return new CalDavObjects(this.#dav, calendarId, budget);
  }
}

async function* listEventTexts(
  objects: AsyncIterable<CalendarObject>,
  exceptHref: string | undefined,
): AsyncGenerator<string> {
  for await (const { href, text } of objects) if (href !== exceptHref) yield text;
}

function toCalDavRefusal(status: number): CalendarRefused {
  if (status === 404 || status === 410)
    return new CalendarRefused('The calendar no longer exists; choose another one in the settings.');
  if (status === 403)
    return new CalendarRefused('The calendar server does not permit writing to this calendar.');
  return new CalendarRefused(`The calendar server refused the event (status ${status}).`);
}
