import type { ReadingBudget } from './bounded-expansion.ts';
import { CalendarReconnect, CalendarRefused } from '../calendar-provider.ts';
import {
  DavHttp,
  listResponses,
  mayBeMultistatus,
  type DavLogin,
  type DavReply,
  type SendToServer,
} from './dav-http.ts';
import {
  createNoCalendarsError,
  createPropfindBody,
  readHome,
  sendPropfind,
  toFolderUrl,
} from './list-calendars.ts';
import { findChildren, type DavResponse } from './multistatus.ts';

/** Stored credentials and addresses of a CalDAV account. */
export interface CalDavCredentials extends DavLogin {
  /** URL of the collection on the server that contains the account's calendars. */
  homeUrl: string;
  /** Email addresses of the account's owner, as they appear in invitations. */
  addresses: string[];
}

export type ServerLogin = DavLogin & { serverUrl: string };

const MAX_ADDRESSES = 20;
/**
 * Maximum size in bytes of a response during discovery. The properties of a principal, the user on the
 * server, take some hundred bytes.
 */
const DISCOVERY_BYTES = 256 * 1024;

/**
 * Finds the user and the calendars of a CalDAV account by its server's URL (RFC 6764 and 4791).
 * @throws CalendarReconnect if the password is wrong
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function discoverAccount(
  { serverUrl: typed, ...login }: ServerLogin,
  sendToServer: SendToServer,
  budget: ReadingBudget,
): Promise<CalDavCredentials> {
  const discovery = new Discovery(new DavHttp(login, sendToServer), budget);
  const serverUrl = parseServerUrl(typed);
  const principalUrl = await discovery.findPrincipal(serverUrl);
  const homeUrl = await discovery.findHome(principalUrl, serverUrl);
  const addresses = principalUrl === undefined ? [] : await discovery.listAddresses(principalUrl);
  const loginAddress = login.username.includes('@') ? [login.username.toLowerCase()] : [];
  return {
    ...login,
    homeUrl,
    addresses: [...new Set([...loginAddress, ...addresses])].slice(0, MAX_ADDRESSES),
  };
}

/**
 * Parses the URL of a calendar server as a person has typed it; the scheme may be missing.
 * @throws CalendarRefused if the text is not a URL
 */
function parseServerUrl(text: string): string {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password)
    throw new CalendarRefused(
      'This is not the URL of a server. Enter a URL such as https://calendar.example.com.',
    );
  url.hash = '';
  return url.href;
}

/** Sends the requests that lead from the URL of a CalDAV server to an account's calendars. */
class Discovery {
  readonly #dav: DavHttp;
  readonly #budget: ReadingBudget;
  /** Errors of failed steps, after which the discovery tried other URLs. */
  readonly #failures: unknown[] = [];

  constructor(dav: DavHttp, budget: ReadingBudget) {
    this.#dav = dav;
    this.#budget = budget;
  }

  /**
   * Finds the principal's URL, which identifies the user on the server. Tries the redirects of the well-known
   * URL, which may lead to a web page, the URL as typed, and the server's root. Undefined if no URL names a
   * principal.
   */
  async findPrincipal(serverUrl: string): Promise<string | undefined> {
    const wellKnown = await this.#listWellKnownTargets(new URL('/.well-known/caldav', serverUrl).href);
    for (const url of new Set([...wellKnown, serverUrl, new URL('/', serverUrl).href])) {
      const [principal] = await this.#listHrefs(url, 'd:current-user-principal');
      if (principal !== undefined) return principal;
    }
    return undefined;
  }

  /**
   * Finds the collection on the server that contains the account's calendars. Tries the collections that the
   * principal names, the principal itself, the URL as typed, and the folders in them. For an account without
   * calendars, returns the collection that the principal names.
   * @throws the error of an attempt if no such collection exists
   */
  async findHome(principalUrl: string | undefined, serverUrl: string): Promise<string> {
    const isDenied = this.#failures.some((error) => error instanceof CalendarReconnect);
    if (principalUrl === undefined && isDenied) throw this.#findFailure();
    const homeUrls =
      principalUrl === undefined ? [] : await this.#listHrefs(principalUrl, 'c:calendar-home-set');
    const candidates = new Set([
      ...homeUrls,
      ...(principalUrl === undefined ? [] : [principalUrl]),
      serverUrl,
    ]);
    for (const url of candidates) {
      const home = await this.#findCalendars(url);
      if (home !== undefined) return home;
    }
    const [home] = homeUrls;
    if (home !== undefined) return home;
    throw this.#findFailure();
  }

  async listAddresses(principalUrl: string): Promise<string[]> {
    const [response] = await this.#findProperties(principalUrl, '<c:calendar-user-address-set/>');
    return findChildren(response?.props.get('calendar-user-address-set'), 'href').flatMap(({ text }) => {
      const [, address] = /^mailto:(.{1,320})$/i.exec(text) ?? [];
      return address === undefined ? [] : [address.toLowerCase()];
    });
  }

  /**
   * Requests the well-known URL (RFC 6764, 5). Returns the targets to which it redirects PROPFIND and GET,
   * and the URL itself if it responds without a redirect.
   */
  async #listWellKnownTargets(url: string): Promise<string[]> {
    const body = createPropfindBody('<d:resourcetype/>');
    const propfindReply = await this.#collectFailure(() =>
      this.#dav.sendXml({ url, method: 'PROPFIND', depth: '0', body, maxBytes: DISCOVERY_BYTES }, 'manual'),
    );
    if (this.#isDenied) return [];
    if (propfindReply && mayBeMultistatus(propfindReply)) return [url];
    const getReply = await this.#collectFailure(() =>
      this.#dav.send({ url, method: 'GET', maxBytes: DISCOVERY_BYTES }, 'manual'),
    );
    return [propfindReply, getReply].flatMap((reply) => (reply && parseRedirect(reply, url)) ?? []);
  }

  /**
   * Returns a collection with calendars: the given URL, with or without a slash at its end, or a folder in
   * it.
   */
  async #findCalendars(url: string): Promise<string | undefined> {
    for (const variant of listSlashVariants(url)) {
      const home = await this.#collectFailure(() => readHome(this.#dav, variant, this.#budget));
      if (home && home.calendars.length > 0) return variant;
      if (!home && this.#isDenied) return undefined;
      for (const folder of home?.folders ?? []) {
        const folderHome = await this.#collectFailure(() => readHome(this.#dav, folder, this.#budget));
        if (folderHome && folderHome.calendars.length > 0) return folder;
      }
    }
    return undefined;
  }

  /** Lists the URLs in a property of a WebDAV resource. */
  async #listHrefs(url: string, prop: `${'c' | 'd'}:${string}`): Promise<string[]> {
    for (const written of listSlashVariants(url)) {
      const responses = await this.#collectFailure(() => this.#findProperties(written, `<${prop}/>`));
      if (!responses && this.#isDenied) return [];
      const hrefs = (responses ?? [])
        .filter(({ status }) => status >= 200 && status <= 299)
        .flatMap(({ props }) => findChildren(props.get(prop.slice(2)), 'href'))
        .flatMap(({ text }) => (text !== '' && URL.canParse(text, written) ? text : []));
      if (hrefs.length > 0)
        return hrefs.map((href) => keepHttps(new URL(href, toFolderUrl(written)), written));
    }
    return [];
  }

  async #findProperties(url: string, props: string): Promise<DavResponse[]> {
    const reply = await sendPropfind(this.#dav, { url, props, depth: '0', maxBytes: DISCOVERY_BYTES });
    return listResponses(reply, this.#budget);
  }

  /**
   * True if the server has rejected the credentials of the last failed attempt. Another attempt could lock
   * the account.
   */
  get #isDenied(): boolean {
    return this.#failures.at(-1) instanceof CalendarReconnect;
  }

  #findFailure(): unknown {
    const denied = this.#failures.find((error) => error instanceof CalendarReconnect);
    return denied ?? this.#failures.at(-1) ?? createNoCalendarsError();
  }

  /**
   * Runs a step of the discovery. Returns undefined if the step fails, so that the caller tries another URL.
   */
  async #collectFailure<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      this.#failures.push(error);
      return undefined;
    }
  }
}

/**
 * Returns a server's URL, and then the same URL with or without a slash at its end. A server may know only
 * one of the two.
 */
function listSlashVariants(url: string): string[] {
  const { origin, pathname, search } = new URL(url);
  if (pathname === '/' || search !== '') return [url];
  return [url, origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`)];
}

/** Returns the target of a redirect. Adds the port again if a server behind a proxy has omitted it. */
function parseRedirect({ status, headers }: DavReply, serverUrl: string): string | undefined {
  const location = headers['location'];
  if (status < 300 || status > 399 || !location || !URL.canParse(location, serverUrl)) return undefined;
  const server = new URL(serverUrl);
  const url = new URL(location, serverUrl);
  if (url.hostname === server.hostname && server.port && !url.port) url.port = server.port;
  return keepHttps(url, serverUrl);
}

/**
 * Returns the target URL of a redirect, with https if the server was reached with https. A server behind a
 * proxy may name itself with http.
 */
function keepHttps(url: URL, reachedUrl: string): string {
  const reached = new URL(reachedUrl);
  if (url.hostname !== reached.hostname || url.protocol !== 'http:' || reached.protocol !== 'https:')
    return url.href;
  return reached.origin + url.pathname + url.search;
}
