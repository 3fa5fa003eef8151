import { decodeAs, encodeAs, encodingNames, isSingleByte } from './encodings.ts';
import { countForeign } from './implausible-text.ts';

/** Encodings of alphabets with capitals. */
const candidates = encodingNames.filter(
  (name) => isSingleByte(name) && !/(?:125[568]|874|-[68]|720|86[24])$/.test(name),
);
/** Minimum number of capitals, and their minimum share of the letters, for a text in capitals. */
const MIN_CAPITALS = 4;
const CAPITALS_SHARE = 0.8;

/** Returns the encodings in which the letters of a text beyond ASCII are nearly all capitals. */
export function findCapitals(bytes: Uint8Array): string[] {
  return candidates.filter((encoding) => {
    const text = decodeAs(encoding, bytes);
    const capitals = countLetters(text, /(?=\p{Lu})[^A-Z]/gu);
    return capitals >= MIN_CAPITALS && capitals >= countForeign(text) * CAPITALS_SHARE;
  });
}

/** Returns a text with small letters in the same encoding. */
export function toSmallLetters(encoding: string, bytes: Uint8Array): Uint8Array {
  const locale = /1254|857|turkish/.test(encoding) ? 'tr' : 'en';
  return encodeAs(encoding, decodeAs(encoding, bytes).toLocaleLowerCase(locale));
}

function countLetters(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}
