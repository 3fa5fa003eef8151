import { mergeBusyMinutes, mergeBusy, type MsInterval } from '../../../core/bookings/busy-minutes.ts';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { findTimeZone } from '../../../core/time-zone.ts';
import {
  BLOCK_ALL,
  CalendarRefused,
  CalendarUnavailable,
  type BlockingKinds,
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
import { limitBusyPeriods } from '../limit-busy-periods.ts';
import { readErrorMessage, listErrorReasons, type GoogleResponse, type GoogleApi } from './google-api.ts';
import { asObject, readId, readTextValue, type JsonObject } from '../../http/response-values.ts';
import { asObjects, asText } from './google-json.ts';
import { toGoogleEvent, isOpaque, OWNER_PROPERTY, readGoogleRange } from './google-event.ts';

const CALENDARS_AT_ONCE = 50;
const PAGE_SIZE = '250';
/** Maximum number of pages to read of one of Google's lists, in case a server never ends the list. */
const MAX_PAGES = 20;
/**
 * Minimum length in milliseconds of the range of a calendar query. Google refuses long ranges without stating
 * the limit, so a refused range is halved.
 */
const MIN_RANGE_MS = 86_400_000;

/** A Google Calendar account, accessed through the REST API without a client library. */
export class GoogleCalendar implements CalendarAccount {
  readonly #api: GoogleApi;
  /** Time zone of all-day events if Google does not state the calendar's time zone. */
  readonly #timezone: string;
  readonly #blocking: BlockingKinds;

  constructor(api: GoogleApi, timezone: string, blocking: BlockingKinds = BLOCK_ALL) {
    this.#api = api;
    this.#timezone = timezone;
    this.#blocking = blocking;
  }

  async listCalendars({ signal }: CallOptions = {}): Promise<CalendarDescriptor[]> {
    const { items } = await this.#readPages('/users/me/calendarList', { maxResults: PAGE_SIZE }, signal);
    return items.flatMap((item) => {
      const id = readId(item['id']);
      if (id === null || item['deleted'] === true) return [];
      return {
        id,
        name: readTextValue(item['summaryOverride']) || readTextValue(item['summary']) || id,
        timezone: findTimeZone(asText(item['timeZone']) ?? ''),
        isPrimary: item['primary'] === true,
        canWrite: item['accessRole'] === 'owner' || item['accessRole'] === 'writer',
      };
    });
  }

  async readBusy(
    calendarIds: readonly string[],
    range: TimeRange,
    { signal }: CallOptions = {},
  ): Promise<CalendarBusy[]> {
    const { doAllDayEventsBlock, doUnansweredInvitationsBlock } = this.#blocking;
    const read: CalendarBusy[] = [];
    for (let at = 0; at < calendarIds.length; at += CALENDARS_AT_ONCE)
      read.push(...(await this.#readFreeBusy(calendarIds.slice(at, at + CALENDARS_AT_ONCE), range, signal)));
    if (doAllDayEventsBlock && doUnansweredInvitationsBlock) return limitBusyPeriods(read);
    // Google's busy times do not say from which events they come.
    for (const [index, calendar] of read.entries())
      if ('busy' in calendar && calendar.busy.length > 0)
        read[index] = await this.#readBusyEvents(calendar, range, signal);
    return limitBusyPeriods(read);
  }

  /**
   * Returns the busy times of the events that make the owner busy. If the calendar does not share its events,
   * keeps Google's busy times.
   */
  async #readBusyEvents(
    calendar: Extract<CalendarBusy, { busy: unknown }>,
    range: TimeRange,
    signal?: AbortSignal,
  ): Promise<CalendarBusy> {
    try {
      return { ...calendar, busy: await this.#listBusy(calendar.calendarId, range, signal) };
    } catch (error) {
      if (error instanceof CalendarRefused) return calendar;
      throw error;
    }
  }

  async readBusyExcept(
    { calendarId, eventId }: EventRef,
    range: TimeRange,
    { signal }: CallOptions = {},
  ): Promise<number[]> {
    return this.#listBusy(calendarId, range, signal, eventId);
  }

  /** Computes busy times from the events of a calendar. @param exceptId event that does not count */
  async #listBusy(
    calendarId: string,
    { start, end }: TimeRange,
    signal?: AbortSignal,
    exceptId?: string,
  ): Promise<number[]> {
    const { items, timezone } = await this.#readPages(
      buildEventsPath(calendarId),
      {
        timeMin: start.toISOString(),
        timeMax: end.toISOString(),
        singleEvents: 'true',
        maxResults: PAGE_SIZE,
      },
      signal,
    );
    const intervals = items
      .filter((item) => item['id'] !== exceptId && isOpaque(item, this.#blocking))
      .flatMap((item): MsInterval[] => {
        const range = readGoogleRange(item, timezone);
        return range ? [[range.start.getTime(), range.end.getTime()]] : [];
      });
    return mergeBusyMinutes(intervals, [start.getTime(), end.getTime()]);
  }

  async writeEvent(
    calendarId: string,
    event: CalendarEvent,
    before: WrittenBefore | null = null,
    { signal }: CallOptions = {},
  ): Promise<WriteOutcome> {
    const ref = { calendarId, eventId: toEventId(event.bookingId) };
    if (before) return this.#rewriteEvent(ref, event, before, signal);
    const answer = await this.#api.call({
      method: 'POST',
      path: buildEventsPath(calendarId),
      query: { sendUpdates: 'none' },
      body: toGoogleEvent(event),
      signal,
    });
    if (answer.status === 409) return this.#findWritten(ref, signal);
    return toWriteOutcome(ref, requireAccepted(answer, answer.body));
  }

  async removeEvent(calendarId: string, { bookingId }: OwnRef, { signal }: CallOptions = {}): Promise<void> {
    const answer = await this.#api.call({
      method: 'DELETE',
      path: buildEventPath(calendarId, toEventId(bookingId)),
      query: { sendUpdates: 'none' },
      signal,
    });
    if (answer.status !== 404 && answer.status !== 410) requireAccepted(answer, undefined);
  }

  async readOwnEvents(
    calendarId: string,
    refs: readonly OwnRef[],
    orgId: string,
    { signal }: CallOptions = {},
  ): Promise<OwnEvent[]> {
    if (refs.length === 0) return [];
    const query = {
      privateExtendedProperty: `${OWNER_PROPERTY}=${orgId}`,
      showDeleted: 'true',
      maxResults: PAGE_SIZE,
    };
    const { items, timezone } = await this.#readPages(buildEventsPath(calendarId), query, signal);
    const known = new Map(items.map((item) => [asText(item['id']), item]));
    const ownEvents: OwnEvent[] = [];
    for (const { bookingId } of refs) {
      const eventId = toEventId(bookingId);
      const item = known.get(eventId) ?? (await this.#findEvent({ calendarId, eventId }, signal));
      const event =
        item === null ? { bookingId, state: 'gone' as const } : toGoogleOwnEvent(bookingId, item, timezone);
      if (event) ownEvents.push(event);
    }
    return ownEvents;
  }

  async revoke({ signal }: CallOptions = {}): Promise<void> {
    await this.#api.revoke(signal);
  }

  async #readFreeBusy(
    ids: readonly string[],
    range: TimeRange,
    signal?: AbortSignal,
  ): Promise<CalendarBusy[]> {
    const { start, end } = range;
    const body = {
      timeMin: start.toISOString(),
      timeMax: end.toISOString(),
      items: ids.map((id) => ({ id })),
    };
    const answer = await this.#api.call({ method: 'POST', path: '/freeBusy', body, signal });
    if (answer.status === 400 && isTooLong(answer, range))
      return this.#readFreeBusyInHalves(ids, range, signal);
    const { calendars } = requireAccepted(answer, answer.body);
    return ids.map((calendarId) => toCalendarBusy(calendarId, asObject(calendars)[calendarId], range));
  }

  async #readFreeBusyInHalves(
    ids: readonly string[],
    { start, end }: TimeRange,
    signal?: AbortSignal,
  ): Promise<CalendarBusy[]> {
    const middle = new Date((start.getTime() + end.getTime()) / 2);
    const first = await this.#readFreeBusy(ids, { start, end: middle }, signal);
    const second = await this.#readFreeBusy(ids, { start: middle, end }, signal);
    return first.map((one, index) => {
      const other = second[index]!;
      if ('error' in one) return one;
      return 'error' in other ? other : { ...one, busy: mergeBusy([one.busy, other.busy]) };
    });
  }

  /** Returns the state of an event that an earlier, unconfirmed request may have written to the calendar. */
  async #findWritten(ref: EventRef, signal?: AbortSignal): Promise<WriteOutcome> {
    const item = await this.#findEvent(ref, signal);
    return item === null || item['status'] === 'cancelled' ? { state: 'deleted' } : toWriteOutcome(ref, item);
  }

  /**
   * Updates a booking's event that is unchanged since Parley wrote it. Leaves an event that the calendar's
   * owner has changed.
   */
  async #rewriteEvent(
    ref: EventRef,
    event: CalendarEvent,
    { version }: WrittenBefore,
    signal?: AbortSignal,
  ): Promise<WriteOutcome> {
    const item = await this.#findEvent(ref, signal);
    if (item === null || item['status'] === 'cancelled') return { state: 'deleted' };
    const range = readGoogleRange(item, this.#timezone);
    const isSame =
      range?.start.getTime() === event.start.getTime() && range.end.getTime() === event.end.getTime();
    if (isSame || version === null || item['etag'] !== version) return toWriteOutcome(ref, item);
    const { start, end } = toGoogleEvent(event);
    const answer = await this.#api.call({
      method: 'PATCH',
      path: buildEventPath(ref.calendarId, ref.eventId),
      query: { sendUpdates: 'none' },
      headers: { 'if-match': version },
      body: { start, end },
      signal,
    });
    return toWriteOutcome(ref, answer.status === 412 ? item : requireAccepted(answer, answer.body));
  }

  async #findEvent({ calendarId, eventId }: EventRef, signal?: AbortSignal): Promise<JsonObject | null> {
    const answer = await this.#api.call({ path: buildEventPath(calendarId, eventId), signal });
    if (answer.status === 404 || answer.status === 410) return null;
    const item = requireAccepted(answer, answer.body);
    if (item['id'] !== eventId) throw createUnreadableError();
    return item;
  }

  /**
   * Returns all items of one of Google's paginated lists. For events, also returns the calendar's time zone.
   * @throws CalendarUnavailable if the response is not a list
   */
  async #readPages(
    path: string,
    query: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<{ items: JsonObject[]; timezone: string }> {
    const items: JsonObject[] = [];
    let pageToken: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const body: JsonObject = await this.#api.read({
        path,
        query: { ...query, ...(pageToken && { pageToken }) },
        signal,
      });
      if (!Array.isArray(body['items'])) throw createUnreadableError();
      items.push(...asObjects(body['items']));
      pageToken = asText(body['nextPageToken']);
      const timezone = findTimeZone(asText(body['timeZone']) ?? '') ?? this.#timezone;
      if (pageToken === null) return { items, timezone };
    }
    throw new CalendarRefused('The calendar has too many events to read.');
  }
}

function createUnreadableError(): CalendarUnavailable {
  return new CalendarUnavailable('Google’s response could not be read.');
}

function buildEventsPath(calendarId: string): string {
  return `/calendars/${encodeURIComponent(calendarId)}/events`;
}

function buildEventPath(calendarId: string, eventId: string): string {
  return `${buildEventsPath(calendarId)}/${encodeURIComponent(eventId)}`;
}

/**
 * Returns `result` if Google accepted the request. Throws if not.
 * @throws CalendarRefused for any other response
 */
function requireAccepted<T>({ status, body }: GoogleResponse, result: T): T {
  if (status < 300) return result;
  if (status === 404)
    throw new CalendarRefused(
      'This calendar no longer exists at Google; choose another one in the settings.',
    );
  throw new CalendarRefused(`Google rejected the request: ${readErrorMessage(body) ?? `status ${status}`}`);
}

function isTooLong({ body }: GoogleResponse, { start, end }: TimeRange): boolean {
  return (
    listErrorReasons(body).includes('timeRangeTooLong') && end.getTime() - start.getTime() > MIN_RANGE_MS
  );
}

/**
 * Converts the event that Google returned to the outcome of writing it.
 * @throws CalendarUnavailable if the response is not the requested event
 */
function toWriteOutcome(ref: EventRef, item: JsonObject): WriteOutcome {
  if (item['id'] !== ref.eventId) throw createUnreadableError();
  return { state: 'written', ...ref, version: readId(item['etag']) };
}

/**
 * Converts the busy times of a calendar from Google's format. A calendar that is missing or unreadable
 * returns an error, so it never counts as free.
 */
function toCalendarBusy(calendarId: string, calendar: unknown, { start, end }: TimeRange): CalendarBusy {
  const { busy, errors } = asObject(calendar);
  const [error] = asObjects(errors);
  if (error || !Array.isArray(busy)) {
    const reason = readTextValue(error?.['reason'], 100) || 'no answer';
    const message = `Google could not read the calendar ${calendarId} (${reason}).`;
    const isGone = reason === 'notFound';
    return { calendarId, error: isGone ? new CalendarRefused(message) : new CalendarUnavailable(message) };
  }
  const intervals = asObjects(busy).map((each): MsInterval => [
    Date.parse(String(each['start'])),
    Date.parse(String(each['end'])),
  ]);
  if (intervals.flat().some(Number.isNaN))
    return {
      calendarId,
      error: new CalendarUnavailable(`Google’s response about ${calendarId} could not be read.`),
    };
  return { calendarId, busy: mergeBusyMinutes(intervals, [start.getTime(), end.getTime()]) };
}

/** Converts a booking's event from Google's format. Returns undefined if the event has no valid time. */
function toGoogleOwnEvent(bookingId: string, item: JsonObject, timezone: string): OwnEvent | undefined {
  if (item['status'] === 'cancelled') return { bookingId, state: 'gone' };
  const range = readGoogleRange(item, timezone);
  return (
    range && {
      bookingId,
      state: 'there',
      eventId: toEventId(bookingId),
      version: readId(item['etag']),
      ...range,
    }
  );
}
