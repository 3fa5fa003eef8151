import { randomInt } from 'node:crypto';
import { digestSecret } from '../../core/accounts/secret-digest.ts';

export const RECOVERY_CODES = 10;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Characters of 5 bits each: 115 bits, enough for `digestSecret`. */
const LENGTH = 23;

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
}

/** Computes the digest of a code; ignores case and gaps. */
export function digestRecoveryCode(code: string): string {
  return digestSecret(code.replaceAll(/[\s-]/g, '').toUpperCase());
}
