import { createHash } from 'node:crypto';
import { limitWaitMs } from '../../../core/concurrency/backoff.ts';
import { CalendarReconnect, CalendarRefused, CalendarUnavailable } from '../calendar-provider.ts';
import { sendToProvider, type ProviderHttp } from '../provider-http.ts';
import { parseRetryPause, toUnavailableError } from '../unavailability.ts';
import { readTextValue } from '../../http/response-values.ts';
import { parseJsonObject } from './google-json.ts';

const SCOPE = 'https://www.googleapis.com/auth/calendar';
/** OAuth scopes that Parley needs to write events, read busy times, and list calendars. */
const GOOGLE_SCOPES = [`${SCOPE}.events`, `${SCOPE}.freebusy`, `${SCOPE}.calendarlist.readonly`];

const MAX_RESPONSE_BYTES = 64 * 1024;
/**
 * Time in milliseconds before expiry at which Google's access token is renewed, so that no token expires
 * during a request.
 */
const RENEW_BEFORE_EXPIRY_MS = 60_000;
const DEFAULT_LIFE_SECONDS = 3600;
const MAX_LIFE_MS = 24 * 3_600_000;

export interface GoogleClient {
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  revokeUrl: string;
}

export interface GoogleTokens {
  accessToken: string;
  /** Time from which the access token must be renewed, in milliseconds since the epoch. */
  renewAtMs: number;
  refreshToken: string;
}

export interface GrantedTokens extends GoogleTokens {
  /** OAuth scopes that the calendar's owner granted, possibly fewer than requested. */
  scopes: string[];
}

export interface GoogleRequest {
  redirectUri: string;
  state: string;
  codeVerifier: string;
}

const TESTING_HINT =
  'If the status of your Google app is “Testing”, access ends after seven days. Publish the app at Google.';

/** Client of Google's OAuth server. Uses the authorization code flow with PKCE and offline access. */
export class GoogleOAuth {
  readonly #client: GoogleClient;
  readonly #http: ProviderHttp;

  constructor(client: GoogleClient, http: ProviderHttp) {
    this.#client = client;
    this.#http = http;
  }

  buildAuthorizationUrl({ redirectUri, state, codeVerifier }: GoogleRequest): string {
    const url = new URL(this.#client.authUrl);
    const parameters = {
      client_id: this.#client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: GOOGLE_SCOPES.join(' '),
      state,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'false',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Exchanges an authorization code from Google for tokens.
   * @throws CalendarRefused if the code is invalid
   * @throws CalendarUnavailable
   */
  async redeem(
    code: string,
    { redirectUri, codeVerifier }: Omit<GoogleRequest, 'state'>,
  ): Promise<GrantedTokens> {
    const answer = await this.#requestTokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
    if (answer === 'refused') throw new CalendarRefused('Google did not accept the authorization code.');
    const { refresh_token: refreshToken, scope } = answer;
    if (typeof refreshToken !== 'string' || refreshToken === '')
      throw new CalendarUnavailable('Google granted only temporary access.');
    return {
      ...toGoogleAccess(answer),
      refreshToken,
      scopes: typeof scope === 'string' ? scope.split(' ') : [],
    };
  }

  /**
   * Requests a new access token from Google with the refresh token.
   * @throws CalendarReconnect if the access was revoked
   * @throws CalendarUnavailable
   */
  async renew(refreshToken: string): Promise<GoogleTokens> {
    const answer = await this.#requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
    if (answer === 'refused')
      throw new CalendarReconnect(
        `Google no longer grants access; connect the calendar again. ${TESTING_HINT}`,
      );
    const { refresh_token: next } = answer;
    return { ...toGoogleAccess(answer), refreshToken: typeof next === 'string' ? next : refreshToken };
  }

  /**
   * Revokes Parley's refresh token at Google. An already invalid token counts as revoked.
   * @throws CalendarUnavailable
   * @throws CalendarRefused
   */
  async revoke(refreshToken: string, signal?: AbortSignal): Promise<void> {
    const response = await sendToProvider(this.#http, {
      url: this.#client.revokeUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: refreshToken }).toString(),
      maxBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    const failure = toUnavailableError(response, 'Google');
    if (failure) throw failure;
  }

  async #requestTokens(parameters: Record<string, string>): Promise<Record<string, unknown> | 'refused'> {
    const { clientId, clientSecret, tokenUrl } = this.#client;
    const response = await sendToProvider(this.#http, {
      url: tokenUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        ...parameters,
        client_id: clientId,
        client_secret: clientSecret,
      }).toString(),
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const answer = parseJsonObject(response.body);
    if (response.status === 200 && typeof answer['access_token'] === 'string') return answer;
    if (answer['error'] === 'invalid_grant') return 'refused';
    throw (
      toUnavailableError(response, 'Google') ??
      new CalendarUnavailable(
        `Google does not grant access to this installation (${readTextValue(answer['error'], 100) || response.status}); its operator can check PARLEY_GOOGLE_CLIENT_ID and PARLEY_GOOGLE_CLIENT_SECRET.`,
        parseRetryPause(response.headers),
      )
    );
  }
}

/** Returns the OAuth scopes that Parley requested but the calendar's owner did not grant. */
export function listMissingScopes(granted: readonly string[]): string[] {
  const all = granted.includes(SCOPE);
  return GOOGLE_SCOPES.filter(
    (scope) =>
      !all &&
      !granted.includes(scope) &&
      !(scope.endsWith('.readonly') && granted.includes(scope.replace(/\.readonly$/, ''))),
  );
}

function toGoogleAccess(answer: Record<string, unknown>): Pick<GoogleTokens, 'accessToken' | 'renewAtMs'> {
  const { access_token: accessToken, expires_in: seconds } = answer;
  const life = typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_LIFE_SECONDS;
  const lifeMs = limitWaitMs(life * 1000 - RENEW_BEFORE_EXPIRY_MS, MAX_LIFE_MS);
  return { accessToken: String(accessToken), renewAtMs: Date.now() + lifeMs };
}
