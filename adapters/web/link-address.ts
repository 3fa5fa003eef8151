import { parseLink } from './parse-link.ts';

const MAX_LENGTH = 2000;
/** Say who reads or where they come from, and nothing of the page. */
const NO_PART_OF_THE_PAGE =
  /^(utm_\w+|gclid|fbclid|msclkid|dclid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid|sess(ion)?_?id)$/i;
/** Names that sessions share with other things. */
const PERHAPS_A_SESSION = /^(s|sid|sess|session)$/i;
const SESSION_VALUE = /^(?=.*\d)[\w-]{16,}$/;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Files that have no text to answer from. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|map|json|xml|rss|atom|woff2?|ttf|otf|eot|mp[34]|m4[av]|avi|mov|mkv|webm|wav|ogg|flac|zip|gz|tgz|bz2|xz|7z|rar|tar|iso|dmg|exe|msi|deb|rpm|apk|jar|bin|wasm)$/i;

/**
 * The address that a link leads to, written in one way however the page writes it: without fragment, session and tracking. Null for
 * what is no web page's.
 */
export function linkAddress(href: string, base: string): string | null {
  const url = parseLink(href.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  url.pathname = plainly(url.pathname).replace(/;(jsessionid|sid|phpsessid)=[^/;]*/gi, '');
  url.search = searchOf(url.search);
  return url.href.length > MAX_LENGTH ? null : url.href;
}

export function isFileWithoutText(address: string): boolean {
  return NO_TEXT.test(new URL(address).pathname);
}

/** The same for all addresses that differ in numbers and values alone, as the months of a calendar do. */
export function shapeOf(address: string): string {
  const { pathname, searchParams } = new URL(address);
  return `${pathname.replace(/\d+/g, '#')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

/** What makes one host of several addresses: its name, where `www.` makes no difference, and a port of its own. */
export function hostOf(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/^www\./, '').replace(/\.$/, '')}:${port}`;
}

function searchOf(search: string): string {
  const parts = search.slice(1).split('&');
  const kept = parts.filter((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    if (part === '' || NO_PART_OF_THE_PAGE.test(name)) return false;
    return !(PERHAPS_A_SESSION.test(name) && SESSION_VALUE.test(value));
  });
  return kept.length === 0 ? '' : `?${plainly(kept.join('&'))}`;
}

/** RFC 3986, 6.2.2: upper-case digits, and nothing encoded that need not be. */
function plainly(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
