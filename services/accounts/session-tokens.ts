import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';

/** Content of an access token: its session and its workspace. */
export interface AccessClaims {
  sessionId: string;
  orgId: string | null;
}

/** A refresh token is good while its generation is its session's. */
export interface RefreshClaims {
  sessionId: string;
  generation: number;
}

interface SignedAccess {
  sid: string;
  org: string | null;
  exp: number;
}

interface SignedRefresh {
  sid: string;
  gen: number;
}

/** Signed, each kind with a key of its own: no token is good in the place of another. What they name is in `sessions`. */
export class SessionTokens {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** How long an access token is good. */
  readonly accessSeconds: number;

  constructor(keyring: Keyring, clock: Clock, accessSeconds: number) {
    this.#keyring = keyring;
    this.#clock = clock;
    this.accessSeconds = accessSeconds;
  }

  access({ sessionId, orgId }: AccessClaims): string {
    const claims: SignedAccess = {
      sid: sessionId,
      org: orgId,
      exp: unixSeconds(this.#clock) + this.accessSeconds,
    };
    return this.#keyring.sign('access-token', claims);
  }

  /** Null for what is no access token, or was one. */
  readAccess(token: string): AccessClaims | null {
    const claims = this.#keyring.verify<SignedAccess>('access-token', token);
    if (!claims || claims.exp <= unixSeconds(this.#clock)) return null;
    return { sessionId: claims.sid, orgId: claims.org };
  }

  /** Signs deterministically for each generation, so that a repeated request gets the same successor. */
  refresh({ sessionId, generation }: RefreshClaims): string {
    const claims: SignedRefresh = { sid: sessionId, gen: generation };
    return this.#keyring.sign('refresh-token', claims);
  }

  readRefresh(token: string): RefreshClaims | null {
    const claims = this.#keyring.verify<SignedRefresh>('refresh-token', token);
    return claims && { sessionId: claims.sid, generation: claims.gen };
  }
}
