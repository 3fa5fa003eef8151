/**
 * Words of a question without stop words, as stems. `names` contains the words that name something, such as a
 * product.
 */
export interface QuestionWords {
  lexemes: readonly string[];
  names: readonly string[];
}

/**
 * A search key for question clusters. The key finds clusters whose representative question contains the lexeme
 * and has between `min` and `max` lexemes.
 */
export interface ClusterSearchKey {
  lexeme: string;
  min: number;
  max: number;
}

/** Minimum fraction of words that two similar questions share. */
const MIN_SHARED = 0.6;
/** Questions with at most this many words are similar only to questions with exactly the same words. */
const MAX_EXACT_WORDS = 2;
/** Number of a question's rarest words that serve as search keys for similar questions. */
const RAREST_WORD_COUNT = 3;
const HAS_DIGIT = /\p{N}/u;

/**
 * Returns the similarity of two questions from 0 to 1; 0 if they are about different things. Two questions
 * can be similar only if one contains all words of the other. Even such questions differ if an extra word is
 * a name or a number.
 * @param isName returns whether a lexeme is known as a name from other questions
 */
export function measureSimilarity(
  a: QuestionWords,
  b: QuestionWords,
  isName: (lexeme: string) => boolean,
): number {
  const [inA, inB] = [new Set(a.lexemes), new Set(b.lexemes)];
  const onlyA = [...inA].filter((lexeme) => !inB.has(lexeme));
  const onlyB = [...inB].filter((lexeme) => !inA.has(lexeme));
  const shared = inA.size - onlyA.length;
  if (onlyA.length === 0 && onlyB.length === 0) return shared > 0 ? 1 : 0;
  if (Math.min(inA.size, inB.size) <= MAX_EXACT_WORDS) return 0;
  if (onlyA.length > 0 && onlyB.length > 0) return 0;
  const names = new Set([...a.names, ...b.names]);
  if ([...onlyA, ...onlyB].some((lexeme) => names.has(lexeme) || isName(lexeme) || HAS_DIGIT.test(lexeme)))
    return 0;
  const share = shared / (inA.size + onlyB.length);
  return share >= MIN_SHARED ? share : 0;
}

/**
 * Returns search keys for all question clusters that may be similar to this question. A longer similar
 * question contains every word of this question, so one key finds it: the rarest word. A shorter similar
 * question may lack any of these words, so several keys search for it.
 */
export function selectSearchKeys(
  lexemes: readonly string[],
  getCount: (lexeme: string) => number,
): ClusterSearchKey[] {
  const count = lexemes.length;
  if (count <= MAX_EXACT_WORDS) return [];
  const rarest = findRarest(lexemes, getCount);
  const min = Math.max(Math.ceil(count * MIN_SHARED), MAX_EXACT_WORDS + 1);
  const longer = { lexeme: rarest[0]!, min: count + 1, max: Math.floor(count / MIN_SHARED) };
  const shorter = min < count ? rarest.map((lexeme) => ({ lexeme, min, max: count - 1 })) : [];
  return [longer, ...shorter];
}

/** Returns the rarest words of a question. Sorts words that are equally rare alphabetically. */
function findRarest(lexemes: readonly string[], getCount: (lexeme: string) => number): string[] {
  const order = (a: string, b: string) => getCount(a) - getCount(b) || (a < b ? -1 : 1);
  return [...lexemes].sort(order).slice(0, RAREST_WORD_COUNT);
}
