/** The topic of a question: the stems of its words, and those among them that are names. */
export interface QuestionWords {
  lexemes: readonly string[];
  names: readonly string[];
}

/** A search key for clusters: one of their lexemes, and their number of lexemes. */
export interface SoughtWord {
  lexeme: string;
  least: number;
  most: number;
}

/** Minimum share of words that two questions must have in common. */
const MIN_SHARED = 0.6;
/** Questions with this many words or fewer must match completely. */
const TOO_FEW_TO_DIFFER = 2;
/** Number of rarest words by which a question finds similar ones. */
const RAREST = 3;
const HAS_DIGIT = /\p{N}/u;

/**
 * Returns the similarity of two questions from 0 to 1; 0 if they differ. One may say more than the other, but nothing
 * else. “Opening hours in Berlin” and “in Paris” differ although they share most words. An additional name or number
 * always makes a difference.
 * @param isName returns whether another question has shown that a lexeme names something
 */
export function measureLikeness(
  a: QuestionWords,
  b: QuestionWords,
  isName: (lexeme: string) => boolean,
): number {
  const [inA, inB] = [new Set(a.lexemes), new Set(b.lexemes)];
  const onlyA = [...inA].filter((lexeme) => !inB.has(lexeme));
  const onlyB = [...inB].filter((lexeme) => !inA.has(lexeme));
  const shared = inA.size - onlyA.length;
  if (onlyA.length === 0 && onlyB.length === 0) return shared > 0 ? 1 : 0;
  if (Math.min(inA.size, inB.size) <= TOO_FEW_TO_DIFFER) return 0;
  if (onlyA.length > 0 && onlyB.length > 0) return 0;
  const names = new Set([...a.names, ...b.names]);
  if ([...onlyA, ...onlyB].some((lexeme) => names.has(lexeme) || isName(lexeme) || HAS_DIGIT.test(lexeme)))
    return 0;
  const share = shared / (inA.size + onlyB.length);
  return share >= MIN_SHARED ? share : 0;
}

/**
 * Returns search keys for questions with a word more or less. Longer questions have all words of this one, so its
 * rarest word finds them; shorter ones may lack some words.
 */
export function selectSoughtWords(
  lexemes: readonly string[],
  countOf: (lexeme: string) => number,
): SoughtWord[] {
  const count = lexemes.length;
  if (count <= TOO_FEW_TO_DIFFER) return [];
  const rarest = findRarest(lexemes, countOf);
  const least = Math.max(Math.ceil(count * MIN_SHARED), TOO_FEW_TO_DIFFER + 1);
  const longer = { lexeme: rarest[0]!, least: count + 1, most: Math.floor(count / MIN_SHARED) };
  const shorter = least < count ? rarest.map((lexeme) => ({ lexeme, least, most: count - 1 })) : [];
  return [longer, ...shorter];
}

/** Returns the rarest words; of equally rare ones, the alphabetically first. */
function findRarest(lexemes: readonly string[], countOf: (lexeme: string) => number): string[] {
  const order = (a: string, b: string) => countOf(a) - countOf(b) || (a < b ? -1 : 1);
  return [...lexemes].sort(order).slice(0, RAREST);
}
