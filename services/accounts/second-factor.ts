import { createHash } from 'node:crypto';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Account } from '../../repositories/accounts/account.ts';

/** Sign-in after the first factor. */
export interface Challenge {
  userId: string;
  /** Id of this sign-in attempt: a code is valid once for it. */
  attemptId: string;
  /** Digest of the account's password at the first factor. */
  passwordDigest: string;
}

interface SignedChallenge {
  sub: string;
  jti: string;
  pwd: string;
  exp: number;
}

/** Second step after the password or the mailed code. */
export class SecondFactor {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** Lifetime of a challenge. */
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

  /** Returns null for an invalid or expired challenge. */
  readChallenge(token: string): Challenge | null {
    const claims = this.#keyring.verify<SignedChallenge>('mfa-challenge', token);
    if (!claims || claims.exp <= unixSeconds(this.#clock)) return null;
    return { userId: claims.sub, attemptId: claims.jti, passwordDigest: claims.pwd };
  }

  /** Whether the account's password is the one that it had when the challenge was issued. */
  isCurrent({ passwordDigest }: Challenge, { passwordHash }: Pick<Account, 'passwordHash'>): boolean {
    return passwordDigest === digestPasswordHash(passwordHash);
  }
}

/** Returns a digest of the password's hash. Tokens may contain it, since the hash is salted. */
function digestPasswordHash(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');
}
