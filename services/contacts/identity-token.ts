import { compactVerify, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { contactLimits } from '../../core/contacts/contact-details.ts';
import { isEmailAddress } from '../../core/contacts/email-address.ts';
import { validationError, type AppError } from '../../core/errors/errors.ts';

/** Identity of a visitor, as signed by the workspace's own server. */
export interface Identity {
  /** The `sub` claim of the identity token, which identifies the visitor. */
  subject: string;
  email: string | null;
}

const MAX_LIFETIME_SECONDS = 3600;
/** Allowed clock difference to the server that signs the identity tokens, in seconds. */
const SKEW_SECONDS = 30;
const MAX_SUBJECT_LENGTH = 255;
/**
 * Smallest number that is read as a time in milliseconds in an identity token. In seconds, it would be the
 * year 5138.
 */
const MIN_MILLISECONDS = 100_000_000_000;

const UNSIGNED = 'is not signed with HS256 and the identity secret of this bot';

const timeClaims = ['exp', 'iat', 'nbf'] as const;

const controlOrBroken = /[\p{Cc}\p{Cs}]/u;

/**
 * Verifies a visitor's identity token, a JWT (RFC 7519) that was signed with HS256, and returns the identity.
 * @throws AppError `validation_error` that explains why the token is invalid
 */
export async function readIdentityToken(token: string, secret: string, now: Date): Promise<Identity> {
  const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'exp'],
    currentDate: now,
    clockTolerance: SKEW_SECONDS,
  }).catch(async (error: unknown) => {
    if (/\s/.test(token)) throw tokenRefused('invalid', 'contains white space; send only the token', error);
    throw error instanceof errors.JWSSignatureVerificationFailed
      ? tokenRefused('invalid', `${UNSIGNED}; ${await adviseOnSecret(token, secret)}`, error)
      : toTokenError(error, token);
  });
  requireSeconds(payload);
  requireShortLifetime(payload, now.getTime() / 1000);
  return { subject: readSubject(payload), email: readEmailClaim(payload) };
}

/**
 * Rejects a time in an identity token that is not a number, or that is in milliseconds, which jose accepts.
 */
function requireSeconds(payload: JWTPayload, cause?: unknown): void {
  for (const claim of timeClaims) {
    const time: unknown = payload[claim];
    if (time === undefined) continue;
    if (typeof time !== 'number')
      throw tokenRefused(
        'invalid',
        `has a claim ${claim} that is not a number; use seconds since 1970`,
        cause,
      );
    if (time >= MIN_MILLISECONDS)
      throw tokenRefused('invalid', `has the claim ${claim} in milliseconds; use seconds`, cause);
  }
}

/**
 * Checks that the identity token is valid now, and for an hour at most. A token without `iat` gets no
 * allowance for clock differences.
 */
function requireShortLifetime({ exp = 0, iat }: JWTPayload, now: number): void {
  if (exp <= now) throw tokenExpired(exp);
  const maxRemaining = iat === undefined ? MAX_LIFETIME_SECONDS : MAX_LIFETIME_SECONDS + SKEW_SECONDS;
  if (exp > now + maxRemaining || exp - (iat ?? now) > MAX_LIFETIME_SECONDS)
    throw tokenRefused('invalid', 'must expire (exp) within an hour');
  if (iat !== undefined && iat > now + SKEW_SECONDS)
    throw tokenRefused('invalid', `is issued (iat) in the future, at ${formatTime(iat)}; check the clock`);
}

function readSubject({ sub }: { sub?: unknown }): string {
  if (typeof sub !== 'string')
    throw tokenRefused('invalid', `must identify the visitor (sub) with a string, as in "sub": "17"`);
  const isText = sub.trim() !== '' && sub.length <= MAX_SUBJECT_LENGTH;
  if (isText && !controlOrBroken.test(sub)) return sub;
  throw tokenRefused('invalid', `must identify the visitor (sub) with 1 to ${MAX_SUBJECT_LENGTH} characters`);
}

function readEmailClaim({ email = null }: JWTPayload): string | null {
  if (email === null) return null;
  if (typeof email === 'string' && email.length <= contactLimits.email && isEmailAddress(email)) return email;
  throw tokenRefused('invalid', 'has an invalid email address (email)');
}

function toTokenError(error: unknown, token: string): unknown {
  if (error instanceof errors.JWTExpired) return tokenExpired(error.payload.exp ?? 0, error);
  if (error instanceof errors.JWTClaimValidationFailed) {
    requireSeconds(error.payload, error);
    return tokenRefused('invalid', describeClaim(error), error);
  }
  if (error instanceof errors.JWSInvalid)
    return tokenRefused('invalid', 'is not a JWT (three base64url parts separated by dots)', error);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return tokenRefused('invalid', `${UNSIGNED}; its header has the alg ${readAlgorithm(token)}`, error);
  if (error instanceof errors.JOSEError)
    return tokenRefused('invalid', `${UNSIGNED}; use the whole secret, including idsec_`, error);
  return error;
}

/**
 * Returns advice if the identity secret was changed before it signed the token, such as decoded from base64.
 */
async function adviseOnSecret(token: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const bare = secret.replace(/^[a-z]+_/, '');
  const changed: [key: Uint8Array, advice: string][] = [
    [encoder.encode(`${secret}\n`), 'remove the line break at the end of the secret'],
    [Buffer.from(bare, 'base64'), 'use the secret as text, without decoding it from base64'],
  ];
  for (const [key, advice] of changed) if (await isSignedWith(token, key)) return advice;
  return 'use the whole secret, including idsec_';
}

function isSignedWith(token: string, key: Uint8Array): Promise<boolean> {
  return compactVerify(token, key, { algorithms: ['HS256'] }).then(
    () => true,
    () => false,
  );
}

/** Returns the algorithm in the identity token's header, if it looks like one. */
function readAlgorithm(token: string): string {
  const { alg = '' } = decodeProtectedHeader(token);
  return /^[\w-]{1,20}$/.test(alg) ? alg : 'of an unknown name';
}

function describeClaim({ claim, reason, payload: { nbf } }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `lacks the claim ${claim}`;
  return claim === 'nbf' && nbf !== undefined
    ? `is not valid before ${formatTime(nbf)} (nbf); check the clock`
    : `has no valid claim ${claim}`;
}

function tokenExpired(exp: number, cause?: unknown): AppError {
  const message = `expired at ${formatTime(exp)}; sign a new one, or check the clock that set exp`;
  return tokenRefused('expired', message, cause);
}

/** Formats seconds since 1970 as a date. Numbers beyond the range of dates stay unchanged. */
function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

function tokenRefused(code: 'expired' | 'invalid', message: string, cause?: unknown): AppError {
  return validationError([{ field: 'identity_token', in: 'body', code, message }], cause);
}
