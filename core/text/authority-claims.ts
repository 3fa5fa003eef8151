import {
  ACCOUNTS,
  IMPERSONAL_NAMES,
  AUTHORITY,
  FILLERS,
  GUARDS,
  IDENTITIES,
  UNITS,
  YOUR_WORDS,
  REQUESTS,
  SECRETS,
  SECURITY_WORDS,
  WHOLE_WORD_AUTHORITY,
  THREATS,
  UNSPACED,
} from './authority-words.ts';
import { ANY_INNER_LETTER, ANY_LETTER, toLatinSkeleton, listMaskedWords } from './latin-skeleton.ts';

/**
 * Minimum length in letters of authority words, such as "security", that are also searched inside longer words
 * and across spaces.
 */
const MIN_EMBEDDED_LENGTH = 8;
const MIN_NAME_LENGTH = 4;
/** Maximum number of words in a text that counts as a title; longer texts are prose. */
const MAX_TITLE_WORDS = 6;
/**
 * Maximum number of words between the two words of a claim to authority, as in "verify the details of your
 * account".
 */
const MAX_WORDS_BETWEEN = 4;
/** Maximum number of characters between the two words of a claim to authority, in scripts without spaces. */
const MAX_LETTERS_BETWEEN = 6;

/**
 * Minimum lengths, in letters, of words whose repeated letters are collapsed before comparison. Shorter words
 * would match other words: "root" and "rot" collapse to the same letters, and so do "locked" and "looked",
 * because k counts as c.
 */
const MIN_COLLAPSED = { unchanged: 5, shortened: 6 };
/**
 * Maximum length, in letters, of a word whose repeated letters are collapsed. With more repeated letters, a
 * reader does not recognize the word at a glance.
 */
const MAX_REPEATED_LENGTH = 24;
/**
 * Minimum number of recognized letters in a word with ambiguous characters, such as `?`, and
 * number of further letters that each such character requires.
 */
const MIN_CERTAIN_LETTERS = 5;
const CERTAIN_LETTERS_PER_MASK = 3;

/** A set of words. A word of the set also counts as found if its letters are repeated, such as "passswordd". */
class Words {
  readonly #words: ReadonlySet<string>;
  readonly #collapsed: ReadonlySet<string>;

  constructor(words: readonly string[]) {
    this.#words = new Set(words);
    this.#collapsed = new Set(words.flatMap(listCollapsed));
  }

  has(word: string): boolean {
    return this.hasExactly(word) || (mayRepeat(word) && this.#collapsed.has(collapse(word)));
  }

  hasExactly(word: string): boolean {
    return this.#words.has(word);
  }

  /** Returns whether a word consists of a word of this set and one of `ends`, as "Kontosperrung" does. */
  isJoined(word: string, ends: Words): boolean {
    for (const start of this.#words)
      if (
        start.length >= MIN_NAME_LENGTH &&
        word.startsWith(start) &&
        ends.#words.has(word.slice(start.length))
      )
        return true;
    return false;
  }
}

const CERTAIN = /[^?*]+/g;
/**
 * Matches characters that may imitate Latin letters. Most English texts have none and skip the search for
 * disguised words.
 */
const NEEDS_MASKS = /[^a-z\s.,;:!?'"&_-]/i;

/** Authority words, such as "security", that are also searched inside longer words and across spaces. */
class EmbeddedWords {
  readonly #words: readonly string[];
  readonly #collapsed: readonly string[];
  readonly #masked: readonly { pattern: RegExp; maxMasks: number }[];

  constructor(words: readonly string[]) {
    this.#words = words;
    this.#collapsed = [...new Set(words.flatMap(listCollapsed))];
    this.#masked = words.map((word) => ({
      pattern: new RegExp(buildMaskedPattern(word), 'gu'),
      maxMasks: Math.min(
        word.length - MIN_CERTAIN_LETTERS,
        Math.floor(word.length / (CERTAIN_LETTERS_PER_MASK + 1)),
      ),
    }));
  }

  occurIn(words: readonly string[]): boolean {
    const collapsed = words.map(collapse);
    return containAnyName(words, this.#words) || containAnyName(collapsed, this.#collapsed);
  }

  /** @param masked text without spaces, in which placeholders stand for ambiguous characters */
  occurMaskedIn(masked: string): boolean {
    return this.#masked.some(({ pattern, maxMasks }) =>
      [...masked.matchAll(pattern)].some(([, word = '']) => word.replaceAll(CERTAIN, '').length <= maxMasks),
    );
  }
}

/** Pairs of letters that readers confuse, in addition to those that `toLatinSkeleton` treats as equal. */
const CONFUSABLE_PAIRS = ['ce', 'co', 'uv', 'vy', 'gq', 'bh'];
/**
 * Minimum number of characters in an operator's name whose misspellings are searched. Misspellings of shorter
 * names would match ordinary names.
 */
const MIN_MISSPELLED_LENGTH = 6;

/**
 * Recognizes misspellings of the operator's name that readers overlook: two neighboring letters swapped, or
 * one letter replaced by a similar letter. The first letter must be right, so that Barley and Harley do not
 * count as Parley. Missing letters do not count, because they produce other names, such as Paley.
 */
class MisspelledName {
  readonly #forms = new Set<string>();
  readonly #wordCounts: readonly number[];

  /** @param words the operator's name, split into words */
  constructor(words: readonly string[]) {
    const name = words.join('');
    this.#wordCounts = [...new Set([1, words.length])];
    if (name.length < MIN_MISSPELLED_LENGTH) return;
    for (let at = 1; at < name.length; at += 1) {
      const [letter, next] = [name[at]!, name[at + 1] ?? ''];
      this.#forms.add(name.slice(0, at) + next + letter + name.slice(at + 2));
      for (const pair of CONFUSABLE_PAIRS.filter((each) => each.includes(letter)))
        this.#forms.add(name.slice(0, at) + pair.replace(letter, '') + name.slice(at + 1));
    }
    this.#forms.delete(name);
  }

  /**
   * Returns whether the words contain a misspelling of the operator's name. The misspelling may be one word,
   * or as many words as the name has.
   */
  occurIn(words: readonly string[]): boolean {
    return words.some((_, at) =>
      this.#wordCounts.some((count) => this.#forms.has(words.slice(at, at + count).join(''))),
    );
  }
}

/**
 * Folds each word in lower, title and upper case, because lower-case and capital letters of other scripts can
 * resemble different Latin letters.
 */
const buildSkeletons = (words: string) => {
  const variants = words
    .trim()
    .split(/\s+/)
    .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]);
  return [...new Set(variants.map(fold))];
};
const createWords = (...words: string[]): Words => new Words(words.flatMap(buildSkeletons));
const authority = buildSkeletons(AUTHORITY);
const embedded = new EmbeddedWords(authority.filter(({ length }) => length >= MIN_EMBEDDED_LENGTH));
const wholeWords = new Words([...authority, ...buildSkeletons(WHOLE_WORD_AUTHORITY)]);
const impersonalNames = createWords(IMPERSONAL_NAMES);
const fillers = createWords(FILLERS);
const accounts = createWords(ACCOUNTS);
const identities = createWords(ACCOUNTS, IDENTITIES);
const threats = createWords(THREATS);
const guards = createWords(THREATS, GUARDS);
const units = createWords(UNITS);
const securityWords = createWords(SECURITY_WORDS);
const secrets = createWords(SECRETS);
const requests = createWords(REQUESTS);
const yourWords = createWords(YOUR_WORDS);
const alternation = (words: readonly string[]) => `(?:${words.map(fold).join('|')})`;
const [unspacedAccount, unspacedThreat] = [alternation(UNSPACED.accounts), alternation(UNSPACED.threats)];
const between = `.{0,${MAX_LETTERS_BETWEEN}}?`;
const unspacedClaim = new RegExp(
  [
    alternation(UNSPACED.alone),
    unspacedAccount + between + unspacedThreat,
    unspacedThreat + between + unspacedAccount,
  ].join('|'),
  'u',
);

/** Detects texts whose sender claims to be the operator of the installation, or its security department. */
export class AuthorityClaims {
  readonly #operators: EmbeddedWords;
  readonly #misspelled: readonly MisspelledName[];

  /** @param operatorNames names by which readers know the operator of the installation */
  constructor(operatorNames: readonly string[]) {
    this.#operators = new EmbeddedWords(
      operatorNames
        .map((name) => splitWords(name).join(''))
        .filter(({ length }) => length >= MIN_NAME_LENGTH),
    );
    this.#misspelled = operatorNames.map((name) => new MisspelledName(splitWords(name)));
  }

  /**
   * Returns whether a text names the operator, or claims to be about the security of the reader's account.
   */
  occurIn(text: string): boolean {
    const words = splitWords(text);
    return (
      words.some((word) => wholeWords.has(word)) ||
      [embedded, this.#operators, ...this.#misspelled].some((each) => each.occurIn(words)) ||
      listMaskedTexts(text).some((masked) =>
        [embedded, this.#operators].some((each) => each.occurMaskedIn(masked)),
      ) ||
      unspacedClaim.test(words.join('')) ||
      asksForSecret(words) ||
      (words.length <= MAX_TITLE_WORDS
        ? areNear(words, identities, threats)
        : areNear(words, accounts, threats))
    );
  }

  /**
   * Returns whether a sender's name claims authority, or names no person, such as "Support" or "Account
   * Team".
   */
  occurInName(name: string): boolean {
    const words = joinPairs(splitWords(name), impersonalNames);
    return (
      this.occurIn(name) ||
      areNear(words, identities, guards, words.length) ||
      areNear(words, units, securityWords, words.length) ||
      (words.some((word) => impersonalNames.has(word)) &&
        words.every((word) => impersonalNames.has(word) || fillers.has(word)))
    );
  }
}

/**
 * Folds a text to search it for claims to authority. Treats k as c, because misspelled names exchange these
 * letters.
 */
function fold(text: string): string {
  return toLatinSkeleton(text).replaceAll('k', 'c');
}

/**
 * Returns whether a name occurs inside a word, or across words if the name starts or ends at a word boundary.
 * "Gaspar Leyva" does not contain "Parley" in this sense.
 */
function containAnyName(words: readonly string[], names: readonly string[]): boolean {
  const joinedWords = words.join('');
  return names.some((name) => {
    let index = 0;
    let start = 0;
    for (let at = joinedWords.indexOf(name); at !== -1; at = joinedWords.indexOf(name, at + 1)) {
      while (start + words[index]!.length <= at) start += words[index++]!.length;
      let end = start + words[index]!.length;
      if (start === at || at + name.length <= end) return true;
      for (let next = index + 1; end < at + name.length; next += 1) end += words[next]!.length;
      if (end === at + name.length) return true;
    }
    return false;
  });
}

function mayRepeat({ length }: string): boolean {
  return length > MIN_COLLAPSED.unchanged && length <= MAX_REPEATED_LENGTH;
}

/** Collapses repeated letters, such as "Paarley" to "Parley". */
function collapse(word: string): string {
  for (let at = 1; at < word.length; at += 1)
    if (word.charCodeAt(at) === word.charCodeAt(at - 1)) return word.replace(/(\p{L})\1+/gu, '$1');
  return word;
}

/**
 * Returns the text without spaces, with placeholders for ambiguous characters, to search it for disguised
 * words. Omits readings without placeholders, since the plain words cover them.
 */
function listMaskedTexts(text: string): string[] {
  if (!NEEDS_MASKS.test(text)) return [];
  const readings = listMaskedWords(text).map((words) => words.map((word) => word.replaceAll('k', 'c')));
  return readings
    .flatMap((words) => [words.join(''), words.map(collapse).join('')])
    .filter((masked, at, all) => /[?*]/.test(masked) && all.indexOf(masked) === at);
}

/**
 * Returns a word with its repeated letters collapsed. The list is empty if the result is too short to compare.
 */
function listCollapsed(word: string): string[] {
  const collapsed = collapse(word);
  const isChanged = collapsed !== word;
  return collapsed.length >= (isChanged ? MIN_COLLAPSED.shortened : MIN_COLLAPSED.unchanged)
    ? [collapsed]
    : [];
}

/**
 * Builds a pattern that finds a word in a text with placeholders for ambiguous characters. The pattern uses a
 * lookahead, so that matches may overlap.
 */
function buildMaskedPattern(word: string): string {
  const letters = [...word].map(
    (letter, at) => `[${letter}${ANY_LETTER}${at === 0 ? '' : ANY_INNER_LETTER}]`,
  );
  return `(?=(${letters.join('')}))`;
}

/** Splits a text into words. Consecutive single letters become one word: "S e c u r i t y". */
function splitWords(text: string): string[] {
  const parts = fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const words: string[] = [];
  let spelled = '';
  for (const part of [...parts, '']) {
    if (part.length === 1) {
      spelled += part;
      continue;
    }
    if (spelled !== '') words.push(spelled);
    spelled = '';
    if (part !== '') words.push(part);
  }
  return words;
}

/** Joins two consecutive words of a text that together are a word of the set, such as "Bảo mật". */
function joinPairs(words: readonly string[], set: Words): string[] {
  const joined: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const pair = words[at]! + (words[at + 1] ?? '');
    const isPair = !set.has(words[at]!) && set.hasExactly(pair);
    joined.push(isPair ? pair : words[at]!);
    if (isPair) at += 1;
  }
  return joined;
}

/**
 * Returns whether a word of one set is near a word of the other set, or directly followed by it as in
 * "Kontosperrung".
 * @param maxBetween maximum number of words between the two words
 */
function areNear(
  words: readonly string[],
  some: Words,
  others: Words,
  maxBetween = MAX_WORDS_BETWEEN,
): boolean {
  const [first, second] = [findPositions(words, some), findPositions(words, others)];
  const areJoined = words.some((word) => some.isJoined(word, others));
  // Find the nearest position in one pass, since both lists of positions are sorted.
  let at = 0;
  return (
    areJoined ||
    first.some((place) => {
      while (at < second.length && second[at]! < place - maxBetween - 1) at += 1;
      return second
        .slice(at, at + 2)
        .some((other) => other !== place && Math.abs(other - place) <= maxBetween + 1);
    })
  );
}

/**
 * Returns the positions of words of the set, and of pairs that together are a word of the set, such as "log
 * in".
 */
function findPositions(words: readonly string[], set: Words): number[] {
  return words.flatMap((word, at) =>
    set.has(word) || set.hasExactly(word + (words[at + 1] ?? '')) ? [at] : [],
  );
}

/** Returns whether the words ask the reader for a secret, as in "reply with your PIN". */
function asksForSecret(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      secrets.has(word) &&
      yourWords.has(words[at - 1] ?? '') &&
      words.slice(Math.max(0, at - 2 - MAX_WORDS_BETWEEN), at).some((each) => requests.has(each)),
  );
}
