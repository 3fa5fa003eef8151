import { asksForPrice, stopWordsFor } from '../../../core/answers/stop-words.ts';
import { truncateQuestion, normalize } from '../../../core/answers/terms.ts';
import { MAX_CANDIDATES } from '../../../repositories/knowledge/chunk-search.ts';
import type { QuestionLexeme } from '../../../repositories/knowledge/chunk-search.sql.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const MAX_STOP_WORD_CHARS = 32;
const HAS_WORD = /[\p{L}\p{N}]/u;
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u;
const LONE_IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/**
 * Returns the visitor's question without stop words and words that ask for a price, or unchanged if it has
 * only stop words. A long question is cut first.
 */
export function removeStopWords(question: string): string {
  const truncated = truncateQuestion(question);
  const segments = [...segmenter.segment(truncated)].map(({ segment, isWordLike }) => ({
    text: segment,
    // A segment of the question that is longer than every stop word needs no lookup.
    word: isWordLike && segment.length <= MAX_STOP_WORD_CHARS ? normalize(segment) : '',
  }));
  const stopWords = stopWordsFor([...new Set(segments.map(({ word }) => word))]);
  const keepSegments = (isKept: (word: string) => boolean) =>
    segments
      .map(({ text, word }) =>
        stopWords.has(word) || HIRAGANA_ONLY.test(text) || !isKept(word) ? ' ' : text,
      )
      .join('');
  const topic = keepSegments((word) => !asksForPrice(word));
  const content = HAS_WORD.test(topic) ? topic : keepSegments(() => true);
  return HAS_WORD.test(content) ? content : truncated;
}

interface WeightedLexeme extends QuestionLexeme {
  /**
   * Weight of the lexeme in the question: its inverse document frequency, which is greater for rarer words.
   */
  weight: number;
}

export interface SearchPlan {
  /**
   * PostgreSQL text query (`tsquery`) that finds rare words anywhere, and common words in titles or headings;
   * null if the question has no such words.
   */
  rare: string | null;
  /**
   * PostgreSQL text query (`tsquery`) for combinations of common words that few chunks contain; null if the
   * question has no such combination.
   */
  common: string | null;
  lexemes: WeightedLexeme[];
  /**
   * Total weight of the question's lexemes, including those that no chunk contains. Limited for a long
   * question, because no chunk contains all of its words.
   */
  expectedWeight: number;
}

const MAX_LEXEMES = 40;
const MAX_COMMON = 6;
const EXPECTED_LEXEMES = { words: 10, grams: 40 };
/**
 * Number of imaginary chunks that is added to the number of the bot's chunks when words are weighted. With
 * few chunks, counts of a word do not show how common it is.
 */
const ASSUMED_CHUNKS = 10;
/** Weight in a question of a word that every chunk contains. */
const MIN_WEIGHT = 0.05;
/**
 * Factor for the weight of a name in the question that no chunk contains. Without the name, the other words
 * of the question rarely lead to an answer.
 */
const UNKNOWN_NAME_FACTOR = 3;

/**
 * Plans the full-text search for a question. Returns null if no chunk contains any of its words.
 * @param total number of the bot's chunks in this language
 */
export function planSearch(
  question: QuestionLexeme[],
  total: number,
  usesTrigrams: boolean,
): SearchPlan | null {
  const weighted = question
    .filter(
      ({ lexeme, chunkCount }) =>
        !HIRAGANA_ONLY.test(lexeme) && (chunkCount > 0 || !LONE_IDEOGRAPH.test(lexeme)),
    )
    .map((lexeme) => ({
      ...lexeme,
      weight: Math.max(0, Math.log((total + ASSUMED_CHUNKS) / (lexeme.chunkCount + 1))) + MIN_WEIGHT,
    }));
  const lexemes = weighted
    .filter(({ chunkCount }) => chunkCount > 0)
    .sort((a, b) => a.chunkCount - b.chunkCount)
    .slice(0, MAX_LEXEMES);
  if (lexemes.length === 0) return null;
  const totalWeight = weighted.reduce(
    (sum, { weight, isName, chunkCount }) =>
      sum + weight * (isName && chunkCount === 0 ? UNKNOWN_NAME_FACTOR : 1),
    0,
  );
  const expected = EXPECTED_LEXEMES[usesTrigrams ? 'grams' : 'words'];
  return {
    ...planTiers(lexemes, total),
    lexemes,
    expectedWeight: totalWeight * Math.min(1, expected / weighted.length),
  };
}

/** @param lexemes lexemes of the question, rarest first */
function planTiers(lexemes: WeightedLexeme[], total: number): Pick<SearchPlan, 'rare' | 'common'> {
  if (total <= MAX_CANDIDATES)
    return { rare: joinAlternatives(lexemes.map(({ lexeme }) => quoteLexeme(lexeme))), common: null };
  const entries = lexemes
    .flatMap(({ lexeme, chunkCount, headingCount }) => [
      { lexeme, count: chunkCount },
      { lexeme: `#${lexeme}`, count: headingCount },
    ])
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  let budget = MAX_CANDIDATES;
  const rare: string[] = [];
  for (const { lexeme, count } of entries) {
    if (count > budget) break;
    budget -= count;
    rare.push(lexeme);
  }
  const common = lexemes.filter(({ lexeme }) => !rare.includes(lexeme)).slice(0, MAX_COMMON);
  return {
    rare: joinAlternatives(rare.map(quoteLexeme)),
    common: joinAlternatives(buildConjunctions(common, total)),
  };
}

/**
 * Returns pairs of common words in the question that occur together in few chunks. If all pairs are too
 * common, returns one conjunction of more words.
 */
function buildConjunctions(common: WeightedLexeme[], total: number): string[] {
  const pairs = common
    .flatMap((a, index) => common.slice(index + 1).map((b) => [a, b] as const))
    .map(([a, b]) => ({
      query: `(${quoteLexeme(a.lexeme)} & ${quoteLexeme(b.lexeme)})`,
      count: (a.chunkCount * b.chunkCount) / total,
    }))
    .sort((a, b) => a.count - b.count);
  let budget = MAX_CANDIDATES;
  const affordable = pairs.filter(({ count }) => (budget -= count) >= 0).map(({ query }) => query);
  if (affordable.length > 0) return affordable;
  let expected = total;
  const together: string[] = [];
  for (const { lexeme, chunkCount } of common) {
    if (expected <= MAX_CANDIDATES) break;
    expected *= chunkCount / total;
    together.push(quoteLexeme(lexeme));
  }
  return together.length > 0 ? [together.join(' & ')] : [];
}

const joinAlternatives = (queries: string[]) => (queries.length > 0 ? queries.join(' | ') : null);

/** Quotes a lexeme for use in a tsquery. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;
}
