const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_LENGTH = 2048;

/**
 * Returns the normalized URL if it is safe as a link; null if not. A safe URL is absolute, has the scheme
 * http, https, mailto or tel, and has no user name, which could disguise the host.
 */
export function toSafeLink(address: string | null | undefined): string | null {
  const text = address?.trim() ?? '';
  const url = text.length > MAX_LENGTH ? null : parseAbsoluteUrl(text);
  if (!url || !PROTOCOLS.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}

/** Parses an absolute URL; null if it is invalid. Some supported browsers lack `URL.canParse`. */
function parseAbsoluteUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
