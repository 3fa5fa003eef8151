import { busyMinutes, mergeBusy, type Stretch } from '../../../core/bookings/busy-minutes.ts';
import { eventIdOf } from '../../../core/bookings/event-id.ts';
import { timeZoneNamed } from '../../../core/time-zone.ts';
import {
  CalendarRefused,
  CalendarUnavailable,
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
import { errorMessageOf, reasonsOf, type GoogleAnswer, type GoogleApi } from './google-api.ts';
import { asObject, asObjects, asText, type JsonObject } from './google-json.ts';
import { googleEvent, isOpaque, OWNER_PROPERTY, rangeOf } from './google-event.ts';

const CALENDARS_AT_ONCE = 50;
const PAGE_SIZE = '250';
/** Limits what a hostile or broken server can make Parley read. */
const MOST_PAGES = 20;
/** Google refuses ranges that are too long without stating the limit. */
const SHORTEST_RANGE_MS = 86_400_000;

/** A Google account, by plain REST. */
export class GoogleCalendar implements CalendarAccount {
  readonly #api: GoogleApi;
  /** Zone of whole days if Google does not send the calendar’s. */
  readonly #timezone: string;

  constructor(api: GoogleApi, timezone: string) {
    this.#api = api;
    this.#timezone = timezone;
  }

  async listCalendars({ signal }: CallOptions = {}): Promise<CalendarDescriptor[]> {
    const { items } = await this.#readPages('/users/me/calendarList', { maxResults: PAGE_SIZE }, signal);
    return items.flatMap((item) => {
      const id = asText(item['id']);
      if (id === null || item['deleted'] === true) return [];
      return {
        id,
        name: asText(item['summaryOverride']) ?? asText(item['summary']) ?? id,
        timezone: timeZoneNamed(asText(item['timeZone']) ?? ''),
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
    const read: CalendarBusy[] = [];
    for (let at = 0; at < calendarIds.length; at += CALENDARS_AT_ONCE)
      read.push(...(await this.#freeBusy(calendarIds.slice(at, at + CALENDARS_AT_ONCE), range, signal)));
    return read;
  }

  async readBusyBeside(
    { calendarId, eventId }: EventRef,
    { start, end }: TimeRange,
    { signal }: CallOptions = {},
  ): Promise<number[]> {
    const { items, timezone } = await this.#readPages(
      eventsPath(calendarId),
      {
        timeMin: start.toISOString(),
        timeMax: end.toISOString(),
        singleEvents: 'true',
        maxResults: PAGE_SIZE,
      },
      signal,
    );
    const stretches = items
      .filter((item) => item['id'] !== eventId && isOpaque(item))
      .flatMap((item): Stretch[] => {
        const range = rangeOf(item, timezone);
        return range ? [[range.start.getTime(), range.end.getTime()]] : [];
      });
    return busyMinutes(stretches, [start.getTime(), end.getTime()]);
  }

  async writeEvent(
    calendarId: string,
    event: CalendarEvent,
    before: WrittenBefore | null = null,
    { signal }: CallOptions = {},
  ): Promise<WriteOutcome> {
    const ref = { calendarId, eventId: eventIdOf(event.bookingId) };
    if (before) return this.#rewrite(ref, event, before, signal);
    const answer = await this.#api.call({
      method: 'POST',
      path: eventsPath(calendarId),
      query: { sendUpdates: 'none' },
      body: googleEvent(event),
      signal,
    });
    if (answer.status === 409) return this.#findWritten(ref, signal);
    return writtenAs(ref, acceptedOr(answer, answer.body));
  }

  async removeEvent(calendarId: string, { bookingId }: OwnRef, { signal }: CallOptions = {}): Promise<void> {
    const answer = await this.#api.call({
      method: 'DELETE',
      path: eventPath(calendarId, eventIdOf(bookingId)),
      query: { sendUpdates: 'none' },
      signal,
    });
    if (answer.status !== 404 && answer.status !== 410) acceptedOr(answer, undefined);
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
    const { items, timezone } = await this.#readPages(eventsPath(calendarId), query, signal);
    const known = new Map(items.map((item) => [asText(item['id']), item]));
    const own: OwnEvent[] = [];
    for (const { bookingId } of refs) {
      const eventId = eventIdOf(bookingId);
      const item = known.get(eventId) ?? (await this.#find({ calendarId, eventId }, signal));
      const event =
        item === null ? { bookingId, state: 'gone' as const } : ownEvent(bookingId, item, timezone);
      if (event) own.push(event);
    }
    return own;
  }

  async revoke({ signal }: CallOptions = {}): Promise<void> {
    await this.#api.revoke(signal);
  }

  async #freeBusy(ids: readonly string[], range: TimeRange, signal?: AbortSignal): Promise<CalendarBusy[]> {
    const { start, end } = range;
    const body = {
      timeMin: start.toISOString(),
      timeMax: end.toISOString(),
      items: ids.map((id) => ({ id })),
    };
    const answer = await this.#api.call({ method: 'POST', path: '/freeBusy', body, signal });
    if (answer.status === 400 && isTooLong(answer, range)) return this.#freeBusyInHalves(ids, range, signal);
    const { calendars } = acceptedOr(answer, answer.body);
    return ids.map((calendarId) => busyOf(calendarId, asObject(calendars)[calendarId], range));
  }

  async #freeBusyInHalves(
    ids: readonly string[],
    { start, end }: TimeRange,
    signal?: AbortSignal,
  ): Promise<CalendarBusy[]> {
    const middle = new Date((start.getTime() + end.getTime()) / 2);
    const first = await this.#freeBusy(ids, { start, end: middle }, signal);
    const second = await this.#freeBusy(ids, { start: middle, end }, signal);
    return first.map((one, index) => {
      const other = second[index]!;
      if ('error' in one) return one;
      return 'error' in other ? other : { ...one, busy: mergeBusy([one.busy, other.busy]) };
    });
  }

  /** Returns the state of an event that was to be written. */
  async #findWritten(ref: EventRef, signal?: AbortSignal): Promise<WriteOutcome> {
    const item = await this.#find(ref, signal);
    return item === null || item['status'] === 'cancelled' ? { state: 'deleted' } : writtenAs(ref, item);
  }

  /** Changes an event that still is as Parley wrote it. Leaves an event that its owner has changed. */
  async #rewrite(
    ref: EventRef,
    event: CalendarEvent,
    { version }: WrittenBefore,
    signal?: AbortSignal,
  ): Promise<WriteOutcome> {
    const item = await this.#find(ref, signal);
    if (item === null || item['status'] === 'cancelled') return { state: 'deleted' };
    const range = rangeOf(item, this.#timezone);
    const isSame =
      range?.start.getTime() === event.start.getTime() && range.end.getTime() === event.end.getTime();
    if (isSame || version === null || item['etag'] !== version) return writtenAs(ref, item);
    const { start, end } = googleEvent(event);
    const answer = await this.#api.call({
      method: 'PATCH',
      path: eventPath(ref.calendarId, ref.eventId),
      query: { sendUpdates: 'none' },
      headers: { 'if-match': version },
      body: { start, end },
      signal,
    });
    return writtenAs(ref, answer.status === 412 ? item : acceptedOr(answer, answer.body));
  }

  async #find({ calendarId, eventId }: EventRef, signal?: AbortSignal): Promise<JsonObject | null> {
    const answer = await this.#api.call({ path: eventPath(calendarId, eventId), signal });
    if (answer.status === 404 || answer.status === 410) return null;
    const item = acceptedOr(answer, answer.body);
    if (item['id'] !== eventId) throw unreadable();
    return item;
  }

  /**
   * Returns all items of a list; for events also the calendar's time zone.
   * @throws CalendarUnavailable if the response is not a list
   */
  async #readPages(
    path: string,
    query: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<{ items: JsonObject[]; timezone: string }> {
    const items: JsonObject[] = [];
    let pageToken: string | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const body: JsonObject = await this.#api.read({
        path,
        query: { ...query, ...(pageToken && { pageToken }) },
        signal,
      });
      if (!Array.isArray(body['items'])) throw unreadable();
      items.push(...asObjects(body['items']));
      pageToken = asText(body['nextPageToken']);
      const timezone = timeZoneNamed(asText(body['timeZone']) ?? '') ?? this.#timezone;
      if (pageToken === null) return { items, timezone };
    }
    throw new CalendarRefused('The calendar has more in it than can be read.');
  }
}

function unreadable(): CalendarUnavailable {
  return new CalendarUnavailable('Google’s answer could not be read.');
}

function eventsPath(calendarId: string): string {
  return `/calendars/${encodeURIComponent(calendarId)}/events`;
}

function eventPath(calendarId: string, eventId: string): string {
  return `${eventsPath(calendarId)}/${encodeURIComponent(eventId)}`;
}

/** @throws CalendarRefused if Google refused the request */
function acceptedOr<T>({ status, body }: GoogleAnswer, result: T): T {
  if (status < 300) return result;
  if (status === 404)
    throw new CalendarRefused('Google has no such calendar any more; choose another one in the settings.');
  throw new CalendarRefused(`Google refused it: ${errorMessageOf(body) ?? `status ${status}`}`);
}

function isTooLong({ body }: GoogleAnswer, { start, end }: TimeRange): boolean {
  return reasonsOf(body).includes('timeRangeTooLong') && end.getTime() - start.getTime() > SHORTEST_RANGE_MS;
}

/** @throws CalendarUnavailable if the response is another event */
function writtenAs(ref: EventRef, item: JsonObject): WriteOutcome {
  if (item['id'] !== ref.eventId) throw unreadable();
  return { state: 'written', ...ref, version: asText(item['etag']) };
}

/** Converts busy times. A calendar that is missing, or that Google could not read, does not count as free. */
function busyOf(calendarId: string, calendar: unknown, { start, end }: TimeRange): CalendarBusy {
  const { busy, errors } = asObject(calendar);
  const [error] = asObjects(errors);
  if (error || !Array.isArray(busy)) {
    const reason = asText(error?.['reason']) ?? 'no answer';
    const message = `Google could not read the calendar ${calendarId} (${reason.slice(0, 100)}).`;
    const isGone = reason === 'notFound';
    return { calendarId, error: isGone ? new CalendarRefused(message) : new CalendarUnavailable(message) };
  }
  const stretches = asObjects(busy).map((each): Stretch => [
    Date.parse(String(each['start'])),
    Date.parse(String(each['end'])),
  ]);
  if (stretches.flat().some(Number.isNaN))
    return {
      calendarId,
      error: new CalendarUnavailable(`Google’s answer about ${calendarId} could not be read.`),
    };
  return { calendarId, busy: busyMinutes(stretches, [start.getTime(), end.getTime()]) };
}

/** Returns undefined if the event has no valid time. */
function ownEvent(bookingId: string, item: JsonObject, timezone: string): OwnEvent | undefined {
  if (item['status'] === 'cancelled') return { bookingId, state: 'gone' };
  const range = rangeOf(item, timezone);
  return (
    range && {
      bookingId,
      state: 'there',
      eventId: eventIdOf(bookingId),
      version: asText(item['etag']),
      ...range,
    }
  );
}
