import { LOOKALIKES } from './lookalikes.ts';
import { normalizeText } from './normalize-text.ts';

/** Letters of other scripts, digits and signs that readers take for a Latin letter, beside the confusables of Unicode. */
const FURTHER_LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ4@ꭺ₳',
  b: 'вьƅʙ8฿₿',
  c: 'сϲᴄꮯ¢₵',
  d: 'ԁɗᴅ₫',
  e: 'еєεҽᴇ3€',
  f: 'ғϝƒꜰ₣',
  g: 'ɡԍɢ₲',
  h: 'һнհʜћ',
  // i and l are one: readers do not tell I from l.
  i: 'lіιıɩɪӏǀ1|!¡ꞁʟ£₤',
  j: 'јϳᴊ',
  k: 'кκᴋĸ₭',
  m: 'мᴍ₥',
  n: 'пոռɴη₦',
  o: 'оοօσᴏ0',
  p: 'рρᴘ₱₽',
  q: 'ԛգ',
  r: 'гʀᴦꭇ',
  s: 'ѕꜱ5$₴',
  t: 'тτᴛ7₮',
  u: 'υսцᴜμ',
  v: 'νѵᴠ',
  w: 'ԝшωᴡ₩',
  x: 'хχ×',
  y: 'уүγʏ¥',
  z: 'ᴢ2',
};
const LETTERS_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKES).flatMap(([letters, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letters] as const),
  ),
);
const LETTER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(FURTHER_LOOKALIKES).flatMap(([letter, alike]) =>
    [...alike].map((each) => [each, letter] as const),
  ),
);
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** Runs without Arabic ligatures and squared Katakana: NFKD makes up to eighteen letters of one, none of them Latin. */
const SHORT = /[^\u3300-\u3370\ufb50-\ufdff]+/gu;
/** Pairs that look like one letter in many fonts. */
const PAIRS: readonly [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/**
 * Returns a text as a hurried reader takes it in: without marks, invisible characters and case, and with lookalikes of Latin letters
 * replaced by these. Two texts with one skeleton look the same. Linear in the length of the text, which its caller bounds.
 */
export function latinSkeleton(text: string): string {
  const visible = text.replace(INVISIBLE, '');
  const plain = visible
    .replace(SHORT, (part) => normalizeText(part, 'NFKD', Infinity))
    .replace(INVISIBLE, '');
  let letters = '';
  for (const character of plain) {
    // Capitals and small letters have lookalikes of their own.
    const lower = (LETTERS_OF.get(character) ?? character).toLowerCase();
    for (const each of LETTERS_OF.get(lower) ?? lower) letters += LETTER_OF.get(each) ?? each;
  }
  return PAIRS.reduce((folded, [pair, letter]) => folded.replace(pair, letter), letters);
}
