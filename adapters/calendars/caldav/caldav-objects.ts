import { davRequest, type DAVResponse } from 'tsdav';
import { CalendarRefused, CalendarUnavailable, type TimeRange } from '../calendar-provider.ts';
import type { DavHttp } from './dav-http.ts';
import { textOf } from './discover.ts';

/** An event with its exceptions, as the server has it. */
export interface CalendarObject {
  href: string;
  etag: string | null;
  text: string;
}

const NAMESPACES = { _attributes: { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' } };
const PROPS = { 'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} } };
/** Insufficient storage: there was more than the server has in one answer. */
const CUT = 507;
/** Objects that did not come whole are asked for one by one. */
const MOST_SINGLE = 20;

/** The objects of one calendar. */
export class CalDavObjects {
  readonly dav: DavHttp;
  readonly calendarId: string;

  constructor(dav: DavHttp, calendarId: string) {
    this.dav = dav;
    this.calendarId = calendarId;
  }

  /** @param name an address, or an id that it is to end with */
  hrefOf(name: string): string {
    return new URL(name.includes('/') ? name : `${encodeURIComponent(name)}.ics`, folder(this.calendarId))
      .href;
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
    return { status, etag: headers['etag'] ?? null };
  }

  async get(href: string): Promise<CalendarObject | null> {
    const { status, headers, body } = await this.dav.send({ url: href, method: 'GET' });
    if (status === 404 || status === 410) return null;
    if (status >= 300)
      throw new CalendarRefused(`The calendar server refused to show an event (status ${status}).`);
    return { href, etag: headers['etag'] ?? null, text: body.toString('utf8') };
  }

  async delete(href: string): Promise<number> {
    return (await this.dav.send({ url: href, method: 'DELETE' })).status;
  }

  /** Of those that are there. */
  async getAll(hrefs: readonly string[]): Promise<Map<string, CalendarObject>> {
    const multiget = { ...NAMESPACES, ...PROPS, 'd:href': hrefs.map((href) => new URL(href).pathname) };
    const found = await this.#report({ 'c:calendar-multiget': multiget });
    if (found === 'unsupported') return this.#getOneByOne(hrefs);
    return new Map(found.map((object) => [object.href, object]));
  }

  /** The one with this UID. */
  async find(uid: string): Promise<CalendarObject | null> {
    const match = { _attributes: { collation: 'i;octet' }, _text: uid };
    const byUid = { 'c:prop-filter': { _attributes: { name: 'UID' }, 'c:text-match': match } };
    const found = await this.#report({ 'c:calendar-query': { ...NAMESPACES, ...PROPS, ...filterOf(byUid) } });
    if (found === 'unsupported') return null;
    return found.find(({ text }) => text.includes(uid)) ?? null;
  }

  /** All that take place within the range, or may. */
  async listWithin({ start, end }: TimeRange): Promise<CalendarObject[] | 'unsupported'> {
    const range = { 'c:time-range': { _attributes: { start: stampOf(start), end: stampOf(end) } } };
    return this.#report({ 'c:calendar-query': { ...NAMESPACES, ...PROPS, ...filterOf(range) } });
  }

  async #getOneByOne(hrefs: readonly string[]): Promise<Map<string, CalendarObject>> {
    const found = new Map<string, CalendarObject>();
    for (const href of hrefs) {
      const object = await this.get(href);
      if (object) found.set(href, object);
    }
    return found;
  }

  /** @throws CalendarRefused where the calendar is gone, CalendarUnavailable for what is no such answer */
  async #report(body: object): Promise<CalendarObject[] | 'unsupported'> {
    const responses = await davRequest({
      url: this.calendarId,
      init: { method: 'REPORT', headers: { depth: '1' }, body },
      fetch: this.dav.fetch,
    });
    const [first] = responses;
    if (!first) return [];
    const isAnswer = typeof first.raw === 'object' && first.raw !== null && 'multistatus' in first.raw;
    if (!isAnswer) return unsupportedOr(first);
    if (isEmpty(first)) return [];
    const objects: CalendarObject[] = [];
    let single = 0;
    for (const response of responses) {
      const object = this.#objectOf(response);
      if (object === undefined) continue;
      const isWhole =
        /^BEGIN:VCALENDAR/i.test(object.text.trimStart()) && /END:VCALENDAR\s*$/i.test(object.text);
      if (!isWhole && ++single > MOST_SINGLE)
        throw new CalendarRefused('The calendar has events that are too large to be read.');
      const whole = isWhole ? object : await this.get(object.href);
      if (whole) objects.push(whole);
    }
    return objects;
  }

  /** Undefined for what is not there. @throws CalendarRefused, CalendarUnavailable for what is there and is not shown */
  #objectOf({ href, ok, status, props }: DAVResponse): CalendarObject | undefined {
    if (status === 404 || status === 410) return undefined;
    if (status === CUT) throw new CalendarRefused('The calendar has more events than its server shows.');
    if (!ok || !href || !URL.canParse(href, this.calendarId))
      throw new CalendarUnavailable(`The calendar server could not show an event (status ${status}).`);
    // Servers behind others do not always know by which name they are asked.
    const { pathname, search } = new URL(href, this.calendarId);
    const url = new URL(pathname + search, this.calendarId);
    if (url.href === folder(this.calendarId)) return undefined;
    return { href: url.href, etag: textOf(props?.['getetag']), text: textOf(props?.['calendarData']) ?? '' };
  }
}

/** Statuses that say that the server does not do it, or not for this person. */
const NOT_DONE: ReadonlySet<number> = new Set([400, 403, 405, 415, 422, 501]);

function unsupportedOr({ status }: DAVResponse): 'unsupported' {
  if (NOT_DONE.has(status)) return 'unsupported';
  if (status === 404 || status === 410)
    throw new CalendarRefused('The calendar is not there any more; choose another one in the settings.');
  throw new CalendarUnavailable(`The calendar server’s answer could not be read (status ${status}).`);
}

/** tsdav makes one response of none. */
function isEmpty({ raw }: DAVResponse): boolean {
  return (raw as { multistatus: { response?: unknown } }).multistatus.response === undefined;
}

function filterOf(inner: object): object {
  const event = { 'c:comp-filter': { _attributes: { name: 'VEVENT' }, ...inner } };
  return { 'c:filter': { 'c:comp-filter': { _attributes: { name: 'VCALENDAR' }, ...event } } };
}

/** `20261130T090000Z` */
export function stampOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function folder(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
