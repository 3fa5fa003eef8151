import { UsageError } from './command.ts';

/**
 * Normalizes a server's URL: lower case, without the default port and a trailing slash.
 * @param source origin of the text, for the error message
 * @throws UsageError if the text is no plain http or https URL
 */
export function normalizeUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(
      `${source} has no address that Parley could be at; write it like https://chat.example.com.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Returns whether requests to a URL can be intercepted: http to another machine. */
export function isInterceptable(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

/** Host names and addresses of this machine, as `URL` writes them. */
const LOOPBACK =
  /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[::1\]$|^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;
