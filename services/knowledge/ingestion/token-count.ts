import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Piece of a text that is never cut: white space, a word, or a slice of a longer run of characters. A slice
 * has up to 32 characters, and also ends at a CJK full stop.
 */
export interface Atom {
  text: string;
  isSpace: boolean;
  tokens: number;
}

const atomPattern = /\s+|[^\s。！？｡]{1,32}[。！？｡]{0,32}|[。！？｡]{1,32}/gu;
/**
 * Maximum number of words whose token counts are cached, which take one or two megabytes. Longer words are
 * not cached, because V8 would keep the whole text from which such a word was sliced.
 */
const MAX_CACHED_PARTS = 20_000;
const MAX_CACHED_LENGTH = 12;
/**
 * Maximum number of characters in a run of white space whose tokens are counted at once. Longer runs are
 * counted in slices, because the tokenizer needs quadratic time for white space.
 */
const MAX_SPACE_LENGTH = 256;
const tokenCounts = new Map<string, number>();
const PLAIN_TEXT_OPTIONS = { disallowedSpecial: new Set<string>() };

/**
 * Yields the pieces of a text with their numbers of tokens, in the encoding of current OpenAI models (o200k).
 * The tokenizer alone would need 20 seconds for 200,000 letters in a row; piece by piece, the time is linear.
 */
export function* splitAtoms(text: string): Generator<Atom> {
  let space = '';
  for (const [part] of text.matchAll(atomPattern)) {
    const isSpace = part.trim() === '';
    // Counts a single space with the word that follows: in this encoding, the word's first token includes the
    // space.
    const tokens = part === ' ' ? 0 : isSpace ? countSpaceTokens(part) : countPartTokens(space + part);
    yield { text: part, isSpace, tokens };
    space = part === ' ' ? part : '';
  }
}

function countSpaceTokens(space: string): number {
  let tokens = 0;
  for (let start = 0; start < space.length; start += MAX_SPACE_LENGTH)
    tokens += countPartTokens(space.slice(start, start + MAX_SPACE_LENGTH));
  return tokens;
}

/**
 * Counts the tokens of a piece of text. Texts repeat their words, and looking up a cached count takes a tenth
 * of the time.
 */
function countPartTokens(part: string): number {
  const known = tokenCounts.get(part);
  if (known !== undefined) return known;
  const tokens = countTokens(part, PLAIN_TEXT_OPTIONS);
  if (tokenCounts.size === MAX_CACHED_PARTS) tokenCounts.clear();
  if (part.length <= MAX_CACHED_LENGTH) tokenCounts.set(part, tokens);
  return tokens;
}

export function countTextTokens(text: string): number {
  let tokens = 0;
  for (const atom of splitAtoms(text)) tokens += atom.tokens;
  return tokens;
}
