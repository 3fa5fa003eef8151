import { readTextValue } from '../../http/response-values.ts';
import { CalendarRefused, type CalendarDescriptor } from '../calendar-provider.ts';
import type { ReadingBudget } from './bounded-expansion.ts';
import { listResponses, type DavHttp, type DavReply } from './dav-http.ts';
import { findChild, findChildren, type DavElement, type DavResponse } from './multistatus.ts';
import { parseZoneName } from './zones/zones.ts';
import { findTimeZone } from '../../../core/time-zone.ts';

/** Maximum number of calendars that are read of one account. */
const MAX_CALENDARS = 250;
/** Maximum number of folders of an account in which calendars are searched. */
const MAX_FOLDERS = 10;
const WRITE_PRIVILEGES: ReadonlySet<string> = new Set(['all', 'write', 'write-content', 'bind']);
/** Kinds of CalDAV collections that contain no calendars. */
const OTHER_KINDS = ['calendar', 'addressbook', 'schedule-inbox', 'schedule-outbox', 'notification'];
/** Maximum size in bytes of the server's list of calendars. Each time zone takes up to 8 KB. */
const LISTING_BYTES = 2 * 1024 * 1024;
const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';
const PROPS =
  '<d:displayname/><d:resourcetype/><d:current-user-privilege-set/><c:calendar-timezone/><c:calendar-timezone-id/><c:supported-calendar-component-set/>';

/** Contents of a collection on a CalDAV server. */
export interface CalendarHome {
  calendars: CalendarDescriptor[];
  /** URLs of collections on the server that may contain further calendars. */
  folders: string[];
}

/**
 * Lists the event calendars of an account.
 * @throws CalendarReconnect if the password is wrong
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function listCalDavCalendars(
  dav: DavHttp,
  homeUrl: string,
  budget: ReadingBudget,
): Promise<CalendarDescriptor[]> {
  return (await readHome(dav, homeUrl, budget)).calendars;
}

/**
 * Reads which calendars and folders a collection on a CalDAV server contains.
 * @throws the same errors as `listCalDavCalendars`
 */
export async function readHome(dav: DavHttp, homeUrl: string, budget: ReadingBudget): Promise<CalendarHome> {
  const reply = await sendPropfind(dav, { url: homeUrl, props: PROPS, depth: '1', maxBytes: LISTING_BYTES });
  const responses = await listResponses(reply, budget);
  if (responses.some(({ status }) => status === 404) || responses.every(({ href }) => href === ''))
    throw createNoCalendarsError();
  const calendars = responses
    .flatMap((response) => toCalendarDescriptor(response, homeUrl) ?? [])
    .slice(0, MAX_CALENDARS);
  const primary = calendars.find(({ canWrite }) => canWrite);
  return {
    calendars: calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary })),
    folders: responses
      .flatMap((response) => findFolder(response, homeUrl) ?? [])
      .filter((url) => url !== toFolderUrl(homeUrl))
      .slice(0, MAX_FOLDERS),
  };
}

export interface Propfind {
  url: string;
  props: string;
  depth: '0' | '1';
  maxBytes: number;
}

export function sendPropfind(dav: DavHttp, { props, ...request }: Propfind): Promise<DavReply> {
  return dav.sendXml({ ...request, method: 'PROPFIND', body: createPropfindBody(props) });
}

export function createPropfindBody(props: string): string {
  return `<d:propfind ${NAMESPACES}><d:prop>${props}</d:prop></d:propfind>`;
}

export function createNoCalendarsError(cause?: unknown): CalendarRefused {
  return new CalendarRefused('No calendars were found at this URL. Enter the CalDAV URL for calendar apps.', {
    cause,
  });
}

/** Returns the URL of a folder: with a slash at its end, without query. */
export function toFolderUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.endsWith('/') ? pathname : `${pathname}/`}`;
}

/**
 * Returns the URL of a resource on the calendar server's host; undefined if the resource is on another host.
 */
function resolveOnSameHost(href: string, homeUrl: string): URL | undefined {
  const base = toFolderUrl(homeUrl);
  if (!href || !URL.canParse(href, base)) return undefined;
  const { hostname, pathname } = new URL(href, base);
  const url = new URL(pathname, base);
  return hostname === url.hostname ? url : undefined;
}

function findFolder({ href, props }: DavResponse, homeUrl: string): string | undefined {
  const type = props.get('resourcetype');
  if (!findChild(type, 'collection') || OTHER_KINDS.some((kind) => findChild(type, kind))) return undefined;
  const url = resolveOnSameHost(href, homeUrl);
  return url && toFolderUrl(url.href);
}

/**
 * Converts a WebDAV resource to the description of a calendar. Returns undefined if the resource is not a
 * calendar of events, or is on another host.
 */
function toCalendarDescriptor({ href, props }: DavResponse, homeUrl: string): CalendarDescriptor | undefined {
  const url = resolveOnSameHost(href, homeUrl);
  if (!url || !findChild(props.get('resourcetype'), 'calendar')) return undefined;
  const kinds = findChildren(props.get('supported-calendar-component-set'), 'comp').flatMap(
    ({ nameAttribute }) => nameAttribute?.toUpperCase() ?? [],
  );
  if (kinds.length > 0 && !kinds.includes('VEVENT')) return undefined;
  const privileges = findChildren(props.get('current-user-privilege-set'), 'privilege');
  return {
    id: url.href,
    name: readTextValue(props.get('displayname')?.text || decodeLastSegment(url), 255),
    timezone:
      findTimeZone(props.get('calendar-timezone-id')?.text ?? '') ??
      parseZoneName(props.get('calendar-timezone')?.text ?? ''),
    isPrimary: false,
    canWrite: privileges.length === 0 || privileges.some(grantsWrite),
  };
}

function grantsWrite(privilege: DavElement): boolean {
  return privilege.children.some(({ name }) => WRITE_PRIVILEGES.has(name));
}

function decodeLastSegment({ pathname }: URL): string {
  const segment = pathname.replace(/\/$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
