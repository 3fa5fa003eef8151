import type { IncomingHttpHeaders } from 'node:http';

/** Lifetime of the cookie: half a minute longer than an attempt to connect a calendar is valid. */
const COOKIE_SECONDS = 630;

/**
 * Returns the name of the cookie. With https, the prefix `__Host-` prevents other hosts, even subdomains,
 * from setting it.
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
 * Creates the cookie. `SameSite=Lax` sends it when the provider redirects back, but not with requests from
 * other sites.
 */
export function browserCookie(browser: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${browser}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns whether the browser navigates to this URL, so that a person sees the response. */
export function isNavigating(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}
