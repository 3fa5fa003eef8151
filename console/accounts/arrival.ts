import { decoded } from '../router.ts';

/** Where somebody has come to, and what they bring. */
export interface Arrival {
  segments: string[];
  query: URLSearchParams;
  /** Of a mailed link. */
  token: string | null;
}

/** Reads the address, and removes from it what is for this page alone: tokens of mails, codes of identity providers. */
export function arrive(): Arrival {
  const { pathname, search, hash } = window.location;
  const segments = pathname.split('/').filter(Boolean).map(decoded);
  if (segments[0] !== 'console') window.history.replaceState(null, '', pathname);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return { segments, query: new URLSearchParams(search), token };
}
