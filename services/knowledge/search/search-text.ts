import { normalizeText } from '../../../core/text/normalize-text.ts';

const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const spacelessRun = new RegExp(`[${spaceless}]+`, 'gu');
const spacelessCharacter = new RegExp(`[${spaceless}]`, 'u');
const wordOrRun = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/**
 * Converts a text to the input for PostgreSQL's `to_tsvector(config, …)` and tsquery functions. Scripts
 * without spaces become overlapping pairs of characters. Under `simple`, which has no stemmer, words become
 * trigrams, so that inflected forms share most of their lexemes. Numbers, codes and words of up to three
 * letters stay whole.
 */
export function toSearchText(text: string, config: string): string {
  if (config !== 'simple') return text.replace(spacelessRun, (run) => ` ${toGrams(run, 2)} `);
  const parts: string[] = [];
  for (const [part] of normalizeText(text, 'NFKC', Infinity).toLowerCase().matchAll(wordOrRun)) {
    if (spacelessCharacter.test(part)) parts.push(toGrams(part, 2));
    else parts.push(/\p{N}/u.test(part) ? part : toGrams(part, 3));
  }
  return parts.join(' ');
}

function toGrams(word: string, size: number): string {
  const characters = Array.from(word);
  if (characters.length <= size) return word;
  return characters
    .slice(size - 1)
    .map((_last, index) => characters.slice(index, index + size).join(''))
    .join(' ');
}
