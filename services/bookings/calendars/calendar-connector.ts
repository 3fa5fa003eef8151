import { discoverCalDav } from '../../../adapters/calendars/caldav/caldav-calendar.ts';
import {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
} from '../../../adapters/calendars/calendar-provider.ts';
import { listMissingScopes } from '../../../adapters/calendars/google/google-oauth.ts';
import type { ProviderHttp } from '../../../adapters/calendars/provider-http.ts';
import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import { AppError, notFound } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import {
  calendarProviders,
  type CalendarAttempt,
  type CalendarProviderName,
} from '../../../entities/bookings/calendar-connection.entity.ts';
import type { Device } from '../../../repositories/accounts/session.repository.ts';
import { CalendarAccounts } from './calendar-accounts.ts';
import type { AttemptFault, AttemptStart, CalendarAttempts } from './calendar-attempts.ts';
import type { CalendarConnectionStore } from './calendar-connection-store.ts';
import type { CalendarCredentials } from './sealed-credentials.ts';

/**
 * Time limit for all calls of the calendar provider while a browser waits for the response, in milliseconds.
 */
const MAX_PROVIDER_MS = 20_000;
const WRONG_PASSWORD =
  'The server does not accept this user name and password. Check that you entered an app password.';

export interface CalendarConnectorDeps {
  accounts: CalendarAccounts;
  attempts: CalendarAttempts;
  connectionStore: CalendarConnectionStore;
  http: ProviderHttp;
  settings: Pick<Settings, 'baseUrl'>;
}

export interface CalendarCallback {
  state: string;
  code?: string;
  error?: string;
}

/**
 * The browser that a calendar provider redirects back to Parley. `isNavigating` is true if the browser shows
 * the response to a person.
 */
export interface ReturningBrowser {
  browser: string | undefined;
  isNavigating: boolean;
  device: Device;
}

export type ConnectResult = 'connected' | 'unavailable' | 'scope' | AttemptFault;

export interface CalDavLogin {
  serverUrl: string;
  username: string;
  password: string;
}

/** Connects calendar accounts: starts attempts, and handles the redirect back from the provider. */
export class CalendarConnector {
  readonly #deps: CalendarConnectorDeps;

  constructor(deps: CalendarConnectorDeps) {
    this.#deps = deps;
  }

  /** Starts an attempt. @throws AppError `not_found` for a provider that is unknown or not configured */
  async begin(
    scope: OrgScope,
    name: string,
    start: Omit<AttemptStart, 'provider'>,
  ): Promise<{
    id: string;
    provider: CalendarProviderName;
    authorizationUrl: string;
    browser: string | null;
  }> {
    const { accounts, attempts } = this.#deps;
    const provider = calendarProviders.find((each) => each === name);
    if (!provider) throw notFound('calendar provider');
    if (provider === 'google' && !accounts.google)
      throw new AppError(
        'not_found',
        'Google calendars are not set up in this installation: the operator has to set PARLEY_GOOGLE_CLIENT_ID and PARLEY_GOOGLE_CLIENT_SECRET.',
      );
    const { id, state, secret, browser } = await attempts.begin(scope, { ...start, provider });
    return { id, provider, authorizationUrl: this.#authorizationUrl(provider, state, secret), browser };
  }

  /**
   * Uses the attempt and connects the calendar account. Returns `confirm` if an API key started the attempt:
   * the person at this browser must then agree first.
   */
  async finish(
    db: Database,
    provider: string,
    { state, code, error }: CalendarCallback,
    { browser, isNavigating, device }: ReturningBrowser,
  ): Promise<ConnectResult | 'confirm'> {
    const { attempts } = this.#deps;
    if (isNavigating && provider === 'google') {
      const inspectedAttempt = await attempts.inspect(db, provider, state, browser);
      if (
        typeof inspectedAttempt !== 'string' &&
        inspectedAttempt.browserDigest === null &&
        error === undefined
      )
        return 'confirm';
    }
    const attempt = await attempts.claim(db, provider, state, browser);
    if (typeof attempt === 'string') return attempt;
    if (error !== undefined) return 'refused';
    try {
      return await this.#connect({ orgId: attempt.orgId, db }, { attempt, code, device });
    } catch (failure) {
      if (failure instanceof CalendarRefused || failure instanceof CalendarReconnect) return 'refused';
      if (failure instanceof CalendarUnavailable) return 'unavailable';
      throw failure;
    }
  }

  /**
   * Returns the name of the workspace to which the calendar will be connected; null if this browser may not
   * use the attempt.
   */
  async inspect(
    db: Database,
    provider: string,
    state: string,
    browser: string | undefined,
  ): Promise<{ orgName: string } | AttemptFault> {
    const attempt = await this.#deps.attempts.inspect(db, provider, state, browser);
    return typeof attempt === 'string'
      ? attempt
      : { orgName: await this.#deps.attempts.getOrgName(db, attempt) };
  }

  /**
   * Binds the attempt to connect a calendar to this browser after a person agreed. Returns the secret for the
   * browser's cookie.
   */
  bind(db: Database, state: string, browser: string | undefined): Promise<string> {
    return this.#deps.attempts.bind(db, state, browser);
  }

  /**
   * Signs in to a CalDAV server, and stores the login for the callback. Returns an error message, or null on
   * success.
   * @param countHost counts the attempt for a host that receives the password; returns the seconds to wait
   *   before sending the password to this host, or 0
   */
  async trySignIn(
    db: Database,
    state: string,
    login: CalDavLogin,
    countHost: (host: string) => Promise<number>,
  ): Promise<string | null> {
    try {
      await this.#signIn(db, state, login, countHost);
      return null;
    } catch (error) {
      if (error instanceof CalendarReconnect) return WRONG_PASSWORD;
      if (error instanceof CalendarRefused || error instanceof CalendarUnavailable) return error.message;
      throw error;
    }
  }

  async #signIn(
    db: Database,
    state: string,
    login: CalDavLogin,
    countHost: (host: string) => Promise<number>,
  ): Promise<void> {
    const { attempts, accounts } = this.#deps;
    const http = limitSignIns(this.#deps.http, countHost);
    const signal = AbortSignal.timeout(MAX_PROVIDER_MS);
    const credentials = { provider: 'caldav' as const, ...(await discoverCalDav(login, http, signal)) };
    const calendars = await accounts.openNew(credentials).listCalendars({ signal });
    if (!calendars.some(({ canWrite }) => canWrite))
      throw new CalendarRefused('This account has no writable calendar.');
    await attempts.storeInput(db, state, JSON.stringify(credentials));
  }

  async #connect(
    scope: OrgScope,
    { attempt, code, device }: { attempt: CalendarAttempt; code: string | undefined; device: Device },
  ): Promise<ConnectResult> {
    const { attempts, accounts, connectionStore } = this.#deps;
    const { provider, userId, keyId } = attempt;
    const actor = { userId, keyId, device };
    if (provider === 'local') {
      const connection = await connectionStore.store(scope, {
        provider,
        actor,
        credentials: null,
        calendars: [],
      });
      return connection ? 'connected' : 'refused';
    }
    const secret = attempts.openSecret(attempt);
    const credentials =
      provider === 'google' ? await this.#redeem(code, secret) : parseCalDavCredentials(secret);
    if (typeof credentials === 'string') return credentials;
    const calendars = await accounts
      .openNew(credentials)
      .listCalendars({ signal: AbortSignal.timeout(MAX_PROVIDER_MS) });
    if (await connectionStore.store(scope, { provider, actor, credentials, calendars })) return 'connected';
    // Revokes the token now: it is not stored, so nothing could revoke it later.
    if (credentials.provider === 'google')
      await accounts.google?.revoke(credentials.refreshToken).catch(() => undefined);
    return 'refused';
  }

  async #redeem(
    code: string | undefined,
    codeVerifier: string,
  ): Promise<CalendarCredentials | 'refused' | 'scope'> {
    const { google } = this.#deps.accounts;
    if (code === undefined || !google) return 'refused';
    const granted = await google.redeem(code, { redirectUri: this.#callbackUrl('google'), codeVerifier });
    if (listMissingScopes(granted.scopes).length === 0) return CalendarAccounts.toCredentials(granted);
    // The person has not granted all permissions: revoke the token, since Parley cannot use it.
    await google.revoke(granted.refreshToken).catch(() => undefined);
    return 'scope';
  }

  #authorizationUrl(provider: CalendarProviderName, state: string, secret: string): string {
    const { accounts, settings } = this.#deps;
    const redirectUri = this.#callbackUrl(provider);
    if (provider === 'google')
      return accounts.google!.buildAuthorizationUrl({ redirectUri, state, codeVerifier: secret });
    const page = provider === 'caldav' ? `${settings.baseUrl}/calendar/caldav` : redirectUri;
    return `${page}?${new URLSearchParams({ state }).toString()}`;
  }

  #callbackUrl(provider: CalendarProviderName): string {
    return `${this.#deps.settings.baseUrl}/api/calendar/${provider}/callback`;
  }
}

/**
 * Wraps the HTTP client of a CalDAV server, so that it refuses to send a password to a host with too many
 * attempts.
 */
function limitSignIns(
  { outbound, timeoutMs }: ProviderHttp,
  countHost: (host: string) => Promise<number>,
): ProviderHttp {
  const request: ProviderHttp['outbound']['request'] = async (options) => {
    const host = new URL(options.url).hostname;
    const waitSeconds = await countHost(host);
    if (waitSeconds === 0) return outbound.request(options);
    throw new OutboundError('refused', `Too many sign-in attempts at ${host}; wait ${waitSeconds} s.`);
  };
  return { outbound: { request }, timeoutMs };
}

/** Parses the stored CalDAV login. Returns `refused` if the person has entered no login. */
function parseCalDavCredentials(secret: string): CalendarCredentials | 'refused' {
  return secret.startsWith('{') ? (JSON.parse(secret) as CalendarCredentials) : 'refused';
}
