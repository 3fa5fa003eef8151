/** Dots before what may be the next part of a host name, `://`, what stands before a mail's host, and addresses without one. */
const LINKED = /[.。．｡](?=[^\s\p{N}\p{P}])|:(?=\/\/)|[@＠](?=\S)|(?<=\b(?:mailto|sms|tel)):(?=\S)/giu;
/** Nothing to the eye. Where a program makes a link all the same, it leads nowhere: no part of a host name begins so (RFC 5892, A.1). */
const ZERO_WIDTH_NON_JOINER = '\u200C';

/** The same to readers, but nothing that mail programs turn into a link: whoever may choose a name must not have us advertise. */
export function unlinked(text: string): string {
  return text.replace(LINKED, `$&${ZERO_WIDTH_NON_JOINER}`);
}
