import type { IncomingHttpHeaders } from 'node:http';

/** Half a minute longer than an attempt is valid. */
const COOKIE_SECONDS = 630;

/** Name of the cookie. The prefix prevents other hosts, even subdomains, from setting it. */
function cookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-parley_calendar' : 'parley_calendar';
}

/** Returns the id of a browser that is connecting a calendar; undefined without one. */
export function findBrowserId({ cookie = '' }: IncomingHttpHeaders, baseUrl: string): string | undefined {
  const prefix = `${cookieName(baseUrl)}=`;
  const found = cookie
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix));
  return found?.slice(prefix.length);
}

/** Sent when the provider redirects back, but not with requests from other sites. */
export function browserCookie(browser: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${browser}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns whether a person views the response, according to headers that all browsers send. */
export function isNavigating(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}
