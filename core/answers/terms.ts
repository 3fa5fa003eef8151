import { cutText } from '../text/cut-text.ts';
import { normalizeText } from '../text/normalize-text.ts';
import {
  detectLanguageCode,
  detectLanguage,
  mayFormCompounds,
  stopWordsFor,
  capitalizesNouns,
} from './stop-words.ts';

/**
 * A word of a question. It is dense if words of its script have no spaces between them or have particles
 * attached, as in Chinese or Korean.
 */
export interface Term {
  text: string;
  isDense: boolean;
  /**
   * Whether the term names something: it is a number, or a word that is capitalized within a sentence. Only a
   * text with exactly this name matches.
   */
  isName: boolean;
  /** Whether the term is recognizable as a name by its characters alone, such as `iPhone` or `M22`. */
  isCode: boolean;
}

/**
 * Maximum number of a question's characters that are analyzed. Its topic is usually at the start, and each
 * word takes time. A dense character counts twice, since each of them may begin a word.
 */
const MAX_QUESTION_CHARS = 2000;
const MAX_TERMS = 40;
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const DENSE_RUN = new RegExp(`[${UNSPACED}\\p{Script=Hangul}]+`, 'gu');
const RUNS = new RegExp(
  `([${UNSPACED}]+)|(\\p{Script=Hangul}+)|((?:(?![${UNSPACED}\\p{Script=Hangul}])[\\p{L}\\p{N}\\p{M}])+)`,
  'gu',
);
/** Matches Korean particles and question endings after at least two syllables. */
const KOREAN_ENDING =
  /(?<=..)(?:하나요|인가요|되나요|나요|까요|습니까|에서|으로|까지|부터|은|는|이|가|을|를|에|의|도|로|와|과)$/u;
/**
 * Matches text of ASCII characters, ideographs, kana and Korean syllables. Normalization changes only the case of
 * these characters, and takes long for the thousand words of a Chinese text.
 */
const STABLE_ONLY = /^[\0-\x7fぁ-ゔァ-ヺー\u4e00-\u9fff가-힣]*$/;
const INFLECTING_MARKS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u;
/** Number of characters before a word that are checked for the start of a sentence. */
const LOOK_BACK_CHARS = 32;
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Returns the start of a question, to which its analysis is limited. */
export function truncateQuestion(question: string): string {
  const start = cutText(question, MAX_QUESTION_CHARS);
  let maxLength = MAX_QUESTION_CHARS;
  for (const { 0: run, index } of start.matchAll(DENSE_RUN)) {
    const left = maxLength - index;
    if (left < 2 * run.length) return cutText(start, left < 0 ? maxLength : index + Math.floor(left / 2));
    maxLength -= run.length;
  }
  return cutText(start, maxLength);
}

/**
 * Normalizes the Unicode form of a question (NFKC). Truncates the text before and after, since one character
 * may become eighteen.
 */
export function normalizeQuestion(question: string): string {
  return truncateQuestion(normalizeText(question, 'NFKC', MAX_QUESTION_CHARS));
}

/**
 * Normalizes a text for comparison: lower case, one character width, and no accents on Latin, Greek and
 * Cyrillic letters.
 */
export function normalize(text: string): string {
  if (STABLE_ONLY.test(text)) return text.toLowerCase();
  const lower = normalizeText(text, 'NFKC', Infinity).toLowerCase();
  const withoutMarks = normalizeText(lower, 'NFD', Infinity).replace(INFLECTING_MARKS, '$1');
  return normalizeText(withoutMarks, 'NFC', Infinity);
}

/**
 * Returns the different words of a question except for stop words; all words if there are only stop words.
 */
export function extractQuestionTerms(question: string): Term[] {
  const all = new Map<string, Term>();
  for (const term of iterateTerms(question)) {
    if (!all.has(term.text)) all.set(term.text, term);
  }
  const stopWords = stopWordsFor([...all.keys()]);
  const distinctive = [...all.values()].filter(
    ({ text }) => !stopWords.has(text) && !HIRAGANA_ONLY.test(text),
  );
  return (distinctive.length > 0 ? distinctive : [...all.values()]).slice(0, MAX_TERMS);
}

/**
 * Returns the words of a question that name something. German capitalizes all nouns, so only words like
 * `iPhone` or `M22` count there.
 */
export function extractNames(question: string): string[] {
  const terms = [...iterateTerms(question)];
  const isGerman = capitalizesNouns(terms.map(({ text }) => text));
  return terms.filter(({ isName, isCode }) => (isGerman ? isCode : isName)).map(({ text }) => text);
}

function* iterateTerms(text: string): Generator<Term> {
  const original = normalizeQuestion(text);
  for (const match of original.matchAll(RUNS)) {
    const [word, unspaced, hangul] = match;
    if (unspaced) {
      for (const { segment } of wordSegmenter.segment(unspaced)) {
        yield { text: normalize(segment), isDense: true, isName: false, isCode: false };
      }
      continue;
    }
    const before = original.slice(Math.max(0, match.index - LOOK_BACK_CHARS), match.index);
    const isSentenceStart = /(^|[.!?:]\s*)["'“¿¡]?$/.test(before);
    const isCode = /\p{N}|\p{Ll}\p{Lu}/u.test(word);
    const isName = isCode || (!isSentenceStart && /^\p{Lu}/u.test(word));
    const stem = hangul ? word.replace(KOREAN_ENDING, '') : word;
    yield { text: normalize(stem), isDense: Boolean(hangul), isName, isCode };
  }
}

/**
 * Returns the different words of a text.
 * @param normalized text that `normalize` has returned
 */
export function listWords(normalized: string): Set<string> {
  return new Set(normalized.match(/[\p{L}\p{N}\p{M}]+/gu));
}

/** Detects the language of a text by its stop words. Returns the index of the language; null if unknown. */
export function detectTextLanguage(text: string): number | null {
  return detectLanguage(normalize(text).match(/\p{L}+/gu) ?? []);
}

/** Detects the language of a text from its start. Returns the ISO 639-1 code; null if unknown. */
export function detectTextLanguageCode(text: string): string | null {
  return detectLanguageCode(normalize(normalizeQuestion(text)).match(/\p{L}+/gu) ?? []);
}

/** Returns whether a question may be in a language with compound words, such as German. */
export function mayHaveCompounds(question: string): boolean {
  return mayFormCompounds(normalize(normalizeQuestion(question)).match(/\p{L}+/gu) ?? []);
}

/** Compares a word with a term. Returns 1 if they are equal, less for a related form, and 0 otherwise. */
export function compareWords(term: string, word: string): number {
  return term === word ? 1 : wordSimilarity(term, word);
}

/**
 * Returns the similarity of inflected and compound forms: refund/refunds, install/installation,
 * Kosten/Versandkosten. Words with digits have no such forms.
 */
function wordSimilarity(a: string, b: string): number {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (shorter.length < 3) return 0;
  const form = sharedForm(shorter, longer);
  return form > 0 && !/\p{N}/u.test(longer) ? form : 0;
}

function sharedForm(shorter: string, longer: string): number {
  let prefix = 0;
  while (prefix < shorter.length && shorter[prefix] === longer[prefix]) prefix += 1;
  const share = prefix / longer.length;
  if (prefix >= 4 && share >= 0.5) return share;
  if (prefix === shorter.length && longer.length - prefix <= 2) return share;
  return shorter.length >= 5 && longer.endsWith(shorter) ? 0.6 : 0;
}
