/**
 * Matches characters that make mail clients see a link: dots in host names, `://`, the `@` of email
 * addresses, and the colon of `mailto:`, `sms:` and `tel:`.
 */
const LINKED =
  /[.。．｡](?=[^\s\p{N}\p{P}\u200C])|:(?=\/\/)|[@＠](?=[^\s\u200C])|(?<=\b(?:mailto|sms|tel)):(?=[^\s\u200C])/giu;
/**
 * Invisible character that is inserted to prevent links. If a mail client still makes a link, the link leads
 * nowhere: no host label may begin with this character (RFC 5892, A.1).
 */
const ZERO_WIDTH_NON_JOINER = '\u200C';

/**
 * Changes user-chosen names so that mail clients do not turn them into links. Otherwise, anyone could send
 * spam through Parley.
 */
export function preventAutoLinking(text: string): string {
  return text.replace(LINKED, `$&${ZERO_WIDTH_NON_JOINER}`);
}
