import { cutText } from './cut-text.ts';

export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** Combining marks that may follow each other, as the Stream-Safe Text Format of UAX #15 allows; no language writes as many. */
const MAX_MARKS = 30;

/** Marks, and the half-width voicing marks of Katakana, which NFKC turns into some. U+034F joins nothing: it ends a run. */
const MARK = String.raw`(?:(?!\u034f)[\p{M}\uff9e\uff9f])`;
const LONG_RUN = new RegExp(`${MARK}{${MAX_MARKS}}(?=${MARK})`, 'gu');

/** Below it, no character is a mark and none composes with another one: most texts need nothing of what follows. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/;

/**
 * Inserts U+034F (combining grapheme joiner) after each 30 marks: sorting a run by combining class, as normalization
 * does, takes the square of its length. Unlike dropping marks, it loses nothing of the text.
 */
export function breakMarks(text: string): string {
  return MAY_HAVE_MARKS.test(text) ? text.replace(LONG_RUN, '$&\u034f') : text;
}

/**
 * The beginning of a text in a normalization form, at most `maxLength` UTF-16 code units before and after: NFKC makes
 * eighteen characters of some. Linear in the length of what is read, whatever the text; the linter forbids
 * `String.prototype.normalize` elsewhere.
 * @param maxLength infinite for a text that its caller has bounded
 */
export function normalizeText(text: string, form: NormalizationForm, maxLength: number): string {
  return cutText(breakMarks(cutText(text, maxLength)).normalize(form), maxLength);
}
