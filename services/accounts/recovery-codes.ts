import { createHash, randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Of 5 bits each: 115 bits, so that a plain digest is enough. */
const LENGTH = 23;

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
}

/** People may type it in small letters and with gaps. */
export function digestOfRecoveryCode(code: string): string {
  const typed = code.replaceAll(/[\s-]/g, '').toUpperCase();
  return createHash('sha256').update(typed).digest('hex');
}
