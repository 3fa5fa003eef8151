import { LOOKALIKES } from './lookalikes.ts';
import { normalizeText } from './normalize-text.ts';

/**
 * Characters that readers take for a Latin letter, in addition to Unicode's list of confusables: letters of
 * other scripts, digits and symbols.
 */
const FURTHER_LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ4@ꭺ₳λδ∆∂∧⋀',
  b: 'вьƅʙ8฿₿',
  c: 'сϲᴄꮯ¢₵⊂⊏∁',
  d: 'ԁɗᴅ₫',
  e: 'еєεҽᴇ3€ᥱ∈⋲∑',
  f: 'ғϝƒꜰ₣',
  g: 'ɡԍɢ₲',
  h: 'һнհʜћ',
  // i and l share a group, because readers do not distinguish a capital I from a small l.
  i: 'lіιıɩɪӏǀ1|!¡ꞁʟ£₤',
  j: 'јϳᴊ',
  k: 'кκᴋĸ₭',
  m: 'мᴍ₥',
  n: 'пոռɴη₦',
  o: 'оοօσᴏ0',
  p: 'рρᴘ₱₽ᖘ𐓨℗¶',
  q: 'ԛգ',
  r: 'гʀᴦꭇ',
  s: 'ѕꜱ5$₴§ƨƧ∫ʃƩꙅꙄ',
  t: 'тτᴛ7₮',
  u: 'υսцᴜμ∪⊔',
  v: 'νѵᴠ',
  w: 'ԝшωᴡ₩',
  x: 'хχ×',
  y: 'уүγʏ¥',
  z: 'ᴢ2',
};
const LETTERS_BY_LOOKALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKES).flatMap(([letters, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letters] as const),
  ),
);
const SMALL_LETTER_BY_LOOKALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(FURTHER_LOOKALIKES).flatMap(([letter, alike]) =>
    [...alike].map((each) => [each, letter] as const),
  ),
);
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** Group i with l, because readers do not distinguish a capital I from a small l. */
const SHORT = /[^\u3300-\u3370\ufb50-\ufdff]+/gu;
/** Pairs of letters that look like one letter in many fonts. */
const PAIRS: readonly [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/**
 * Returns a text as a hurried reader sees it: without accents, invisible characters and case, and with
 * lookalikes replaced by Latin letters. Texts that look the same have the same skeleton. Takes linear time,
 * so the caller must limit the length.
 */
export function toLatinSkeleton(text: string): string {
  let letters = '';
  for (const character of stripMarks(text)) letters += readLetters(character);
  return mergePairs(letters);
}

/**
 * Placeholders, in a disguised word, for a character that may stand for any letter. The second placeholder is
 * for characters such as brackets, which cannot begin a word.
 */
export const [ANY_LETTER, ANY_INNER_LETTER] = ['?', '*'] as const;
/** Punctuation that separates words. Such a character is never read as a letter. */
const PUNCTUATION = /[\p{Z}\p{C}.,;:!'’‘"“”„«»‹›&_\p{Pd}…/·。、，！？：；]/u;
const LETTER_LIKE = /[\p{L}\p{N}\p{Sc}\u2100-\u214f\u2200-\u22ff]/u;
const IS_LATIN = /^[a-z]+$/;
/**
 * Matches four or more consecutive placeholders, which are text in another script rather than a disguised Latin
 * word.
 */
const FOREIGN = /(?:[?*] *){4,}/g;
/** Matches placeholders at the start or end of a word that cannot begin or end one. */
const EDGE = /(?<![a-z?])\*+|\*+(?![a-z?*])/g;

/**
 * Returns the words of a text as skeletons, with a placeholder for each ambiguous character. No table
 * contains all lookalikes, and some lookalikes resemble several letters.
 * @returns two lists of words: in the first, placeholders replace only lookalikes that are missing from the
 * table; in the second, all lookalikes
 */
export function listMaskedWords(text: string): string[][] {
  let known = '';
  let masked = '';
  const masks = new Map<string, CharacterMask>();
  for (const character of stripMarks(text)) {
    const found = masks.get(character) ?? toMask(character);
    masks.set(character, found);
    known += found.letters ?? found.mask;
    masked += found.isLatin ? found.letters : found.mask;
  }
  return [known, masked].map((each) =>
    mergePairs(each)
      .replace(FOREIGN, ' ')
      .replace(EDGE, ' ')
      .split(' ')
      .filter((word) => word !== ''),
  );
}

interface CharacterMask {
  /** The Latin letters that a character resembles; undefined if it resembles none. */
  letters: string | undefined;
  isLatin: boolean;
  mask: string;
}

function toMask(character: string): CharacterMask {
  const letters = readLetters(character);
  const mask = LETTER_LIKE.test(character)
    ? ANY_LETTER
    : PUNCTUATION.test(character)
      ? ' '
      : ANY_INNER_LETTER;
  return {
    letters: IS_LATIN.test(letters) ? letters : undefined,
    isLatin: /^[a-z]$/i.test(character),
    mask,
  };
}

function stripMarks(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(SHORT, (part) => normalizeText(part, 'NFKD', Infinity))
    .replace(INVISIBLE, '');
}

function readLetters(character: string): string {
  // Search for the small form first, because a capital letter and its small form may resemble different Latin
  // letters.
  const alike =
    SMALL_LETTER_BY_LOOKALIKE.get(character) ??
    (LETTERS_BY_LOOKALIKE.get(character) ?? character).toLowerCase();
  let letters = '';
  for (const each of LETTERS_BY_LOOKALIKE.get(alike) ?? alike)
    letters += SMALL_LETTER_BY_LOOKALIKE.get(each) ?? each;
  return letters;
}

function mergePairs(letters: string): string {
  return PAIRS.reduce((merged, [pair, letter]) => merged.replace(pair, letter), letters);
}
