import { cutText } from './cut-text.ts';

export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Maximum of consecutive combining marks, according to the Stream-Safe Text Format of UAX #15; no language uses more.
 */
const MAX_MARKS = 30;

/** Marks, and the half-width voicing marks of Katakana, which NFKC converts to marks. U+034F ends a run. */
const MARK = String.raw`(?:(?!\u034f)[\p{M}\uff9e\uff9f])`;
const LONG_RUN = new RegExp(`${MARK}{${MAX_MARKS}}(?=${MARK})`, 'gu');

/** Characters below are neither marks nor compose with others: most texts need no further processing. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/;

/**
 * Inserts U+034F (combining grapheme joiner) after each 30 marks: sorting a run by combining class, as normalization
 * does, takes the square of its length. Unlike dropping marks, it loses nothing of the text.
 */
export function breakMarks(text: string): string {
  return MAY_HAVE_MARKS.test(text) ? text.replace(LONG_RUN, '$&\u034f') : text;
}

/**
 * Returns the beginning of a text in a normalization form, at most `maxLength` UTF-16 code units before and after: NFKC
 * expands some characters to eighteen. Takes linear time for any text; the linter forbids `String.prototype.normalize`
 * elsewhere.
 * @param maxLength infinite for a text that the caller has limited
 */
export function normalizeText(text: string, form: NormalizationForm, maxLength: number): string {
  return cutText(breakMarks(cutText(text, maxLength)).normalize(form), maxLength);
}
