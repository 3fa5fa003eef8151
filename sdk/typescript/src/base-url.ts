const EXAMPLE = 'https://chat.example.com';
/** Matches the host names and addresses of this machine, as `URL` writes them. */
const LOOPBACK =
  /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[::1\]$|^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;
/**
 * Matches the start of an API key that was passed as the address of Parley. An error message must not repeat
 * the key.
 */
const API_KEY = /^parley_(live|test)_/;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The address of a Parley server, or the reason why a text cannot be one. */
export type ParsedBaseUrl = { url: string } | { fault: string };

/**
 * Normalizes the address of a Parley server: lower case, without the default port and a trailing slash.
 * @param source name of the setting, for the message
 */
export function parseBaseUrl(text: string, source: string): ParsedBaseUrl {
  if (API_KEY.test(text.trim()))
    return { fault: `${source} is an API key. Write an address like ${EXAMPLE}.` };
  if (!HAS_SCHEME.test(text.trim())) return { fault: describeMissingScheme(text.trim(), source) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return { fault: `${source} is not a valid address of Parley. Write it like ${EXAMPLE}.` };
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (address.endsWith('/api'))
    return {
      fault: `${source} ends in /api, which is part of each request’s path: write ${withoutApi(address)}.`,
    };
  return address.endsWith('/docs')
    ? { fault: `${source} ends in /docs, the reference’s path: write ${address.slice(0, -'/docs'.length)}.` }
    : { url: address };
}

/**
 * Returns whether others on the network can read requests to a URL: the URL uses http and leads to another
 * machine.
 */
export function isInterceptable(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

function describeMissingScheme(text: string, source: string): string {
  const http = `http://${text}`;
  const isLoopback = URL.canParse(http) && LOOPBACK.test(new URL(http).hostname);
  const parsed = parseBaseUrl(isLoopback ? withoutApi(http) : withoutApi(`https://${text}`), source);
  const suggestion = 'url' in parsed ? parsed.url : `it like ${EXAMPLE}`;
  return `${source} does not begin with http:// or https://: write ${suggestion}.`;
}

function withoutApi(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/api$/, '');
}
