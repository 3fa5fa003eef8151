import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** White space, or a word; of a longer run 32 characters or what ends with a CJK full stop. */
export interface Atom {
  text: string;
  isSpace: boolean;
  tokens: number;
}

const atomPattern = /\s+|[^\s。！？｡]{1,32}[。！？｡]{0,32}|[。！？｡]{1,32}/gu;
/** Together a megabyte or two. What is longer would keep, in V8, the whole text that it is a part of. */
const REMEMBERED = 20_000;
const LONGEST_REMEMBERED = 12;
const counted = new Map<string, number>();
const asPlainText = { disallowedSpecial: new Set<string>() };

/**
 * The parts that a text is never cut inside, with their tokens as the models of today count them (o200k).
 * Counting by parts keeps it linear: the tokenizer needs 20 seconds for 200,000 letters in a row.
 */
export function* atomsOf(text: string): Generator<Atom> {
  let space = '';
  for (const [part] of text.matchAll(atomPattern)) {
    const isSpace = part.trim() === '';
    // A single space is part of the next word's first token.
    const tokens = part === ' ' ? 0 : tokensOf(isSpace ? part : space + part);
    yield { text: part, isSpace, tokens };
    space = part === ' ' ? part : '';
  }
}

/** Texts repeat their words, and to remember what a word counts takes a tenth of counting it. */
function tokensOf(part: string): number {
  const known = counted.get(part);
  if (known !== undefined) return known;
  const tokens = countTokens(part, asPlainText);
  if (counted.size === REMEMBERED) counted.clear();
  if (part.length <= LONGEST_REMEMBERED) counted.set(part, tokens);
  return tokens;
}

export function countTextTokens(text: string): number {
  let tokens = 0;
  for (const atom of atomsOf(text)) tokens += atom.tokens;
  return tokens;
}
