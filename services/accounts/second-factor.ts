import { createHash } from 'node:crypto';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Account } from '../../repositories/accounts/account.ts';

/** Data of a sign-in that still requires the second factor. A signed token contains them. */
export interface Challenge {
  userId: string;
  /** Id of this second-factor challenge, which can be answered only once. */
  attemptId: string;
  /** Digest of the account's password hash at the time when the user gave the password. */
  passwordDigest: string;
}

interface SignedChallenge {
  sub: string;
  jti: string;
  pwd: string;
  exp: number;
}

/**
 * Issues and reads second-factor challenges: tokens with which a client continues a sign-in after the first
 * factor.
 */
export class SecondFactor {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** Lifetime of a second-factor challenge, in seconds. */
  readonly challengeSeconds: number;

  constructor(keyring: Keyring, clock: Clock, challengeSeconds: number) {
    this.#keyring = keyring;
    this.#clock = clock;
    this.challengeSeconds = challengeSeconds;
  }

  createChallenge({ id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>): string {
    const exp = unixSeconds(this.#clock) + this.challengeSeconds;
    const claims: SignedChallenge = { sub: id, jti: newId(), pwd: digestPasswordHash(passwordHash), exp };
    return this.#keyring.sign('mfa-challenge', claims);
  }

  /** Reads a second-factor challenge from its token; null if the token is invalid or expired. */
  readChallenge(token: string): Challenge | null {
    const claims = this.#keyring.verify<SignedChallenge>('mfa-challenge', token);
    if (!claims || claims.exp <= unixSeconds(this.#clock)) return null;
    return { userId: claims.sub, attemptId: claims.jti, passwordDigest: claims.pwd };
  }

  /** True if the account's password has not changed since the second-factor challenge was issued. */
  isCurrent({ passwordDigest }: Challenge, { passwordHash }: Pick<Account, 'passwordHash'>): boolean {
    return passwordDigest === digestPasswordHash(passwordHash);
  }
}

/**
 * Returns a digest of a password's hash, for use in tokens. The hash is salted, so the digest reveals
 * nothing.
 */
function digestPasswordHash(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');
}
