import { normalizeText } from '../../core/text/normalize-text.ts';

/**
 * Matches characters that are removed from texts: C0 and C1 control characters except tab and line feed, and
 * invisible characters that only allow line breaks.
 */
// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const invisible = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g;

/** Matches long runs of white space, which would keep the tokenizer busy for minutes. */
const longSpace = /\s{33,}/g;

/**
 * Matches a character that may need NFC normalization. Text below U+0300 is already normalized, and skipping
 * it saves a copy.
 */
const composable = /[\u0300-\uffff]/;

/**
 * Cleans text for PostgreSQL and search: normalizes to NFC and `\n` line ends, removes NUL and control
 * characters.
 */
export function cleanText(text: string): string {
  const cleaned = text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029\f]/g, '\n')
    .replace(invisible, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(longSpace, (space) => (space.includes('\n') ? '\n\n' : ' '));
  return composable.test(cleaned) ? normalizeText(cleaned, 'NFC', Infinity) : cleaned;
}

/** Cleans text like `cleanText` and joins its lines, for example for headings and titles. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
