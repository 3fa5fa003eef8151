/** Protocols whose URLs run code, or show arbitrary content, inside the page that contains the link. */
const SCRIPT_PROTOCOLS: ReadonlySet<string> = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  // These schemes are followed by another URL, which may have a scheme of the list above.
  'view-source:',
  'feed:',
  'jar:',
  'filesystem:',
]);

/** Returns a URL if its protocol is HTTP or HTTPS; null otherwise. */
export function parseWebAddress(address: string | null | undefined): string | null {
  const protocol = parseProtocol(address);
  return protocol === 'http:' || protocol === 'https:' ? address! : null;
}

/**
 * Returns the address of a visitor's page, in a browser or app. Returns null for `javascript:` and similar
 * addresses, which run code when opened.
 */
export function parsePageAddress(address: string | null | undefined): string | null {
  const protocol = parseProtocol(address);
  return protocol !== null && SCRIPT_PROTOCOLS.has(protocol) ? null : (address ?? null);
}

/** Protocols allowed in the links of a bot's directory. */
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/**
 * Matches characters that browsers remove from a URL before they read its protocol. Other programs may keep
 * these characters.
 */
const DROPPED = /^\s|\s$|\p{Cc}/u;

/** Returns whether a link of a bot's directory leads to a web page, an email address or a phone number. */
export function isOutwardLink(link: string): boolean {
  const protocol = parseProtocol(link);
  return protocol !== null && LINK_PROTOCOLS.has(protocol) && !DROPPED.test(link);
}

/**
 * Returns a URL's protocol, parsed like browsers do, which ignore spaces and control characters. Null for a
 * relative URL.
 */
function parseProtocol(address: string | null | undefined): string | null {
  const text = address ?? '';
  return URL.canParse(text) ? new URL(text).protocol : null;
}
