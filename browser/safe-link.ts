const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_LENGTH = 2048;

/** The address as it may stand in a link, or null: only absolute http, https, mailto and tel, and none that hides its host behind a user name. */
export function safeLink(address: string | null | undefined): string | null {
  const text = address?.trim() ?? '';
  const url = text.length > MAX_LENGTH ? null : parse(text);
  if (!url || !PROTOCOLS.has(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}

/** `URL.canParse` is too new for some browsers. */
function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
