import { setTimeout as sleep } from 'node:timers/promises';
import { CalendarReconnect, CalendarUnavailable } from '../../../adapters/calendars/calendar-provider.ts';
import type { GoogleAccess } from '../../../adapters/calendars/google/google-api.ts';
import type { GoogleOAuth, GoogleTokens } from '../../../adapters/calendars/google/google-oauth.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { openCredentials, sealCredentials } from './sealed-credentials.ts';

/** Longer than a token call may take. */
const LEASE_SECONDS = 30;
const LOOK_MS = 50;
const LONGEST_WAIT_MS = 35_000;

export interface GoogleTokenKeeperDeps {
  oauth: GoogleOAuth;
  connections: CalendarConnectionRepository;
  keyring: Keyring;
}

interface KeptTokens {
  tokens: GoogleTokens;
  sealed: string;
}

/** The tokens of Google accounts: of all processes one renews them, and the others wait for what it gets. */
export class GoogleTokenKeeper {
  readonly #deps: GoogleTokenKeeperDeps;
  readonly #renewals = new Map<string, Promise<string>>();

  constructor(deps: GoogleTokenKeeperDeps) {
    this.#deps = deps;
  }

  accessTo(given: OrgScope, connectionId: string): GoogleAccess {
    // Tokens are kept whatever becomes of the caller's transaction.
    const scope = { orgId: given.orgId, db: given.db.outside };
    return {
      token: async () => {
        const { tokens } = await this.#kept(scope, connectionId);
        const isGood = tokens.renewAtMs > Date.now();
        return isGood ? tokens.accessToken : this.#renewed(scope, connectionId, tokens.accessToken);
      },
      renewed: (refused) => this.#renewed(scope, connectionId, refused),
      revoke: async (signal) => {
        const { tokens } = await this.#kept(scope, connectionId);
        await this.#deps.oauth.revoke(tokens.refreshToken, signal);
      },
    };
  }

  #renewed(scope: OrgScope, connectionId: string, refused: string): Promise<string> {
    const running = this.#renewals.get(connectionId);
    if (running) return running;
    const renewal = this.#renewOnce(scope, connectionId, refused).finally(() =>
      this.#renewals.delete(connectionId),
    );
    this.#renewals.set(connectionId, renewal);
    return renewal;
  }

  /** Whoever has the lease asks; the others look until there is another token. */
  async #renewOnce(scope: OrgScope, connectionId: string, refused: string): Promise<string> {
    const { connections } = this.#deps;
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    while (performance.now() < giveUpAt) {
      const kept = await this.#kept(scope, connectionId);
      const { accessToken, renewAtMs } = kept.tokens;
      if (accessToken !== refused && renewAtMs > Date.now()) return accessToken;
      if (await connections.claimRefresh(scope, connectionId, kept.sealed, LEASE_SECONDS))
        return this.#renew(scope, connectionId, kept);
      await sleep(LOOK_MS);
    }
    throw new CalendarUnavailable('The access to Google could not be renewed in time.');
  }

  async #renew(scope: OrgScope, connectionId: string, { tokens, sealed }: KeptTokens): Promise<string> {
    const { oauth, connections, keyring } = this.#deps;
    try {
      const renewed = await oauth.renew(tokens.refreshToken);
      const next = sealCredentials(keyring, connectionId, { provider: 'google', ...renewed });
      await connections.keepRefreshed(scope, connectionId, sealed, next);
      return renewed.accessToken;
    } catch (error) {
      await connections.endRefresh(scope, connectionId, sealed);
      throw error;
    }
  }

  async #kept(scope: OrgScope, connectionId: string): Promise<KeptTokens> {
    const connection = await this.#deps.connections.find(scope, connectionId);
    const sealed = connection?.sealedCredentials;
    if (!connection || !sealed) throw new CalendarReconnect('The calendar is not connected any more.');
    if (connection.health === 'reconnect_needed')
      throw new CalendarReconnect(connection.lastError ?? 'Connect the calendar again.');
    const credentials = openCredentials(this.#deps.keyring, connectionId, sealed);
    if (credentials.provider !== 'google') throw new CalendarReconnect('The calendar is another one now.');
    return { tokens: credentials, sealed };
  }
}
