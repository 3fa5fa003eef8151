import { normalizeText } from '../../core/text/normalize-text.ts';

/** C0 and C1 controls but tab and line feed, and characters that only mark possible line breaks. */
// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const invisible = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g;

/** Meaningless white space in amounts that would cost the tokenizer minutes. */
const longSpace = /\s{33,}/g;

/** Characters below are their own composed form: such text needs no normalization, which copies it. */
const composable = /[\u0300-\uffff]/;

/** Cleans text for PostgreSQL and search: NFC, no NUL or control characters, `\n` line ends. */
export function cleanText(text: string): string {
  const cleaned = text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029\f]/g, '\n')
    .replace(invisible, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(longSpace, (space) => (space.includes('\n') ? '\n\n' : ' '));
  return composable.test(cleaned) ? normalizeText(cleaned, 'NFC', Infinity) : cleaned;
}

/** Cleans text and joins it into one line, for example for headings and titles. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
