import { createAccount, propfind, type DAVResponse } from 'tsdav';
import { CalendarReconnect, CalendarRefused, type CalendarDescriptor } from '../calendar-provider.ts';
import type { ProviderHttp } from '../provider-http.ts';
import { DavHttp, type DavLogin } from './dav-http.ts';
import { zoneIn } from './event-times.ts';

/** What is kept of a CalDAV account. */
export interface CalDavCredentials extends DavLogin {
  /** The collection that has the calendars. */
  homeUrl: string;
  /** Addresses that invitations to this person name. */
  addresses: string[];
}

/** Calendars of an account at most. */
const MOST_CALENDARS = 250;
const MOST_ADDRESSES = 20;
const WRITING = ['all', 'write', 'writeContent', 'bind'];

/**
 * Finds the calendars of an account by its server's address, as RFC 6764 and 4791 have it.
 * @throws CalendarReconnect for a wrong password, CalendarRefused, CalendarUnavailable
 */
export async function discoverAccount(
  { serverUrl: typed, ...login }: DavLogin & { serverUrl: string },
  http: ProviderHttp,
  signal?: AbortSignal,
): Promise<CalDavCredentials> {
  const serverUrl = addressOf(typed);
  const dav = new DavHttp(login, http, signal);
  const account = await found(dav, () =>
    createAccount({ account: { serverUrl, accountType: 'caldav' }, fetch: dav.fetch }),
  );
  const { homeUrl, principalUrl } = account;
  if (!homeUrl) throw noCalendars();
  const addresses = principalUrl ? await addressesOf(dav, principalUrl) : [];
  const own = login.username.includes('@') ? [login.username.toLowerCase()] : [];
  return { ...login, homeUrl, addresses: [...new Set([...own, ...addresses])].slice(0, MOST_ADDRESSES) };
}

/** @throws like `discoverAccount` */
export async function listCalDavCalendars(dav: DavHttp, homeUrl: string): Promise<CalendarDescriptor[]> {
  const props = {
    'd:displayname': {},
    'd:resourcetype': {},
    'd:current-user-privilege-set': {},
    'c:calendar-timezone': {},
    'c:supported-calendar-component-set': {},
  };
  const responses = await found(dav, () => propfind({ url: homeUrl, props, depth: '1', fetch: dav.fetch }));
  if (responses.some(({ ok, status }) => !ok && status === 404) || responses.every(({ href }) => !href))
    throw noCalendars();
  const calendars = responses
    .flatMap((response) => calendarOf(response, homeUrl) ?? [])
    .slice(0, MOST_CALENDARS);
  const primary = calendars.find(({ canWrite }) => canWrite);
  return calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary }));
}

/** What the address that somebody has typed means. @throws CalendarRefused */
export function addressOf(text: string): string {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password)
    throw new CalendarRefused(
      'This is not the address of a server: it looks like https://calendar.example.com.',
    );
  url.hash = '';
  return url.href;
}

/** What goes wrong on the way is not always passed on by those who look. */
async function found<T>(dav: DavHttp, look: () => Promise<T>): Promise<T> {
  try {
    dav.failure = undefined;
    return await look();
  } catch (error) {
    if (dav.failure) throw dav.failure;
    if (error instanceof Error && error.message.includes('401'))
      throw new CalendarReconnect('The server does not accept this user name and password.');
    throw noCalendars(error);
  }
}

function noCalendars(cause?: unknown): CalendarRefused {
  return new CalendarRefused(
    'No calendars were found there. Check the address: it is the one that calendar apps are given for CalDAV.',
    { cause },
  );
}

async function addressesOf(dav: DavHttp, principalUrl: string): Promise<string[]> {
  const props = { 'c:calendar-user-address-set': {} };
  const [response] = await found(dav, () =>
    propfind({ url: principalUrl, props, depth: '0', fetch: dav.fetch }),
  );
  const hrefs: unknown = response?.props?.['calendarUserAddressSet']?.href;
  return [hrefs].flat().flatMap((href) => {
    const [, address] = /^mailto:(.+)$/i.exec(textOf(href) ?? '') ?? [];
    return address === undefined ? [] : [address.toLowerCase()];
  });
}

/** Undefined for what is no calendar of events, or is somewhere else. */
function calendarOf({ href, props = {} }: DAVResponse, homeUrl: string): CalendarDescriptor | undefined {
  const {
    resourcetype,
    supportedCalendarComponentSet,
    currentUserPrivilegeSet,
    displayname,
    calendarTimezone,
  } = props;
  if (!href || !URL.canParse(href, homeUrl) || !hasKey(resourcetype, 'calendar')) return undefined;
  const { hostname, pathname } = new URL(href, homeUrl);
  const url = new URL(pathname, homeUrl);
  const kinds = namesOf(supportedCalendarComponentSet?.comp);
  if (hostname !== url.hostname || (kinds.length > 0 && !kinds.includes('VEVENT'))) return undefined;
  const last = decodeURIComponent(url.pathname.replace(/\/$/, '').split('/').at(-1) ?? '');
  const privileges = [currentUserPrivilegeSet?.privilege].flat().filter(Boolean);
  return {
    id: url.href,
    name: (textOf(displayname) ?? last).slice(0, 255),
    timezone: zoneIn(textOf(calendarTimezone) ?? ''),
    isPrimary: false,
    canWrite:
      privileges.length === 0 || privileges.some((each) => WRITING.some((name) => hasKey(each, name))),
  };
}

function namesOf(components: unknown): string[] {
  return [components].flat().flatMap((component) => {
    const name = (component as { _attributes?: { name?: unknown } } | undefined)?._attributes?.name;
    return typeof name === 'string' ? [name.toUpperCase()] : [];
  });
}

function hasKey(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/** tsdav makes numbers and more of some texts. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  const text = (value as { _cdata?: unknown } | null | undefined)?._cdata;
  return typeof text === 'string' ? text : null;
}
