import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefix of every API key that Parley creates. */
export const API_KEY_PREFIX = 'parley_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** Number of characters of every API key. */
export const API_KEY_LENGTH = API_KEY_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const FORMAT = new RegExp(
  `^${API_KEY_PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/**
 * Generates an API key: the prefix, 30 random base62 characters (178 bits), and their CRC-32 as six base62
 * characters.
 */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return API_KEY_PREFIX + random + computeKeyChecksum(random);
}

/**
 * Returns whether a string has the format of an API key, with a valid checksum. Secret scanners run the same
 * test.
 */
export function isWellFormedApiKey(key: string): boolean {
  const [, random, checksum] = FORMAT.exec(key) ?? [];
  return random !== undefined && computeKeyChecksum(random) === checksum;
}

function computeKeyChecksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  do {
    digits = ALPHABET[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
