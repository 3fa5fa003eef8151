import { generateSecret, generateURI, verifySync } from 'otplib';

export const TOTP_DIGITS = 6;
export const TOTP_PERIOD_SECONDS = 30;

const ISSUER = 'Parley';

/** Generates the secret of an authenticator app: 160 bits in base32, as RFC 4226 recommends. */
export const generateTotpSecret = (): string => generateSecret();

/** Builds the `otpauth` URI that an authenticator app scans as a QR code. */
export function buildTotpUri(secret: string, account: string): string {
  return generateURI({ issuer: ISSUER, label: account, secret });
}

/** True if the text has the form of an authenticator app's code. Spaces are ignored. */
export const isTotpCode = (code: string): boolean => /^[0-9]{6}$/.test(removeGaps(code));

const removeGaps = (code: string): string => code.replaceAll(/\s/g, '');

/**
 * Returns the time step to which an authenticator app's code belongs: the current, the previous or the next
 * step. Null for a wrong code (RFC 6238, SHA-1).
 */
export function findTimeStep(secret: string, code: string, unixSeconds: number): number | null {
  if (!isTotpCode(code)) return null;
  const result = verifySync({
    secret,
    token: removeGaps(code),
    epoch: unixSeconds,
    digits: TOTP_DIGITS,
    period: TOTP_PERIOD_SECONDS,
    epochTolerance: TOTP_PERIOD_SECONDS,
  });
  return result.valid ? Math.floor(unixSeconds / TOTP_PERIOD_SECONDS) + result.delta : null;
}
