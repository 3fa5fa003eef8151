import { useEffect, useMemo, useState } from 'preact/hooks';

/** Location within the console, from the fragment of the URL: `#/bots/<id>/documents?status=failed`. */
export interface Route {
  segments: string[];
  query: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [way = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    segments: way.split('/').filter(Boolean).map(decodeSegment),
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
  return `#/${segments.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
}

export function goTo(href: string): void {
  window.location.hash = href;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const handleHashChange = () => setHash(window.location.hash);
    window.addEventListener('hashchange', handleHashChange);
    // Read the fragment again: it may have changed before the listener was added.
    handleHashChange();
    return () => window.removeEventListener('hashchange', handleHashChange);
  }, []);
  return useMemo(() => parseRoute(hash), [hash]);
}
