import { findTypingError } from '../../../core/answers/spelling.ts';

/** Alphabets whose words the spelling correction can correct. Words of other scripts are not corrected. */
const alphabets = [
  { script: /^\p{Script=Latin}+$/u, letters: 'abcdefghijklmnopqrstuvwxyz' },
  { script: /^\p{Script=Cyrillic}+$/u, letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюя' },
  { script: /^\p{Script=Greek}+$/u, letters: 'αβγδεζηθικλμνξοπρστυφχψω' },
];
/** Letters with accents that visitors often type without the accents. */
const accented: Record<string, string> = {
  a: 'áàâãä',
  c: 'ç',
  e: 'éèêë',
  i: 'íìîï',
  n: 'ñ',
  o: 'óòôõö',
  u: 'úùûü',
};
/** Maximum number of spelling variants of a word that differ in accents only. */
const MAX_ACCENTED = 400;

/**
 * Returns the words that a visitor may have meant by a misspelled word: those that differ by one typing error, or
 * in accents only.
 */
export function listVariants(word: string): string[] {
  const letters = alphabets.find(({ script }) => script.test(word))?.letters;
  if (!letters) return [];
  const variants = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at);
    const after = word.slice(at);
    variants.add(before + after.slice(1));
    if (after.length > 1) variants.add(before + after[1]! + after[0]! + after.slice(2));
    for (const letter of letters) {
      variants.add(before + letter + after);
      if (after !== '') variants.add(before + letter + after.slice(1));
    }
  }
  const misspelled = [...variants].filter((variant) => findTypingError(word, variant) !== null);
  return [...new Set([...misspelled, ...listAccented(word)])];
}

/** Returns the spelling variants of a word with accents on one or two of its letters. */
function listAccented(word: string): string[] {
  const once = addAccent(word, 0);
  const twice = once.flatMap(({ variant, at }) => addAccent(variant, at + 1));
  return [...once, ...twice].slice(0, MAX_ACCENTED).map(({ variant }) => variant);
}

function addAccent(word: string, from: number): { variant: string; at: number }[] {
  return Array.from(word.slice(from)).flatMap((letter, offset) =>
    Array.from(accented[letter] ?? '', (replacement) => ({
      variant: word.slice(0, from + offset) + replacement + word.slice(from + offset + 1),
      at: from + offset,
    })),
  );
}
