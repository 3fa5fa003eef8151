import { CalDavCalendar } from '../../../adapters/calendars/caldav/caldav-calendar.ts';
import {
  CalendarReconnect,
  CalendarUnavailable,
  type CalendarAccount,
} from '../../../adapters/calendars/calendar-provider.ts';
import { GoogleApi } from '../../../adapters/calendars/google/google-api.ts';
import { GoogleCalendar } from '../../../adapters/calendars/google/google-calendar.ts';
import { GoogleOAuth, type GrantedTokens } from '../../../adapters/calendars/google/google-oauth.ts';
import type { ProviderHttp } from '../../../adapters/calendars/provider-http.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import { resolveCalendarSettings } from '../calendar-settings.ts';
import { GoogleTokenStore } from './google-token-store.ts';
import { openCredentials, type CalendarCredentials } from './sealed-credentials.ts';

export interface CalendarAccountsDeps {
  connections: CalendarConnectionRepository;
  orgs: Pick<OrgRepository, 'getSettings'>;
  keyring: Keyring;
  http: ProviderHttp;
  settings: Pick<
    Settings,
    | 'googleClientId'
    | 'googleClientSecret'
    | 'googleAuthUrl'
    | 'googleTokenUrl'
    | 'googleRevokeUrl'
    | 'googleApiUrl'
  >;
}

/** Opens accounts at calendar providers, with the stored credentials of connections. */
export class CalendarAccounts {
  readonly #deps: CalendarAccountsDeps;
  /** Client for the OAuth sign-in at Google; undefined if the operator has configured none. */
  readonly google: GoogleOAuth | undefined;
  readonly #tokens: GoogleTokenStore | undefined;

  constructor(deps: CalendarAccountsDeps) {
    this.#deps = deps;
    const { connections, keyring, http, settings } = deps;
    const { googleClientId: clientId, googleClientSecret: clientSecret } = settings;
    if (clientId === undefined || clientSecret === undefined) return;
    const { googleAuthUrl: authUrl, googleTokenUrl: tokenUrl, googleRevokeUrl: revokeUrl } = settings;
    this.google = new GoogleOAuth({ clientId, clientSecret, authUrl, tokenUrl, revokeUrl }, http);
    this.#tokens = new GoogleTokenStore({ oauth: this.google, connections, keyring });
  }

  /**
   * Opens the calendar account of a connection.
   * @throws CalendarReconnect if the account's credentials cannot be used; CalendarUnavailable
   */
  async open(scope: OrgScope, connection: CalendarConnection): Promise<CalendarAccount> {
    const { keyring, http, settings } = this.#deps;
    const { id, provider, sealedCredentials } = connection;
    const timezone = await this.#findTimezone(scope, connection);
    const blocking = resolveCalendarSettings(connection);
    if (provider === 'google') {
      if (!this.#tokens) throw new CalendarUnavailable('Google is not set up in this installation.');
      const api = new GoogleApi(settings.googleApiUrl, this.#tokens.createAccess(scope, id), http);
      return new GoogleCalendar(api, timezone, blocking);
    }
    const credentials = sealedCredentials === null ? null : openCredentials(keyring, id, sealedCredentials);
    if (credentials?.provider !== 'caldav')
      throw new CalendarReconnect('The calendar is no longer connected.');
    return new CalDavCalendar(credentials, http, { timezone, blocking, payerId: await findPayerId(scope) });
  }

  /** Returns the time zone of the calendar's owner, which applies to calendars whose provider states none. */
  async #findTimezone(scope: OrgScope, { settings, providerTimezone }: CalendarConnection): Promise<string> {
    const timezone = settings.timezone ?? providerTimezone;
    if (timezone) return timezone;
    return (await this.#deps.orgs.getSettings(scope)).time_zone ?? 'UTC';
  }

  /** Opens a calendar account with credentials that are not stored yet. */
  openNew(credentials: CalendarCredentials): CalendarAccount {
    const { http, settings } = this.#deps;
    if (credentials.provider === 'caldav') return new CalDavCalendar(credentials, http);
    const access = {
      token: () => Promise.resolve(credentials.accessToken),
      renew: () =>
        Promise.reject(
          new CalendarReconnect(
            'Google rejects the access that it has just granted; connect the calendar again.',
          ),
        ),
      revoke: (signal?: AbortSignal) =>
        this.google?.revoke(credentials.refreshToken, signal) ?? Promise.resolve(),
    };
    return new GoogleCalendar(new GoogleApi(settings.googleApiUrl, access, http), 'UTC');
  }

  /** Returns the tokens from Google's response that Parley stores. */
  static toCredentials({ accessToken, renewAtMs, refreshToken }: GrantedTokens): CalendarCredentials {
    return { provider: 'google', accessToken, renewAtMs, refreshToken };
  }
}
