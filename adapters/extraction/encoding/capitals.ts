import { decodeAs, encodeAs, encodingNames, isSingleByte } from './encodings.ts';
import { countForeign } from './implausible-text.ts';

/** Character encodings of alphabets with capital letters, which `findCapitals` tries. */
const candidates = encodingNames.filter(
  (name) => isSingleByte(name) && !/(?:125[568]|874|-[68]|720|86[24])$/.test(name),
);
/**
 * Minimum number of capitals beyond ASCII, and their minimum share of the characters beyond ASCII, in a text
 * in capitals.
 */
const MIN_CAPITALS = 4;
const CAPITALS_SHARE = 0.8;

/** Returns the character encodings in which a text's letters beyond ASCII are nearly all capitals. */
export function findCapitals(bytes: Uint8Array): string[] {
  return candidates.filter((encoding) => {
    const text = decodeAs(encoding, bytes);
    const capitals = countLetters(text, /(?=\p{Lu})[^A-Z]/gu);
    return capitals >= MIN_CAPITALS && capitals >= countForeign(text) * CAPITALS_SHARE;
  });
}

/** Converts the capitals of an encoded text to small letters. The result has the same encoding. */
export function toSmallLetters(encoding: string, bytes: Uint8Array): Uint8Array {
  const locale = /1254|857|turkish/.test(encoding) ? 'tr' : 'en';
  return encodeAs(encoding, decodeAs(encoding, bytes).toLocaleLowerCase(locale));
}

function countLetters(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}
