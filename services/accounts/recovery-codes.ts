import { randomInt } from 'node:crypto';
import { digestSecret } from '../../core/accounts/secret-digest.ts';

export const RECOVERY_CODES = 10;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/**
 * Number of characters of a recovery code. At 5 bits each, a code has 115 bits, which is enough for
 * `digestSecret`.
 */
const LENGTH = 23;

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
}

/** Returns the digest of a recovery code. Ignores case, spaces and hyphens. */
export function digestRecoveryCode(code: string): string {
  return digestSecret(code.replaceAll(/[\s-]/g, '').toUpperCase());
}
