import { randomInt } from 'node:crypto';

/**
 * Letters of user codes: consonants that people do not confuse with one another and that do not form words
 * (RFC 8628, section 6.1).
 */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const GROUP = LENGTH / 2;

/**
 * Generates a user code for a device login, such as `WDJB-MJHT`, which a person compares or types. There are
 * 2.5 × 10^10 codes.
 */
export function generateUserCode(): string {
  return formatCode(Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''));
}

/**
 * Normalizes a user code that a person typed: letters of any case, with or without separators. Any other text
 * becomes a code that does not exist.
 */
export function normalizeUserCode(typed: string): string {
  return formatCode(typed.toUpperCase().replace(/[\s-]/g, ''));
}

function formatCode(letters: string): string {
  return `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}`;
}
