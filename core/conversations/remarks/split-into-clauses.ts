import { normalize } from '../../answers/terms.ts';
import { cutText } from '../../text/cut-text.ts';

/** Maximum number of characters in a message that is split into clauses. A longer message has none. */
const MAX_CHARS = 1000;
const MAX_CLAUSES = 10;
const MAX_CLAUSE_WORDS = 30;

/**
 * Splits a message into clauses, each an array of words: lower case, without accents, apostrophes and
 * hyphens. Returns an empty array for a message without words, or with too many words.
 */
export function splitIntoClauses(message: string): string[][] {
  if (message.length > MAX_CHARS) return [];
  const text = cutText(normalize(message), MAX_CHARS)
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    // Shorten "heeelloooo": no word of these languages has three equal letters in a row.
    .replace(/(\p{L})\1{2,}/gu, '$1');
  const clauses = text
    .split(/[.!?,;:\n()…¡¿–—]+/u)
    .map((clause) => clause.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((words) => words.length > 0);
  const isShort = clauses.length <= MAX_CLAUSES && clauses.every(({ length }) => length <= MAX_CLAUSE_WORDS);
  return isShort ? clauses : [];
}
