import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** White space, or a word; of a longer run 32 characters or what ends with a CJK full stop. */
export interface Atom {
  text: string;
  isSpace: boolean;
  tokens: number;
}

const atomPattern = /\s+|[^\s。！？｡]{1,32}[。！？｡]{0,32}|[。！？｡]{1,32}/gu;
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
    const tokens = part === ' ' ? 0 : countTokens(isSpace ? part : space + part, asPlainText);
    yield { text: part, isSpace, tokens };
    space = part === ' ' ? part : '';
  }
}

export function countTextTokens(text: string): number {
  let tokens = 0;
  for (const atom of atomsOf(text)) tokens += atom.tokens;
  return tokens;
}
