const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const MAX_LENGTH = 2048;

/** The address as it may stand in a link, or null: only absolute http, https and mailto, and none that hides its host behind a user name. */
export function safeLink(address: string | null | undefined): string | null {
  const text = address?.trim() ?? '';
  if (text === '' || text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return PROTOCOLS.has(protocol) && username === '' && password === '' ? href : null;
}
