import { isVisible } from './visible-text.ts';

/**
 * Matches control characters, line separators, and bidirectional embeddings, overrides and isolates, which
 * make names look like other names. Joiners and the marks U+200E, U+200F and U+061C are parts of names and
 * emoji.
 */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const REMOVED = new RegExp(String.raw`(?:${CONTROL.source}|[\p{Cs}\s])+`, 'gu');

/**
 * Returns why a text is not valid as a name, title or label; null if the text is valid.
 * @param mayBeBlank true if the text is optional, so that forms may send an empty text
 */
export function describeLineFault(text: string, { mayBeBlank }: { mayBeBlank: boolean }): string | null {
  if (CONTROL.test(text))
    return 'must be one line, without control characters and without characters that change the text’s direction';
  return mayBeBlank || isVisible(text) ? null : 'must contain visible characters';
}

/**
 * Returns a text on one line. Replaces each run of characters that cannot be stored or displayed with a
 * space.
 */
export function toSingleLine(text: string): string {
  return text.replace(REMOVED, ' ').trim();
}
