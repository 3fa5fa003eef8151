import { cutText } from './cut-text.ts';

export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/**
 * Maximum number of consecutive combining marks such as accents, from the Stream-Safe Text Format of UAX #15.
 * No language uses more.
 */
const MAX_MARKS = 30;

/**
 * Matches combining marks, and the half-width voicing marks of Katakana, which NFKC converts to combining
 * marks. U+034F is excluded, because that character ends a run of marks.
 */
const MARK = String.raw`(?:(?!\u034f)[\p{M}\uff9e\uff9f])`;
const LONG_RUN = new RegExp(`${MARK}{${MAX_MARKS}}(?=${MARK})`, 'gu');

/**
 * Matches characters from U+0300. A text without such characters has no combining marks, so most texts are
 * returned unchanged at once.
 */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/;

/**
 * Inserts U+034F (combining grapheme joiner) after every 30 combining marks. Normalization sorts each run of
 * marks, which takes quadratic time for a long run. No character of the text is lost.
 */
export function breakMarks(text: string): string {
  return MAY_HAVE_MARKS.test(text) ? text.replace(LONG_RUN, '$&\u034f') : text;
}

/**
 * Normalizes the beginning of a text. The result has at most `maxLength` UTF-16 code units, although NFKC
 * expands some characters to eighteen. Takes linear time for any text, so the linter forbids
 * `String.prototype.normalize` elsewhere.
 * @param maxLength Infinity if the caller has limited the text
 */
export function normalizeText(text: string, form: NormalizationForm, maxLength: number): string {
  return cutText(breakMarks(cutText(text, maxLength)).normalize(form), maxLength);
}
