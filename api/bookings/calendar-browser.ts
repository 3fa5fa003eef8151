import type { IncomingHttpHeaders } from 'node:http';

/** Half a minute more than an attempt lasts. */
const COOKIE_SECONDS = 630;

/** Name of the cookie. With the prefix no other host, not even a subdomain, can set it. */
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

/** Comes along when the provider leads back to us, but with nothing that another site sends. */
export function browserCookie(browser: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${browser}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Whether a person looks at what is returned, as all browsers tell. */
export function isNavigating(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}
