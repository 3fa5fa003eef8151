import { decodeSegment } from '../router.ts';

/** The opened page and the parameters of its address. */
export interface Arrival {
  segments: string[];
  query: URLSearchParams;
  /** The token of a mailed link. */
  token: string | null;
}

/** Reads the address, and removes the secrets from it: tokens of mailed links and codes of identity providers. */
export function readArrival(): Arrival {
  const { pathname, search, hash } = window.location;
  const segments = pathname.split('/').filter(Boolean).map(decodeSegment);
  if (segments[0] !== 'console') window.history.replaceState(null, '', pathname);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return { segments, query: new URLSearchParams(search), token };
}
