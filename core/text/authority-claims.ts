import {
  ACCOUNTS,
  ANONYMOUS,
  AUTHORITY,
  GUARDS,
  IDENTITIES,
  OFFICES,
  READERS,
  REQUESTS,
  SECRETS,
  SECURITY_WORDS,
  SHORT_AUTHORITY,
  THREATS,
  UNSPACED,
} from './authority-words.ts';
import { latinSkeleton } from './latin-skeleton.ts';

/** Words of AUTHORITY from this length on are looked for within other words, and across blanks. */
const MIN_EMBEDDED_LENGTH = 8;
const MIN_NAME_LENGTH = 4;
/** Words of a title at most; a longer text is prose. */
const MAX_TITLE_WORDS = 6;
/** Words between those of a claim, as in "verify the details of your account". */
const MAX_WORDS_BETWEEN = 4;
/** Letters between those of a claim in scripts without spaces. */
const MAX_LETTERS_BETWEEN = 6;

type Words = ReadonlySet<string>;

const skeletons = (words: string) => words.trim().split(/\s+/).map(fold);
const setOf = (...words: string[]): Words => new Set(words.flatMap(skeletons));
const authority = skeletons(AUTHORITY);
const embedded = authority.filter(({ length }) => length >= MIN_EMBEDDED_LENGTH);
const alone: Words = new Set([...authority, ...skeletons(SHORT_AUTHORITY)]);
const anonymous = setOf(ANONYMOUS);
const accounts = setOf(ACCOUNTS);
const identities = setOf(ACCOUNTS, IDENTITIES);
const threats = setOf(THREATS);
const guards = setOf(THREATS, GUARDS);
const offices = setOf(OFFICES);
const securityWords = setOf(SECURITY_WORDS);
const secrets = setOf(SECRETS);
const requests = setOf(REQUESTS);
const readers = setOf(READERS);
const oneOf = (words: readonly string[]) => `(?:${words.map(fold).join('|')})`;
const [unspacedAccount, unspacedThreat] = [oneOf(UNSPACED.accounts), oneOf(UNSPACED.threats)];
const between = `.{0,${MAX_LETTERS_BETWEEN}}?`;
const unspacedClaim = new RegExp(
  [
    oneOf(UNSPACED.alone),
    unspacedAccount + between + unspacedThreat,
    unspacedThreat + between + unspacedAccount,
  ].join('|'),
  'u',
);

/** Tells texts that claim to come from the operator, or from a guard of the reader's account. */
export class AuthorityClaims {
  readonly #operators: readonly string[];

  /** @param operatorNames what readers know the operator by */
  constructor(operatorNames: readonly string[]) {
    this.#operators = operatorNames
      .map((name) => wordsOf(name).join(''))
      .filter(({ length }) => length >= MIN_NAME_LENGTH);
  }

  /** Whether a text names the operator, or speaks of the reader's security. */
  areIn(text: string): boolean {
    const words = wordsOf(text);
    const whole = words.join('');
    return (
      words.some((word) => alone.has(word)) ||
      embedded.some((word) => whole.includes(word)) ||
      this.#operators.some((name) => whole.includes(name)) ||
      unspacedClaim.test(whole) ||
      asksForSecret(words) ||
      (words.length <= MAX_TITLE_WORDS
        ? areNear(words, identities, threats)
        : areNear(words, accounts, threats))
    );
  }

  /** The same of a name, or whether it names nobody: "Support", "Account Team". */
  isClaimedBy(name: string): boolean {
    const words = wordsOf(name);
    return (
      this.areIn(name) ||
      areNear(words, identities, guards, words.length) ||
      areNear(words, offices, securityWords, words.length) ||
      (words.length > 0 && words.every((word) => anonymous.has(word)))
    );
  }
}

/** k and c sound alike, and either stands for the other in names that are misspelled on purpose. */
function fold(text: string): string {
  return latinSkeleton(text).replaceAll('k', 'c');
}

/** Letters that stand alone, one after the other, are a word: "S e c u r i t y". */
function wordsOf(text: string): string[] {
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

/** Whether a word of each set is in the text, with at most so many words between them, or joined as in "Kontosperrung". */
function areNear(
  words: readonly string[],
  some: Words,
  others: Words,
  maxBetween = MAX_WORDS_BETWEEN,
): boolean {
  const [first, second] = [placesIn(words, some), placesIn(words, others)];
  const areJoined = words.some((word) => [...some].some((each) => isJoined(word, each, others)));
  // Both lists are in order, so the nearest of `second` is found in one pass.
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

function isJoined(word: string, start: string, ends: Words): boolean {
  return start.length >= MIN_NAME_LENGTH && word.startsWith(start) && ends.has(word.slice(start.length));
}

/** Where a word of the set stands, or two that make one: "log in". */
function placesIn(words: readonly string[], set: Words): number[] {
  return words.flatMap((word, at) => (set.has(word) || set.has(word + (words[at + 1] ?? '')) ? [at] : []));
}

/** Such as "reply with your PIN". */
function asksForSecret(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      secrets.has(word) &&
      readers.has(words[at - 1] ?? '') &&
      words.slice(Math.max(0, at - 2 - MAX_WORDS_BETWEEN), at).some((each) => requests.has(each)),
  );
}
