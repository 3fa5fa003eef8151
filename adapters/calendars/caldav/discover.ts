import { readTextValue } from '../../http/answer-values.ts';
import { CalendarRefused, type CalendarDescriptor } from '../calendar-provider.ts';
import { ReadingBudget } from './bounded-expansion.ts';
import { DavHttp, listResponses, type DavLogin, type DavReply, type SendToServer } from './dav-http.ts';
import { parseZoneName } from './event-times.ts';
import { findChild, findChildren, type DavElement, type DavResponse } from './multistatus.ts';

/** Stored credentials and addresses of a CalDAV account. */
export interface CalDavCredentials extends DavLogin {
  /** URL of the collection that contains the calendars. */
  homeUrl: string;
  /** E-mail addresses of the account's owner, as they appear in invitations. */
  addresses: string[];
}

export type ServerLogin = DavLogin & { serverUrl: string };

/** Maximum number of calendars of an account. */
const MAX_CALENDARS = 250;
const MAX_ADDRESSES = 20;
const WRITING: ReadonlySet<string> = new Set(['all', 'write', 'write-content', 'bind']);
/** Maximum response size: the properties of a principal take some hundred bytes. */
const DISCOVERY_BYTES = 256 * 1024;
/** Maximum size of the list of calendars. Each time zone takes up to 8 KB. */
const LISTING_BYTES = 2 * 1024 * 1024;
const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';

/**
 * Discovers a CalDAV account by its server's URL (RFC 6764 and 4791).
 * @throws CalendarReconnect if the password is wrong
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function discoverAccount(
  { serverUrl: typed, ...login }: ServerLogin,
  sendToServer: SendToServer,
  signal?: AbortSignal,
): Promise<CalDavCredentials> {
  const discovery = new Discovery(new DavHttp(login, sendToServer), signal);
  const principalUrl = await discovery.findPrincipal(parseServerUrl(typed));
  const homeUrl = await discovery.findHome(principalUrl);
  const addresses = await discovery.listAddresses(principalUrl);
  const own = login.username.includes('@') ? [login.username.toLowerCase()] : [];
  return { ...login, homeUrl, addresses: [...new Set([...own, ...addresses])].slice(0, MAX_ADDRESSES) };
}

/**
 * Lists the event calendars of an account.
 * @throws the same errors as `discoverAccount`
 */
export async function listCalDavCalendars(
  dav: DavHttp,
  homeUrl: string,
  signal?: AbortSignal,
): Promise<CalendarDescriptor[]> {
  const props =
    '<d:displayname/><d:resourcetype/><d:current-user-privilege-set/><c:calendar-timezone/><c:supported-calendar-component-set/>';
  const reply = await sendPropfind(dav, { url: homeUrl, props, depth: '1', maxBytes: LISTING_BYTES });
  const responses = await listResponses(reply, new ReadingBudget(signal));
  if (responses.some(({ status }) => status === 404) || responses.every(({ href }) => href === ''))
    throw createNoCalendarsError();
  const calendars = responses
    .flatMap((response) => toCalendarDescriptor(response, homeUrl) ?? [])
    .slice(0, MAX_CALENDARS);
  const primary = calendars.find(({ canWrite }) => canWrite);
  return calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary }));
}

/**
 * Parses a server URL as a person has typed it; the scheme may be missing.
 * @throws CalendarRefused if it is not a URL
 */
function parseServerUrl(text: string): string {
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

/** The requests that lead from a server's URL to an account. */
class Discovery {
  readonly #dav: DavHttp;
  readonly #signal: AbortSignal | undefined;

  constructor(dav: DavHttp, signal: AbortSignal | undefined) {
    this.#dav = dav;
    this.#signal = signal;
  }

  /** Finds the principal's URL. Tries the well-known redirect, the URL as typed, and the server's root. */
  async findPrincipal(serverUrl: string): Promise<string> {
    const failures: unknown[] = [];
    const attempt = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await step();
      } catch (error) {
        failures.push(error);
        return undefined;
      }
    };
    const wellKnown = await attempt(() => this.#followWellKnown(serverUrl));
    const candidates = new Set([wellKnown ?? serverUrl, serverUrl, new URL('/', serverUrl).href]);
    for (const url of candidates) {
      const principal = await attempt(() => this.#readHref(url, 'd:current-user-principal'));
      if (principal !== undefined) return principal;
    }
    throw failures.at(-1) ?? createNoCalendarsError();
  }

  async findHome(principalUrl: string): Promise<string> {
    const homeUrl = await this.#readHref(principalUrl, 'c:calendar-home-set');
    if (homeUrl === undefined) throw createNoCalendarsError();
    return homeUrl;
  }

  async listAddresses(principalUrl: string): Promise<string[]> {
    const [response] = await this.#find(principalUrl, '<c:calendar-user-address-set/>');
    return findChildren(response?.props.get('calendar-user-address-set'), 'href').flatMap(({ text }) => {
      const [, address] = /^mailto:(.{1,320})$/i.exec(text) ?? [];
      return address === undefined ? [] : [address.toLowerCase()];
    });
  }

  /**
   * Requests the well-known URL (RFC 6764, 5). Returns the redirect's target, or undefined without a
   * redirect.
   */
  async #followWellKnown(serverUrl: string): Promise<string | undefined> {
    const url = new URL('/.well-known/caldav', serverUrl).href;
    const asked = await this.#dav.sendXml(
      {
        url,
        method: 'PROPFIND',
        depth: '0',
        body: createPropfindBody('<d:resourcetype/>'),
        maxBytes: DISCOVERY_BYTES,
      },
      'manual',
    );
    const redirected = parseRedirect(asked, serverUrl);
    if (redirected !== undefined) return redirected;
    return parseRedirect(
      await this.#dav.send({ url, method: 'GET', maxBytes: DISCOVERY_BYTES }, 'manual'),
      serverUrl,
    );
  }

  /** Returns the first URL in a property of a WebDAV resource. */
  async #readHref(url: string, prop: `${'c' | 'd'}:${string}`): Promise<string | undefined> {
    for (const { status, props } of await this.#find(url, `<${prop}/>`)) {
      if (status < 200 || status > 299) continue;
      const hrefs = findChildren(props.get(prop.slice(2)), 'href');
      const href = hrefs.find(({ text }) => text !== '')?.text;
      if (href !== undefined && URL.canParse(href, url)) return new URL(href, resolveFolderUrl(url)).href;
    }
    return undefined;
  }

  async #find(url: string, props: string): Promise<DavResponse[]> {
    const reply = await sendPropfind(this.#dav, { url, props, depth: '0', maxBytes: DISCOVERY_BYTES });
    return listResponses(reply, new ReadingBudget(this.#signal));
  }
}

interface Propfind {
  url: string;
  props: string;
  depth: '0' | '1';
  maxBytes: number;
}

function sendPropfind(dav: DavHttp, { props, ...request }: Propfind): Promise<DavReply> {
  return dav.sendXml({ ...request, method: 'PROPFIND', body: createPropfindBody(props) });
}

function createPropfindBody(props: string): string {
  return `<d:propfind ${NAMESPACES}><d:prop>${props}</d:prop></d:propfind>`;
}

/** Returns the target of a redirect. Adds the port again if a server behind a proxy has omitted it. */
function parseRedirect({ status, headers }: DavReply, serverUrl: string): string | undefined {
  const location = headers['location'];
  if (status < 300 || status > 399 || !location || !URL.canParse(location, serverUrl)) return undefined;
  const server = new URL(serverUrl);
  const url = new URL(location, serverUrl);
  if (url.hostname === server.hostname && server.port && !url.port) url.port = server.port;
  return url.href;
}

function resolveFolderUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.endsWith('/') ? pathname : `${pathname}/`}`;
}

function createNoCalendarsError(cause?: unknown): CalendarRefused {
  return new CalendarRefused(
    'No calendars were found there. Check the address: it is the one that calendar apps are given for CalDAV.',
    { cause },
  );
}

/** Converts a WebDAV resource. Returns undefined if it is not a calendar of events, or is on another host. */
function toCalendarDescriptor({ href, props }: DavResponse, homeUrl: string): CalendarDescriptor | undefined {
  if (!href || !URL.canParse(href, homeUrl) || !findChild(props.get('resourcetype'), 'calendar'))
    return undefined;
  const { hostname, pathname } = new URL(href, homeUrl);
  const url = new URL(pathname, homeUrl);
  const kinds = findChildren(props.get('supported-calendar-component-set'), 'comp').flatMap(
    ({ nameAttribute }) => nameAttribute?.toUpperCase() ?? [],
  );
  if (hostname !== url.hostname || (kinds.length > 0 && !kinds.includes('VEVENT'))) return undefined;
  const privileges = findChildren(props.get('current-user-privilege-set'), 'privilege');
  return {
    id: url.href,
    name: readTextValue(props.get('displayname')?.text || decodeLastSegment(url), 255),
    timezone: parseZoneName(props.get('calendar-timezone')?.text ?? ''),
    isPrimary: false,
    canWrite: privileges.length === 0 || privileges.some(grantsWrite),
  };
}

function grantsWrite(privilege: DavElement): boolean {
  return privilege.children.some(({ name }) => WRITING.has(name));
}

function decodeLastSegment({ pathname }: URL): string {
  const segment = pathname.replace(/\/$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
