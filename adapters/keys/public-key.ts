import { randomInt } from 'node:crypto';

/** Prefix of every bot's public key. */
export const PUBLIC_KEY_PREFIX = 'pk_';
const PUBLIC_KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function generatePublicKey(): string {
  const letters = Array.from(
    { length: 22 },
    () => PUBLIC_KEY_ALPHABET[randomInt(PUBLIC_KEY_ALPHABET.length)],
  );
  return `${PUBLIC_KEY_PREFIX}${letters.join('')}`;
}
