import type { IncomingHttpHeaders } from 'node:http';

/**
 * Lifetime in seconds of the cookie that identifies the browser during a calendar connection: half a minute
 * longer than an attempt is valid.
 */
const COOKIE_SECONDS = 630;

/**
 * Returns the name of the cookie that identifies a browser. With https, the prefix `__Host-` prevents other
 * hosts, even subdomains, from setting the cookie.
 */
function cookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-parley_calendar' : 'parley_calendar';
}

/** Returns the id in the cookie of a browser that is connecting a calendar; undefined without the cookie. */
export function findBrowserId({ cookie = '' }: IncomingHttpHeaders, baseUrl: string): string | undefined {
  const prefix = `${cookieName(baseUrl)}=`;
  const found = cookie
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix));
  return found?.slice(prefix.length);
}

/**
 * Creates the cookie that identifies the browser which connects a calendar. `SameSite=Lax` sends it when the
 * calendar provider redirects back, but not with requests from other sites.
 */
export function browserCookie(browser: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${browser}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns whether a request is a navigation of a browser, so that a person sees the response. */
export function isNavigating(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}
