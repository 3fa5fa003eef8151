import { chardet } from 'jschardet';
import { decodeAs, encodeAs, findEncoding, isSingleByte } from './encodings.ts';
import { countBroken, countForeign, measureImplausible } from './implausible-text.ts';
import { findCapitals, toSmallLetters } from './capitals.ts';
import { weighCommonKanji } from './common-kanji.ts';
import { listEncodings, measureForeignLetters } from './language-encodings.ts';

export interface DetectedEncoding {
  encoding: string;
  /**
   * True if the detected encoding may be wrong: the bytes are few, or nearly as plausible in another
   * encoding.
   */
  isUncertain: boolean;
}

interface Guess {
  encoding: string;
  /** Similarity of the bytes to a language in this encoding, from 0 to 1. */
  similarity: number;
  /** Language whose statistics are the most similar to the bytes; null if unknown. */
  language: string | null;
}

interface RatedGuess extends Guess {
  text: string;
  score: number;
}

const SAMPLE_BYTES = 32 * 1024;
/** Number of bytes that are compared of a text in capitals. */
const CAPITALS_SAMPLE_BYTES = 2048;
/** Number of ASCII bytes that a sample of a long line keeps before the first byte beyond ASCII. */
const CONTEXT_BYTES = 512;
const LINE_FEED = 0x0a;
/** Number of the most similar encodings that are compared by their decoded text. */
const MAX_GUESSES = 16;
/**
 * Weights in the detection of the encoding for the language of the page or the bot, if a text has few
 * letters. The weights decrease with the number of letters, since many texts are in another language. Chinese
 * and Japanese texts have a higher weight, since their encodings are the most similar.
 */
const LANGUAGE_WEIGHT = 0.4;
const MULTI_BYTE_LANGUAGE_WEIGHT = 1;
const FEW_LETTERS = 8;
/**
 * Weight of letters that are not in the alphabet of the guessed language, in the detection of the encoding.
 */
const LETTER_WEIGHT = 0.3;
/** Weights of character encodings that are rarely used, and look like others. */
const rare: readonly [RegExp, number][] = [
  [/^x-mac-ce$/, 0.5],
  [/^cp(?:437|720|737|775|855|857|858|86\d)$/, 0.8],
  [/^iso-8859-(?:3|4|10|13|14|16)$/, 0.8],
  [/^(?:x-mac-(?:greek|turkish|icelandic)|kz-1048|ptcp154)$/, 0.8],
  [/^iso-8859-[56]$/, 0.85],
  [/^(?:macintosh|cp850|iso-8859-15)$/, 0.97],
];
/**
 * Similarities that are added to the most common encodings in the detection. Each is divided by the number of
 * bytes beyond ASCII, so it only matters if a text has few such bytes.
 */
const priors: Record<string, number> = {
  'windows-1252': 0.03,
  'windows-1251': 0.018,
  'windows-1250': 0.018,
  shift_jis: 0.018,
  gb18030: 0.018,
};
const OTHER_PRIOR = 0.01;
const KANA = /[\u3041-\u3096\u30a1-\u30fc]/g;
const HALF_WIDTH_KANA = /[\uff66-\uff9f]/g;
const HANGUL = /[\uac00-\ud7a3]/g;
interface ScriptRule {
  encoding: string;
  script: RegExp;
  /** Minimum number of the script's characters, and their minimum share of all characters beyond ASCII. */
  minCount: number;
  minShare: number;
  /** Sequence that the decoded text must contain for the rule to apply. */
  requiredSequence?: RegExp;
}

/**
 * Rules that favor an encoding: if the decoded text is mostly in one script, its bytes are rarely valid text
 * in another encoding.
 */
const scriptRules: readonly ScriptRule[] = [
  { encoding: 'shift_jis', script: KANA, minCount: 3, minShare: 0.5 },
  { encoding: 'euc-jp', script: KANA, minCount: 3, minShare: 0.5 },
  // The sequence is a half-width kana letter with the mark of a long vowel. Other encodings read its bytes as
  // a letter with a degree sign or a box-drawing character.
  {
    encoding: 'shift_jis',
    script: HALF_WIDTH_KANA,
    minCount: 3,
    minShare: 0.6,
    requiredSequence: /[\uff71-\uff9d][\uff9e\uff9f]?\uff70/,
  },
  { encoding: 'euc-jp', script: HALF_WIDTH_KANA, minCount: 3, minShare: 0.6 },
  { encoding: 'euc-kr', script: HANGUL, minCount: 30, minShare: 0.9 },
];
const SCRIPT_SIMILARITY = 0.5;
const multiByteEncodings = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'];
/**
 * Maximum share of broken characters with which the detection still tries an encoding with several bytes for
 * a character.
 */
const MAX_BROKEN_SHARE = 0.1;
/**
 * Minimum score with which the detected encoding counts as certain. Texts with few foreign letters have lower
 * scores.
 */
const MIN_SCORE = 0.03;
/**
 * Minimum score of the best encoding at which the runner-up does not matter. At such scores, the detector has
 * compared similar encodings.
 */
const CERTAIN_SCORE = 0.3;
/** Minimum fraction of the best encoding's score with which a runner-up makes the result uncertain. */
const CLOSE = 0.95;
const CLOSE_FOR_FEW = 0.85;
const FEW_BYTES = 16;

/**
 * Detects the character encoding of bytes that are not UTF-8. Uses statistics of languages, and how plausible
 * the text is in each encoding.
 * @param languages ISO 639-1 codes of languages that the text is probably in
 */
export function detectEncoding(bytes: Uint8Array, languages: readonly string[]): DetectedEncoding {
  const sample = takeSample(bytes);
  const foreignBytes = sample.reduce((count, byte) => (byte > 0x7f ? count + 1 : count), 0);
  const [best, ...others] = listGuesses(sample)
    .map((guess) => rateGuess(guess, sample, foreignBytes, languages))
    .sort((a, b) => b.score - a.score);
  if (!best || best.score === 0) return { encoding: 'windows-1252', isUncertain: true };
  const next = others.find(({ text }) => text !== best.text)?.score ?? 0;
  const close = foreignBytes < FEW_BYTES ? CLOSE_FOR_FEW : CLOSE;
  const isClose = best.score < CERTAIN_SCORE && next > best.score * close;
  return { encoding: best.encoding, isUncertain: best.score < MIN_SCORE || isClose };
}

/**
 * Returns a sample of a text for the detection of its encoding: the lines that contain bytes beyond ASCII, up
 * to a limit. Long lines are cut only in their ASCII part before the first such byte, so that no character is
 * cut.
 */
function takeSample(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const lines: Uint8Array[] = [];
  let length = 0;
  let lineStart = 0;
  for (let index = 0; index < bytes.length && length < SAMPLE_BYTES; index += 1) {
    if (bytes[index] === LINE_FEED) lineStart = index + 1;
    if (bytes[index]! <= 0x7f) continue;
    const lineFeed = bytes.indexOf(LINE_FEED, index);
    const lineEnd = lineFeed < 0 ? bytes.length : lineFeed + 1;
    const start = Math.max(lineStart, index - CONTEXT_BYTES);
    const line = bytes.subarray(start, Math.min(lineEnd, start + SAMPLE_BYTES - length));
    lines.push(line);
    length += line.length;
    lineStart = lineEnd;
    index = lineEnd - 1;
  }
  return Buffer.concat(lines);
}

function listGuesses(sample: Uint8Array): Guess[] {
  const guesses = findSimilar(sample).slice(0, MAX_GUESSES);
  const missingEncodings = multiByteEncodings.filter(
    (name) => !guesses.some(({ encoding }) => encoding === name),
  );
  return [
    ...guesses,
    ...missingEncodings.map((encoding) => findSimilarRepaired(sample, encoding)),
    ...findSimilarCapitals(sample),
  ];
}

/**
 * Returns the encodings of a text in capitals. Compares the text in small letters, since the statistics are
 * based on small letters.
 */
function findSimilarCapitals(sample: Uint8Array): Guess[] {
  const capitals = sample.subarray(0, CAPITALS_SAMPLE_BYTES);
  return findCapitals(capitals).flatMap((encoding) => {
    const similar = findSimilar(toSmallLetters(encoding, capitals));
    return similar.find((guess) => guess.encoding === encoding) ?? [];
  });
}

/** Returns the encodings in which the bytes look like a language, the most similar first. */
function findSimilar(sample: Uint8Array): Guess[] {
  const guesses = new Map<string, Guess>();
  // The library that detects encodings may rank an encoding above others with a higher similarity, because of
  // individual letters that are typical of the encoding.
  let similarity = 0;
  for (const found of chardet.detectAll(hideDeclarations(sample), { ignoreThreshold: true }).reverse()) {
    similarity = Math.max(similarity, found.confidence);
    const encoding = found.encoding === null ? null : findEncoding(found.encoding);
    if (encoding === null) continue;
    guesses.delete(encoding);
    guesses.set(encoding, { encoding, similarity, language: found.language });
  }
  return [...guesses.values()].reverse();
}

/**
 * Overwrites the words with which files declare encodings, since the detector would believe these
 * declarations.
 */
function hideDeclarations(sample: Uint8Array): Uint8Array {
  const text = Buffer.from(sample).toString('latin1');
  return Buffer.from(
    text.replace(/charset|coding/gi, (word) => 'x'.repeat(word.length)),
    'latin1',
  );
}

/**
 * Compares a text without the few characters that are broken in an encoding, because the detection library
 * excludes an encoding for any broken character.
 */
function findSimilarRepaired(sample: Uint8Array, encoding: string): Guess {
  const text = decodeAs(encoding, sample);
  const broken = countBroken(text);
  const none = { encoding, similarity: 0, language: null };
  if (broken === 0 || broken > Math.max(1, countForeign(text) * MAX_BROKEN_SHARE)) return none;
  const repaired = encodeAs(encoding, text.replaceAll('\ufffd', ''));
  return findSimilar(repaired).find((guess) => guess.encoding === encoding) ?? none;
}

function rateGuess(
  guess: Guess,
  sample: Uint8Array,
  foreignBytes: number,
  languages: readonly string[],
): RatedGuess {
  const { encoding } = guess;
  const text = decodeAs(encoding, sample);
  const similarity = isInScript(encoding, text)
    ? Math.max(guess.similarity, SCRIPT_SIMILARITY)
    : guess.similarity;
  const weight = isSingleByte(encoding) ? LANGUAGE_WEIGHT : MULTI_BYTE_LANGUAGE_WEIGHT;
  const isExpected = languages.some((language) => listEncodings(language).includes(encoding));
  const foreignLetters = measureForeignLetters(text, guess.language);
  const rarity = rare.find(([pattern]) => pattern.test(encoding))?.[1] ?? 1;
  const prior = rarity < 0.9 ? 0 : (priors[encoding] ?? OTHER_PRIOR) / Math.max(1, foreignBytes);
  const score =
    (similarity + prior) *
    (encoding === 'euc-jp' ? weighCommonKanji(sample) : 1) *
    (1 - measureImplausible(text)) ** (isSingleByte(encoding) ? 3 : 2) *
    (1 - LETTER_WEIGHT * foreignLetters) *
    (isExpected ? 1 + weight * Math.min(1, FEW_LETTERS / foreignBytes) : 1) *
    rarity;
  return { ...guess, text, score };
}

function isInScript(encoding: string, text: string): boolean {
  if (countBroken(text) > 0) return false;
  return scriptRules.some((rule) => {
    if (rule.encoding !== encoding || rule.requiredSequence?.test(text) === false) return false;
    const count = text.match(rule.script)?.length ?? 0;
    return count >= rule.minCount && count >= countForeign(text) * rule.minShare;
  });
}
