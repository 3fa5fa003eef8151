import { parseLink } from './parse-link.ts';

const MAX_LENGTH = 2000;
/** Matches query parameters of a link that track visitors or hold a session, and do not identify a page. */
const TRACKING_PARAMETER =
  /^(utm_\w+|gclid|fbclid|msclkid|dclid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid|sess(ion)?_?id)$/i;
/** Matches query parameters of a link that may be a session, depending on their value. */
const POSSIBLE_SESSION_PARAMETER = /^(s|sid|sess|session)$/i;
const SESSION_VALUE = /^(?=.*\d)[\w-]{16,}$/;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Matches file extensions of formats from which Parley reads no text. */
const FORMATS_WITHOUT_TEXT =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|map|json|xml|rss|atom|woff2?|ttf|otf|eot|mp[34]|m4[av]|avi|mov|mkv|webm|wav|ogg|flac|zip|gz|tgz|bz2|xz|7z|rar|tar|iso|dmg|exe|msi|deb|rpm|apk|jar|bin|wasm)$/i;

/**
 * Normalizes the URL of a link: removes fragment, session and tracking parameters. Null if the link has no
 * http(s) URL.
 */
export function normalizeLink(href: string, base: string): string | null {
  const url = parseLink(href.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  url.pathname = normalizeEscapes(url.pathname).replace(/;(jsessionid|sid|phpsessid)=[^/;]*/gi, '');
  url.search = cleanSearch(url.search);
  return url.href.length > MAX_LENGTH ? null : url.href;
}

export function isFileWithoutText(address: string): boolean {
  return FORMATS_WITHOUT_TEXT.test(new URL(address).pathname);
}

/**
 * Returns a key that is equal for URLs which differ only in numbers and parameter values, such as the pages
 * of a calendar's months.
 */
export function buildAddressShape(address: string): string {
  const { pathname, searchParams } = new URL(address);
  return `${pathname.replace(/\d+/g, '#')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

/** Returns host and port of a URL, without `www.`. */
export function normalizeHost(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/^www\./, '').replace(/\.$/, '')}:${port}`;
}

function cleanSearch(search: string): string {
  const parts = search.slice(1).split('&');
  const remainingParts = parts.filter((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    if (part === '' || TRACKING_PARAMETER.test(name)) return false;
    return !(POSSIBLE_SESSION_PARAMETER.test(name) && SESSION_VALUE.test(value));
  });
  return remainingParts.length === 0 ? '' : `?${normalizeEscapes(remainingParts.join('&'))}`;
}

/**
 * Normalizes the percent-encoding of a URL (RFC 3986, 6.2.2): upper-case digits, and no encoding of
 * unreserved characters.
 */
function normalizeEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
