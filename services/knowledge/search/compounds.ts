/** Languages with compound words. A compound in the question may occur in a document as separate words. */
const COMPOUNDING = new Set(['danish', 'dutch', 'finnish', 'german', 'hungarian', 'norwegian', 'swedish']);
const MIN_PART_LENGTH = 4;
/**
 * Letters that link two parts of a compound word. These letters may also belong to the first part, if that
 * part is a separate word.
 */
const LINKING_LETTERS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
/**
 * Maximum number of letters of a word that is split into parts. Longer runs of letters are not treated as
 * words.
 */
const MAX_COMPOUND_LENGTH = 40;

export interface Split {
  first: string;
  second: string;
}

/**
 * Returns the ways to split a stemmed compound word into two, the most balanced first. Returns none in
 * languages without compounds.
 */
export function splitCompound(lexeme: string, config: string): Split[] {
  const letters = Array.from(lexeme);
  if (!COMPOUNDING.has(config) || letters.length > MAX_COMPOUND_LENGTH || !/^\p{L}+$/u.test(lexeme))
    return [];
  const splits: Split[] = [];
  for (let at = MIN_PART_LENGTH; at <= letters.length - MIN_PART_LENGTH; at++) {
    const front = letters.slice(0, at).join('');
    const second = letters.slice(at).join('');
    for (const joint of LINKING_LETTERS) {
      const first = front.slice(0, front.length - joint.length);
      if (front.endsWith(joint) && first.length >= MIN_PART_LENGTH) splits.push({ first, second });
    }
  }
  const shorterLength = ({ first, second }: Split) => Math.min(first.length, second.length);
  return splits.sort((a, b) => shorterLength(b) - shorterLength(a));
}
