import { createHash } from 'node:crypto';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Account } from '../../repositories/accounts/account.ts';

/** State of a sign-in after the first factor, contained in a signed token. */
export interface Challenge {
  userId: string;
  /** Id of this challenge, which can be answered only once. */
  attemptId: string;
  /** Digest of the account's password hash at the time of the first factor. */
  passwordDigest: string;
}

interface SignedChallenge {
  sub: string;
  jti: string;
  pwd: string;
  exp: number;
}

/** Issues and reads challenges: tokens with which a client continues a sign-in after the first factor. */
export class SecondFactor {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** Lifetime of a challenge, in seconds. */
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

  /** Reads a challenge from its token; null if it is invalid or expired. */
  readChallenge(token: string): Challenge | null {
    const claims = this.#keyring.verify<SignedChallenge>('mfa-challenge', token);
    if (!claims || claims.exp <= unixSeconds(this.#clock)) return null;
    return { userId: claims.sub, attemptId: claims.jti, passwordDigest: claims.pwd };
  }

  /** True if the account still has the password with which the challenge was issued. */
  isCurrent({ passwordDigest }: Challenge, { passwordHash }: Pick<Account, 'passwordHash'>): boolean {
    return passwordDigest === digestPasswordHash(passwordHash);
  }
}

/** Returns a digest of the password's hash. The hash is salted, so tokens may contain the digest. */
function digestPasswordHash(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');
}
