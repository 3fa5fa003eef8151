import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';

export const CHALLENGE_SECONDS = 5 * 60;

/** Somebody who has shown the first factor. */
export interface Challenge {
  userId: string;
  /** Of this attempt to sign in: what answers it once does not answer it again. */
  attemptId: string;
}

interface SignedChallenge {
  sub: string;
  jti: string;
  exp: number;
}

/** What is asked for after the password or the mailed code. */
export class SecondFactor {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(keyring: Keyring, clock: Clock) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  challenge({ userId, attemptId }: Challenge): string {
    const exp = unixSeconds(this.#clock) + CHALLENGE_SECONDS;
    const claims: SignedChallenge = { sub: userId, jti: attemptId, exp };
    return this.#keyring.sign('mfa-challenge', claims);
  }

  /** Null for what is no challenge, or was one. */
  readChallenge(token: string): Challenge | null {
    const claims = this.#keyring.verify<SignedChallenge>('mfa-challenge', token);
    if (!claims || claims.exp <= unixSeconds(this.#clock)) return null;
    return { userId: claims.sub, attemptId: claims.jti };
  }
}
