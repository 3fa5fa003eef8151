import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';

/** Content of an access token: the session and its current workspace. */
export interface AccessClaims {
  sessionId: string;
  orgId: string | null;
}

/** Content of a refresh token. The token is valid while its generation equals the session's generation. */
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

/**
 * Signs and reads the tokens of user sessions. Each kind of token has its own key, so that one kind is never
 * accepted as another.
 */
export class SessionTokens {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** Lifetime of an access token, in seconds. */
  readonly accessSeconds: number;

  constructor(keyring: Keyring, clock: Clock, accessSeconds: number) {
    this.#keyring = keyring;
    this.#clock = clock;
    this.accessSeconds = accessSeconds;
  }

  signAccess({ sessionId, orgId }: AccessClaims): string {
    const claims: SignedAccess = {
      sid: sessionId,
      org: orgId,
      exp: unixSeconds(this.#clock) + this.accessSeconds,
    };
    return this.#keyring.sign('access-token', claims);
  }

  /** Reads an access token; null if it is invalid or expired. */
  readAccess(token: string): AccessClaims | null {
    const claims = this.#keyring.verify<SignedAccess>('access-token', token);
    if (!claims || claims.exp <= unixSeconds(this.#clock)) return null;
    return { sessionId: claims.sid, orgId: claims.org };
  }

  /**
   * Signs the refresh token of a session. The same generation always gives the same token, so that a repeated
   * request gets the same new token.
   */
  signRefresh({ sessionId, generation }: RefreshClaims): string {
    const claims: SignedRefresh = { sid: sessionId, gen: generation };
    return this.#keyring.sign('refresh-token', claims);
  }

  readRefresh(token: string): RefreshClaims | null {
    const claims = this.#keyring.verify<SignedRefresh>('refresh-token', token);
    return claims && { sessionId: claims.sid, generation: claims.gen };
  }
}
