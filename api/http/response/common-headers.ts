import type { Settings } from '../../../core/settings/settings.ts';

/** Headers of every response. These headers forbid caching, framing, MIME sniffing and scripts. */
const COMMON: readonly [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
];

/**
 * Requires https for a year, the minimum for preload lists. Excludes subdomains, which may be other servers.
 * Browsers ignore the header over plain http.
 */
const HTTPS_ONLY: [string, string] = ['Strict-Transport-Security', 'max-age=31536000'];

export function commonHeaders({ baseUrl }: Pick<Settings, 'baseUrl'>): [string, string][] {
  return baseUrl.startsWith('https:') ? [...COMMON, HTTPS_ONLY] : [...COMMON];
}
