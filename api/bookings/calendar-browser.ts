import type { IncomingHttpHeaders } from 'node:http';

/** Half a minute more than an attempt lasts. */
const COOKIE_SECONDS = 630;

/** With the prefix no other host, not even one below ours, can set it. */
function cookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-parley_calendar' : 'parley_calendar';
}

/** What this browser is known by among those that connect calendars; undefined for one that is not. */
export function browserOf({ cookie = '' }: IncomingHttpHeaders, baseUrl: string): string | undefined {
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
