import { readFileSync } from 'node:fs';
import { invalidField } from '../../../core/errors/errors.ts';
import { normalizeText } from '../../../core/text/normalize-text.ts';
import { runInHashThread } from './hash-threads.ts';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 200;

/**
 * Minimum number of characters of a personal word, such as a name, with which passwords are compared. Shorter
 * words occur in many passwords by chance.
 */
const MIN_WORD_LENGTH = 4;

/** Maximum number of characters in passwords that are checked for repetitions, sequences and dates. */
const MAX_PATTERN_LENGTH = 16;
const YEAR = '(?:19|20)\\d\\d';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const DATE = new RegExp(`^(?:${DAY}${DAY}${YEAR}|${YEAR}${DAY}${DAY})$`);
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  '1': 'l',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
};

let common: Set<string> | undefined;

/**
 * Normalizes the Unicode of a password, because keyboards encode the same characters differently (NIST SP
 * 800-63B, 3.1.1.2).
 */
function normalizePassword(password: string): string {
  return normalizeText(password, 'NFKC', Infinity);
}

/**
 * Hashes a password.
 * @throws AppError `rate_limited` if too many requests are waiting
 */
export function hashPassword(password: string): Promise<string> {
  return runInHashThread({ kind: 'hash', password: normalizePassword(password) });
}

/**
 * Verifies a password. `passwordHash` is null if the account or its password is missing; the verification
 * then takes equally long, so that the time reveals nothing.
 * @throws AppError `rate_limited`
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return runInHashThread({ kind: 'verify', password: normalizePassword(password), passwordHash });
}

/**
 * Rejects passwords that attackers try first: common passwords, patterns, and personal data of the owner.
 * @param field field of the request that the error names
 * @throws AppError `validation_error`
 */
export function refuseGuessable(field: string, password: string, personalData: readonly string[]): void {
  const candidate = normalizePassword(password).toLowerCase();
  if (isCommon(candidate) || isPattern(candidate)) {
    throw invalidField(field, 'is a common password; choose another one');
  }
  const withoutEnding = candidate.replace(/[^\p{L}]+$/u, '');
  const words = ['parley', ...personalData.flatMap(splitPersonalWords)];
  if (words.some((word) => word === candidate || word === withoutEnding)) {
    throw invalidField(
      field,
      'contains your name, your address or the name of this service; choose another one',
    );
  }
}

/** True for a common password, even if digits and signs replace some of its letters. */
function isCommon(candidate: string): boolean {
  return loadCommonPasswords().has(candidate) || loadCommonPasswords().has(replaceLookalikes(candidate));
}

function replaceLookalikes(text: string): string {
  return text.replaceAll(/[@4301!$57]/g, (sign) => LETTERS[sign] ?? sign);
}

/**
 * True for passwords that consist of repetitions, sequences or dates, which attackers guess without a list.
 */
function isPattern(candidate: string): boolean {
  if (new Set(candidate).size < 3) return true;
  if (candidate.length > MAX_PATTERN_LENGTH) return false;
  return /^(.{1,6})\1+$/u.test(candidate) || DATE.test(candidate) || isMadeOfRuns(candidate);
}

/**
 * True if the text consists of runs of at least three equal or consecutive characters, such as "111222333"
 * and "abc321".
 */
function isMadeOfRuns(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  let length = 1;
  for (let at = 1; at <= codes.length; at += 1) {
    const step = codes[at]! - codes[at - 1]!;
    const continuesRun = Math.abs(step) <= 1 && (length === 1 || step === codes[at - 1]! - codes[at - 2]!);
    if (continuesRun) length += 1;
    else if (length < 3) return false;
    else length = 1;
  }
  return true;
}

/**
 * Returns the words of a name or email address that make a password easy to guess: the whole text, the text without
 * separators, and its parts.
 */
function splitPersonalWords(text: string): string[] {
  const normalizedText = normalizePassword(text).toLowerCase();
  const parts = normalizedText.split(/[^\p{L}\p{N}]+/u);
  return [normalizedText, parts.join(''), normalizedText.split('@')[0]!, ...parts].filter(
    ({ length }) => length >= MIN_WORD_LENGTH,
  );
}

/** Loads common passwords in lower case: those with 8 characters or more among the 47,000 most used. */
function loadCommonPasswords(): Set<string> {
  common ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );
  return common;
}
