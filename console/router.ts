import { Store } from './client/store.ts';

/** Location within the console, from the URL: `/console/bots/<id>/documents?status=failed`. */
export interface Route {
  segments: string[];
  query: Record<string, string>;
}

const ROOT = '/console';

/** Path and query of the current page, which change without a request when the user follows a link. */
export const location = new Store(readAddress());

function readAddress(): string {
  return typeof window === 'undefined' ? ROOT : window.location.pathname + window.location.search;
}

/**
 * @param address path and query of a URL; a path outside of the console counts as the console's start page
 */
export function parseRoute(address: string): Route {
  const [path = '', search = ''] = address.split('?');
  const subpath = isWithinConsole(path) ? path.slice(ROOT.length) : '';
  return {
    segments: subpath.split('/').filter(Boolean).map(decodeSegment),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether a segment of the URL is an id (a UUID), not the name of a page. */
export function isId(segment: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(segment);
}

export function buildHref(
  segments: readonly string[],
  query: Record<string, string | undefined> = {},
): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(set).toString();
  return `${[ROOT, ...segments.map(encodeURIComponent)].join('/')}${search && `?${search}`}`;
}

export function currentRoute(): Route {
  return parseRoute(location.value);
}

/** Opens a page of the console as a new entry of the browser's history. */
export function goTo(href: string): void {
  if (href === location.value) return;
  window.history.pushState(null, '', href);
  location.set(readAddress());
}

/** Opens a page of the console in place of the current entry of the browser's history. */
export function replaceWith(href: string): void {
  window.history.replaceState(null, '', href);
  location.set(readAddress());
}

/**
 * Replaces a console URL of an earlier release, whose page was in the fragment: `/console#/inbox`. Returns a
 * URL without such a fragment unchanged.
 */
function toCurrentAddress({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  if (!hash.startsWith('#/') || !isWithinConsole(pathname)) return pathname + search;
  return ROOT + hash.slice(1).replace(/^\/(?=\?|$)/, '');
}

/** Replaces the path of another page, such as the sign-in page, by /console in the address bar. */
export function openConsolePath(): void {
  if (!isWithinConsole(window.location.pathname)) replaceWith(ROOT);
}

/**
 * Follows the browser's history, links of earlier releases, and clicks on links to pages of the console.
 * Modified clicks open the link in the browser's own way.
 */
export function startRouter(): void {
  const follow = (): void => {
    const { pathname, search, hash } = window.location;
    if (hash.startsWith('#/') && isWithinConsole(pathname)) replaceWith(toCurrentAddress(window.location));
    else location.set(pathname + search);
  };
  follow();
  window.addEventListener('popstate', follow);
  window.addEventListener('hashchange', follow);
  document.addEventListener('click', (event) => {
    const href = findConsoleLink(event);
    if (href === null) return;
    event.preventDefault();
    goTo(href);
  });
}

/** Returns the address that a click on a link to a console page opens; null for any other click. */
function findConsoleLink(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (event.defaultPrevented || !isPlain || !(event.target instanceof Element)) return null;
  const link = event.target.closest('a');
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null;
  const isPage = link.origin === window.location.origin && isWithinConsole(link.pathname);
  return isPage && link.hash === '' ? link.pathname + link.search : null;
}

function isWithinConsole(path: string): boolean {
  return path === ROOT || path.startsWith(`${ROOT}/`);
}
