import { escapeHtml } from '../../../core/text/escape-html.ts';
import { CalendarRefused, CalendarUnavailable, type TimeRange } from '../calendar-provider.ts';
import type { ReadingBudget } from './bounded-expansion.ts';
import { toFolderUrl } from './list-calendars.ts';
import { mayBeMultistatus, readMultistatus, type DavHttp, type DavReply } from './dav-http.ts';
import { UnreadableMultistatus, type DavResponse } from './multistatus.ts';

/** A calendar object as a CalDAV server stores it: an event with its exceptions. */
export interface CalendarObject {
  href: string;
  etag: string | null;
  text: string;
}

const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';
const PROPS = '<d:prop><d:getetag/><c:calendar-data/></d:prop>';
/** HTTP status 507: the server has truncated its response. */
const TRUNCATED = 507;
/** Maximum number of incomplete objects of a response that the client then requests one by one. */
const MAX_SINGLE_REQUESTS = 20;
const MAX_ETAG_LENGTH = 1000;

/** Reads and writes the objects of one calendar on a CalDAV server. */
export class CalDavObjects {
  readonly dav: DavHttp;
  readonly calendarId: string;
  readonly #budget: ReadingBudget;

  constructor(dav: DavHttp, calendarId: string, budget: ReadingBudget) {
    this.dav = dav;
    this.calendarId = calendarId;
    this.#budget = budget;
  }

  /**
   * Returns the URL of a calendar object.
   * @param name URL of the object, or an id that becomes the object's file name
   */
  resolveHref(name: string): string {
    return new URL(
      name.includes('/') ? name : `${encodeURIComponent(name)}.ics`,
      toFolderUrl(this.calendarId),
    ).href;
  }

  async put(
    href: string,
    text: string,
    condition: Record<string, string>,
  ): Promise<{ status: number; etag: string | null }> {
    const { status, headers } = await this.dav.send({
      url: href,
      method: 'PUT',
      headers: { 'content-type': 'text/calendar; charset=utf-8', ...condition },
      body: text,
    });
    return { status, etag: parseEtag(headers['etag']) };
  }

  async get(href: string): Promise<CalendarObject | null> {
    const { status, headers, body } = await this.dav.send({ url: href, method: 'GET' });
    if (status === 404 || status === 410) return null;
    if (status >= 300)
      throw new CalendarRefused(`The calendar server refused to return an event (status ${status}).`);
    return { href, etag: parseEtag(headers['etag']), text: new TextDecoder().decode(body) };
  }

  async delete(href: string): Promise<number> {
    return (await this.dav.send({ url: href, method: 'DELETE' })).status;
  }

  /** Returns the calendar objects that exist among those with the URLs `hrefs`, by URL. */
  async getAll(hrefs: readonly string[]): Promise<Map<string, CalendarObject>> {
    const paths = hrefs.map((href) => `<d:href>${escapeHtml(new URL(href).pathname)}</d:href>`);
    const multiget = `<c:calendar-multiget ${NAMESPACES}>${PROPS}${paths.join('')}</c:calendar-multiget>`;
    const found = await this.#report(multiget);
    if (found === 'unsupported') return this.#getOneByOne(hrefs);
    const objects = new Map<string, CalendarObject>();
    for await (const object of found) if (hrefs.includes(object.href)) objects.set(object.href, object);
    return objects;
  }

  /** Finds the calendar object with this UID. Null if no such object exists, or the server cannot search. */
  async find(uid: string): Promise<CalendarObject | null> {
    const match = `<c:text-match collation="i;octet">${escapeHtml(uid)}</c:text-match>`;
    const found = await this.#queryObjects(`<c:prop-filter name="UID">${match}</c:prop-filter>`);
    if (found === 'unsupported') return null;
    for await (const object of found) if (object.text.includes(uid)) return object;
    return null;
  }

  /** Yields all calendar objects that may take place within the range. */
  listWithin({ start, end }: TimeRange): Promise<AsyncIterable<CalendarObject> | 'unsupported'> {
    return this.#queryObjects(
      `<c:time-range start="${formatUtcStamp(start)}" end="${formatUtcStamp(end)}"/>`,
    );
  }

  async #getOneByOne(hrefs: readonly string[]): Promise<Map<string, CalendarObject>> {
    const found = new Map<string, CalendarObject>();
    for (const href of hrefs) {
      const object = await this.get(href);
      if (object) found.set(href, object);
    }
    return found;
  }

  /**
   * Queries the events of a CalDAV calendar.
   * @param filter XML of the query's filter, inside the filter for events (VEVENT)
   */
  #queryObjects(filter: string): Promise<AsyncIterable<CalendarObject> | 'unsupported'> {
    const event = `<c:comp-filter name="VEVENT">${filter}</c:comp-filter>`;
    const calendar = `<c:comp-filter name="VCALENDAR">${event}</c:comp-filter>`;
    return this.#report(
      `<c:calendar-query ${NAMESPACES}>${PROPS}<c:filter>${calendar}</c:filter></c:calendar-query>`,
    );
  }

  /**
   * Sends a REPORT request (CalDAV's search) for calendar events.
   * @throws CalendarRefused if the calendar no longer exists
   * @throws CalendarUnavailable if the response is not a multistatus
   */
  async #report(body: string): Promise<AsyncIterable<CalendarObject> | 'unsupported'> {
    const reply = await this.dav.sendXml({ url: this.calendarId, method: 'REPORT', depth: '1', body });
    if (mayBeMultistatus(reply)) return this.#readObjects(reply);
    if (UNSUPPORTED_STATUSES.has(reply.status)) return 'unsupported';
    if (reply.status === 404 || reply.status === 410)
      throw new CalendarRefused('The calendar no longer exists; choose another one in the settings.');
    throw createUnreadableError(reply);
  }

  async *#readObjects(reply: DavReply): AsyncGenerator<CalendarObject> {
    let single = 0;
    try {
      for await (const response of readMultistatus(reply, this.#budget)) {
        const object = this.#toCalendarObject(response);
        if (object === undefined) continue;
        const isCompleteObject = isWholeCalendar(object.text);
        const isSingle = !isCompleteObject && ++single <= MAX_SINGLE_REQUESTS;
        if (!isCompleteObject && !isSingle && object.text === '')
          throw new CalendarRefused('The calendar has events that are too large to be read.');
        const whole = isSingle ? await this.get(object.href) : object;
        if (whole) yield whole;
      }
    } catch (error) {
      if (!(error instanceof UnreadableMultistatus)) throw error;
      throw createUnreadableError(reply, error);
    }
  }

  /**
   * Converts one response of a multistatus. Returns undefined if the calendar object does not exist.
   * @throws CalendarRefused if the server has truncated the list
   * @throws CalendarUnavailable if the server cannot return the object
   */
  #toCalendarObject({ href, status, props }: DavResponse): CalendarObject | undefined {
    if (status === 404 || status === 410) return undefined;
    if (status === TRUNCATED)
      throw new CalendarRefused('The calendar has too many events: its server returned only some of them.');
    if (status < 200 || status >= 300 || !href || !URL.canParse(href, this.calendarId))
      throw new CalendarUnavailable(`The calendar server could not return an event (status ${status}).`);
    // Use only the path of the object's URL: servers behind proxies do not always know their public host. Set
    // the path instead of joining it to the URL, because a path that begins with `//` would name another
    // host.
    const { pathname, search } = new URL(href, this.calendarId);
    const url = Object.assign(new URL(this.calendarId), { pathname, search, hash: '' });
    if (toFolderUrl(url.href) === toFolderUrl(this.calendarId)) return undefined;
    return {
      href: url.href,
      etag: parseEtag(props.get('getetag')?.text),
      text: props.get('calendar-data')?.text ?? '',
    };
  }
}

/** HTTP statuses of a calendar server that does not support the request, at least for this user. */
const UNSUPPORTED_STATUSES: ReadonlySet<number> = new Set([400, 403, 405, 415, 422, 501]);

function createUnreadableError({ status }: DavReply, cause?: unknown): CalendarUnavailable {
  return new CalendarUnavailable(`The calendar server’s response could not be read (status ${status}).`, {
    cause,
  });
}

/** Returns whether a text contains a complete iCalendar object, rather than a truncated one. */
function isWholeCalendar(text: string): boolean {
  return /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text) && /^[\t ]*END:VCALENDAR[\t ]*$/im.test(text);
}

/** Returns the ETag of a calendar object, or null if it is missing or too long. */
function parseEtag(text: string | undefined): string | null {
  return text !== undefined && text !== '' && text.length <= MAX_ETAG_LENGTH ? text : null;
}

/** Formats a time in UTC for an iCalendar text, such as `20261130T090000Z`. */
export function formatUtcStamp(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
