import { setTimeout as sleep } from 'node:timers/promises';
import { CalendarReconnect, CalendarUnavailable } from '../../../adapters/calendars/calendar-provider.ts';
import type { GoogleAccess } from '../../../adapters/calendars/google/google-api.ts';
import type { GoogleOAuth, GoogleTokens } from '../../../adapters/calendars/google/google-oauth.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { openCredentials, sealCredentials } from './sealed-credentials.ts';

/**
 * Seconds for which only one process may renew a Google account's access token. Longer than a renewal request
 * takes.
 */
const LEASE_SECONDS = 30;
const POLL_MS = 50;
const MAX_WAIT_MS = 35_000;

export interface GoogleTokenStoreDeps {
  oauth: GoogleOAuth;
  connections: CalendarConnectionRepository;
  keyring: Keyring;
}

interface StoredTokens {
  tokens: GoogleTokens;
  sealed: string;
}

/**
 * Provides access tokens for Google calendar accounts. One process renews an expired token, and all other
 * processes wait for the new token.
 */
export class GoogleTokenStore {
  readonly #deps: GoogleTokenStoreDeps;
  readonly #renewals = new Map<string, Promise<string>>();

  constructor(deps: GoogleTokenStoreDeps) {
    this.#deps = deps;
  }

  createAccess(callerScope: OrgScope, connectionId: string): GoogleAccess {
    // Stores renewed tokens outside the caller's transaction, so that a rollback of that transaction does not
    // lose the tokens.
    const scope = { orgId: callerScope.orgId, db: callerScope.db.withoutTransaction };
    return {
      token: async () => {
        const { tokens } = await this.#loadTokens(scope, connectionId);
        const isGood = tokens.renewAtMs > Date.now();
        return isGood ? tokens.accessToken : this.#renewShared(scope, connectionId, tokens.accessToken);
      },
      renew: (oldToken) => this.#renewShared(scope, connectionId, oldToken),
      revoke: async (signal) => {
        const { tokens } = await this.#loadTokens(scope, connectionId);
        await this.#deps.oauth.revoke(tokens.refreshToken, signal);
      },
    };
  }

  #renewShared(scope: OrgScope, connectionId: string, oldToken: string): Promise<string> {
    const running = this.#renewals.get(connectionId);
    if (running) return running;
    const renewal = this.#renewOnce(scope, connectionId, oldToken).finally(() =>
      this.#renewals.delete(connectionId),
    );
    this.#renewals.set(connectionId, renewal);
    return renewal;
  }

  /**
   * Renews a Google account's access token if this process gets the lease. Otherwise polls for the token that
   * another process renews.
   */
  async #renewOnce(scope: OrgScope, connectionId: string, oldToken: string): Promise<string> {
    const { connections } = this.#deps;
    const giveUpAt = performance.now() + MAX_WAIT_MS;
    while (performance.now() < giveUpAt) {
      const storedTokens = await this.#loadTokens(scope, connectionId);
      const { accessToken, renewAtMs } = storedTokens.tokens;
      if (accessToken !== oldToken && renewAtMs > Date.now()) return accessToken;
      if (await connections.claimRefresh(scope, connectionId, storedTokens.sealed, LEASE_SECONDS))
        return this.#renew(scope, connectionId, storedTokens);
      await sleep(POLL_MS);
    }
    throw new CalendarUnavailable('Access to Google could not be renewed in time.');
  }

  async #renew(scope: OrgScope, connectionId: string, { tokens, sealed }: StoredTokens): Promise<string> {
    const { oauth, connections, keyring } = this.#deps;
    try {
      const renewed = await oauth.renew(tokens.refreshToken);
      const next = sealCredentials(keyring, connectionId, { provider: 'google', ...renewed });
      await connections.storeRefreshed(scope, connectionId, sealed, next);
      return renewed.accessToken;
    } catch (error) {
      await connections.endRefresh(scope, connectionId, sealed);
      throw error;
    }
  }

  async #loadTokens(scope: OrgScope, connectionId: string): Promise<StoredTokens> {
    const connection = await this.#deps.connections.find(scope, connectionId);
    const sealed = connection?.sealedCredentials;
    if (!connection || !sealed) throw new CalendarReconnect('The calendar is no longer connected.');
    if (connection.health === 'reconnect_needed')
      throw new CalendarReconnect(connection.lastError ?? 'Connect the calendar again.');
    const credentials = openCredentials(this.#deps.keyring, connectionId, sealed);
    if (credentials.provider !== 'google')
      throw new CalendarReconnect('A different calendar is connected now.');
    return { tokens: credentials, sealed };
  }
}
