/** Protocols whose URLs run a script, or show their own page, in whatever links to them. */
const SCRIPT_PROTOCOLS: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:']);

/** Returns the address if it leads to a web page, and null otherwise. */
export function webAddress(address: string | null | undefined): string | null {
  const protocol = parseProtocol(address);
  return protocol === 'http:' || protocol === 'https:' ? address! : null;
}

/** Returns the address of the page a visitor was on, in an app or a browser; null for one that runs where it is opened. */
export function pageAddress(address: string | null | undefined): string | null {
  const protocol = parseProtocol(address);
  return protocol !== null && SCRIPT_PROTOCOLS.has(protocol) ? null : (address ?? null);
}

/** Protocols that a directory link may have. */
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Characters that browsers drop before they read the protocol; other readers may not. */
const DROPPED = /^\s|\s$|\p{Cc}/u;

/** Returns whether a link leads to a web page, a mail address or a phone number. */
export function isOutwardLink(link: string): boolean {
  const protocol = parseProtocol(link);
  return protocol !== null && LINK_PROTOCOLS.has(protocol) && !DROPPED.test(link);
}

/** Parses the protocol like browsers, which ignore spaces and control characters; null for a relative address. */
function parseProtocol(address: string | null | undefined): string | null {
  const text = address ?? '';
  return URL.canParse(text) ? new URL(text).protocol : null;
}
