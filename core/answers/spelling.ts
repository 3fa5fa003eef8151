/**
 * Typing errors, most likely first:
 * - `swapped`: two letters in the wrong order
 * - `doubled`: a letter once instead of twice, or twice instead of once
 * - `length`: any other missing or additional letter
 * - `wrong`: a different letter
 */
const kinds = ['swapped', 'doubled', 'length', 'wrong'] as const;
export type TypingError = (typeof kinds)[number];

/**
 * Minimum length of a typed word, in letters, for the correction of each kind of error. In a shorter word, the
 * error often produces another valid word.
 */
const MIN_LENGTHS: Record<TypingError, number> = { swapped: 4, doubled: 5, length: 5, wrong: 6 };
/** Maximum number of characters in a typed word that spelling correction changes. */
const MAX_WORD_LENGTH = 24;
/** Maximum number of letters by which an inflected form of a word is longer than the typed word. */
const MAX_ENDING = 3;
const ONLY_LETTERS = /^\p{L}+$/u;

/** Returns whether a typed word is long enough to correct, and consists of letters only. */
export function isCorrectable(word: string): boolean {
  return word.length >= MIN_LENGTHS.swapped && word.length <= MAX_WORD_LENGTH && ONLY_LETTERS.test(word);
}

/**
 * Returns the one typing error by which a typed word differs from another word. Null if there is no error,
 * several errors, or an error that would make too many words similar: a wrong first letter, or an error in a
 * short word.
 */
export function findTypingError(typed: string, word: string): TypingError | null {
  if (typed === word || Math.abs(typed.length - word.length) > 1) return null;
  let start = 0;
  while (start < typed.length && typed[start] === word[start]) start += 1;
  let end = 0;
  const shorter = Math.min(typed.length, word.length) - start;
  while (end < shorter && typed.at(-1 - end) === word.at(-1 - end)) end += 1;
  const error = nameError(typed.slice(start, typed.length - end), word.slice(start, word.length - end), {
    typed,
    start,
  });
  return error !== null && typed.length >= MIN_LENGTHS[error] ? error : null;
}

/**
 * Returns the kind of typing error that turns a word into the typed word; null if they differ by more than one
 * error.
 * @param before different letters of the typed word, without the equal beginning and end of both words
 */
function nameError(
  before: string,
  after: string,
  { typed, start }: { typed: string; start: number },
): TypingError | null {
  if (before.length === 2 && after === before[1]! + before[0]!) return 'swapped';
  if (before.length > 1 || after.length > 1) return null;
  if (before.length === 1 && after.length === 1) return start === 0 ? null : 'wrong';
  const letter = before + after;
  if (letter === typed[start - 1]) return 'doubled';
  return start === 0 ? null : 'length';
}

/** Compares two typing errors; the likelier error is smaller. */
export function compareErrors(a: TypingError, b: TypingError): number {
  return kinds.indexOf(a) - kinds.indexOf(b);
}

/**
 * Returns the word that a typed word likely stands for; null if no word is similar. Of inflected forms, which
 * are longer, only the beginning is compared.
 */
export function correctWord(typed: string, words: Iterable<string>): string | null {
  if (!isCorrectable(typed)) return null;
  let best: { word: string; error: TypingError; isWhole: boolean } | null = null;
  for (const word of words) {
    if (word.length < typed.length - 1 || word.length > typed.length + MAX_ENDING) continue;
    for (let length = typed.length - 1; length <= Math.min(typed.length + 1, word.length); length += 1) {
      const error = findTypingError(typed, word.slice(0, length));
      if (!error) continue;
      const isWhole = length === word.length;
      const order = best ? Number(best.isWhole) - Number(isWhole) || compareErrors(error, best.error) : -1;
      if (order < 0 || (order === 0 && word < best!.word)) best = { word, error, isWhole };
    }
  }
  return best?.word ?? null;
}
