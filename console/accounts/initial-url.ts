import { decodeSegment } from '../router.ts';

/** Path and parameters of the URL with which the console was opened. */
export interface InitialUrl {
  segments: string[];
  query: URLSearchParams;
  /** Token of an emailed link; null if the URL has none. */
  token: string | null;
}

/**
 * Reads the URL of the page. Then removes secrets from the address bar: tokens of emailed links and codes of
 * identity providers.
 */
export function readInitialUrl(): InitialUrl {
  const { pathname, search, hash } = window.location;
  const segments = pathname.split('/').filter(Boolean).map(decodeSegment);
  if (segments[0] !== 'console') window.history.replaceState(null, '', pathname);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return { segments, query: new URLSearchParams(search), token };
}
