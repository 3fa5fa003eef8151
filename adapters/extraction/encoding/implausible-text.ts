/** Scripts of alphabets. In plausible text, all letters of a word are in one of these scripts. */
const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'].map(
  (script) => `\\p{sc=${script}}`,
);
const halfWidthKatakana = '\\uff61-\\uff9f';

const signs: readonly RegExp[] = [
  // Matches replacement characters, control characters and characters for private use, which no text
  // contains.
  /[\ufffd\u0080-\u0084\u0086-\u009f\ue000-\uf8ff]/gu,
  // Matches letters of two alphabets in one word.
  ...alphabets.map((alphabet) => {
    const others = alphabets.filter((other) => other !== alphabet).join('');
    return new RegExp(`(?<=${alphabet})[${others}${halfWidthKatakana}]`, 'gu');
  }),
  new RegExp(`(?<=[${halfWidthKatakana}])[${alphabets.join('')}]`, 'gu'),
  // Matches a capital after a small letter, one of which is not ASCII.
  /(?<=\p{Ll})(?![A-Z])\p{Lu}|(?<=(?![a-z])\p{Ll})[A-Z]/gu,
  // Matches box-drawing corners and shades that touch a letter. In plausible text, only box-drawing lines do.
  /(?<=\p{L})[┌┐└┘├┤┬┴┼╒-╬▀▄█▌▐░▒▓]|[┌┐└┘├┤┬┴┼╒-╬▀▄█▌▐░▒▓](?=\p{L})/gu,
  // Matches symbols and punctuation directly between two letters, such as box-drawing characters, currency
  // signs and quotation marks.
  /(?<=\p{L})(?:(?=[^\x20-\x7f\u3000\uff00-\uff60])[\p{S}\p{N}]|[¿¡§¶«»‹›“”„‚†‡•ªº])+(?=\p{L})/gu,
];

/**
 * Returns the share of a text's characters beyond ASCII that do not fit their neighbors. The share is nearly
 * zero for text, and high if its bytes were decoded with the wrong encoding.
 */
export function measureImplausible(text: string): number {
  const foreign = countForeign(text);
  if (foreign === 0) return 0;
  const found = signs.reduce((count, sign) => count + countCharacters(text.match(sign)), 0);
  return Math.min(1, found / foreign);
}

/** Returns the number of a text's characters beyond ASCII. */
export function countForeign(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) count += 1;
  return count;
}

/**
 * Returns the number of a decoded text's U+FFFD characters, which replace bytes that the encoding does not
 * contain.
 */
export function countBroken(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count += 1;
  return count;
}

function countCharacters(matches: readonly string[] | null): number {
  return (matches ?? []).reduce((count, { length }) => count + length, 0);
}
