import { codePoint } from 'dingbat-to-unicode';

/** First and last code of the Unicode area in which Word stores characters of symbol fonts. */
const areaStart = 0xf000;
const areaEnd = 0xf0ff;

/**
 * Returns the Unicode text of a character in a symbol font such as Wingdings. Characters of other fonts are
 * Unicode already; empty for unknown symbols.
 */
export function readSymbol(font: string, code: number): string {
  const knownSymbol =
    codePoint(font, code) ?? (isInArea(code) ? codePoint(font, code - areaStart) : undefined);
  if (knownSymbol) return knownSymbol.string;
  const isUnknown = !(code > 0x20 && code <= 0x10ffff) || (code >= 0xe000 && code <= 0xf8ff);
  return isUnknown ? '' : String.fromCodePoint(code).toWellFormed();
}

const isInArea = (code: number) => code >= areaStart && code <= areaEnd;

/**
 * Replaces characters of symbol fonts in a Word text with Unicode characters; the font determines the
 * mapping.
 */
export function replaceSymbols(text: string, font: string): string {
  // Symbol fonts with other names have letters and digits at these codes.
  if (!/^(?:symbol|wingdings|wingdings 2|wingdings 3|webdings)$/i.test(font)) return text;
  return text.replace(/\S/gu, (character) => readSymbol(font, character.codePointAt(0) ?? 0) || character);
}
