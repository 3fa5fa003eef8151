import { parseLink } from './parse-link.ts';

const MAX_LENGTH = 2000;
/** Parameters that identify readers or where they come from, not the page. */
const TRACKING_PARAMETER =
  /^(utm_\w+|gclid|fbclid|msclkid|dclid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid|sess(ion)?_?id)$/i;
/** Names of session parameters that also have other meanings. */
const PERHAPS_A_SESSION = /^(s|sid|sess|session)$/i;
const SESSION_VALUE = /^(?=.*\d)[\w-]{16,}$/;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Files without text. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|map|json|xml|rss|atom|woff2?|ttf|otf|eot|mp[34]|m4[av]|avi|mov|mkv|webm|wav|ogg|flac|zip|gz|tgz|bz2|xz|7z|rar|tar|iso|dmg|exe|msi|deb|rpm|apk|jar|bin|wasm)$/i;

/** Normalizes the URL of a link: without fragment, session and tracking. Null unless it is a web URL. */
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
  return NO_TEXT.test(new URL(address).pathname);
}

/** Returns a key that is equal for URLs that differ only in numbers and values, such as the months of a calendar. */
export function buildAddressShape(address: string): string {
  const { pathname, searchParams } = new URL(address);
  return `${pathname.replace(/\d+/g, '#')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

/** Returns the host of a URL: its name without `www.`, and its port. */
export function normalizeHost(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/^www\./, '').replace(/\.$/, '')}:${port}`;
}

function cleanSearch(search: string): string {
  const parts = search.slice(1).split('&');
  const kept = parts.filter((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    if (part === '' || TRACKING_PARAMETER.test(name)) return false;
    return !(PERHAPS_A_SESSION.test(name) && SESSION_VALUE.test(value));
  });
  return kept.length === 0 ? '' : `?${normalizeEscapes(kept.join('&'))}`;
}

/** RFC 3986, 6.2.2: upper-case digits, and no unnecessary encoding. */
function normalizeEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
