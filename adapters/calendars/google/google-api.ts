import { cutText } from '../../../core/text/cut-text.ts';
import { removeAddresses } from '../../../core/text/without-addresses.ts';
import { CalendarReconnect, CalendarRefused, CalendarUnavailable } from '../calendar-provider.ts';
import { sendToProvider, type ProviderHttp } from '../provider-http.ts';
import { parseRetryPause, toUnavailableError } from '../unavailability.ts';
import { asObject, readTextValue, type JsonObject } from '../../http/response-values.ts';
import { asObjects, asText, parseJsonObject } from './google-json.ts';

/** Provides the access token of a connected Google account. Only one process at a time renews the token. */
export interface GoogleAccess {
  token(): Promise<string>;
  /**
   * Returns a new access token in place of one that Google rejected.
   * @throws CalendarReconnect
   * @throws CalendarUnavailable
   */
  renew(rejectedToken: string): Promise<string>;
  revoke(signal?: AbortSignal): Promise<void>;
}

export interface GoogleCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path of the request below the base URL of Google's API, already URL-encoded. */
  path: string;
  query?: Record<string, string>;
  body?: JsonObject;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** A response of Google about the requested resource: a success, or a refusal such as 404. */
export interface GoogleResponse {
  status: number;
  body: JsonObject;
}

/**
 * Maximum number of characters that are read of an error message from Google. Longer messages are cut before
 * email addresses are removed from them.
 */
const MAX_READ_LENGTH = 4000;
const MAX_MESSAGE_LENGTH = 300;

/** Error reasons with which Google reports a rate limit in a response with status 403. */
const RATE_LIMIT_REASONS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'variableTermLimitExceeded',
  'calendarUsageLimitsExceeded',
]);
const SCOPE_LOST: ReadonlySet<string> = new Set([
  'insufficientPermissions',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
]);

/** Client of the Google Calendar REST API. */
export class GoogleApi {
  readonly #apiUrl: string;
  readonly #access: GoogleAccess;
  readonly #http: ProviderHttp;

  constructor(apiUrl: string, access: GoogleAccess, http: ProviderHttp) {
    this.#apiUrl = apiUrl.replace(/\/$/, '');
    this.#access = access;
    this.#http = http;
  }

  /**
   * Calls Google's API. Returns responses with a status up to 499, except 401, 403 and 429, which throw.
   * @throws CalendarRefused
   * @throws CalendarReconnect
   * @throws CalendarUnavailable
   */
  async call(call: GoogleCall): Promise<GoogleResponse> {
    const token = await this.#access.token();
    const first = await this.#requestWithToken(call, token);
    const response =
      first.status === 401 ? await this.#requestWithToken(call, await this.#access.renew(token)) : first;
    const { status, headers } = response;
    if (status === 401)
      throw new CalendarReconnect('Google no longer grants access; connect the calendar again.');
    const unavailableError = toUnavailableError(response, 'Google');
    if (unavailableError) throw unavailableError;
    const body = parseJsonObject(response.body);
    if (status === 403) throw toGoogleRefusal(body, headers);
    if (status >= 300 && status < 400)
      throw new CalendarUnavailable('Google’s Calendar API was not found at its URL.');
    if (status < 300 && status !== 204 && Object.keys(body).length === 0)
      throw new CalendarUnavailable('Google’s response could not be read.');
    return { status, body };
  }

  /** Calls Google's API, and returns the body of the response. Throws for every status except success. */
  async read(call: GoogleCall): Promise<JsonObject> {
    const { status, body } = await this.call(call);
    if (status < 300) return body;
    throw new CalendarRefused(describeGoogleError(body) ?? `Google rejected the request (status ${status}).`);
  }

  revoke(signal?: AbortSignal): Promise<void> {
    return this.#access.revoke(signal);
  }

  #requestWithToken(
    { method = 'GET', path, query = {}, body, headers = {}, signal }: GoogleCall,
    token: string,
  ) {
    const parameters = new URLSearchParams(query).toString();
    return sendToProvider(this.#http, {
      url: `${this.#apiUrl}${path}${parameters && `?${parameters}`}`,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
  }
}

/** Returns the `reason` values of an error response from Google. */
export function listErrorReasons(body: JsonObject): string[] {
  const error = asObject(body['error']);
  return [...asObjects(error['errors']), ...asObjects(error['details'])].flatMap(
    ({ reason }) => asText(reason) ?? [],
  );
}

/**
 * Returns the message of an error response from Google. Removes email addresses, which the message may quote
 * from the event.
 */
export function readErrorMessage(body: JsonObject): string | null {
  const message = readTextValue(asObject(body['error'])['message'], MAX_READ_LENGTH);
  return message === '' ? null : cutText(removeAddresses(message), MAX_MESSAGE_LENGTH);
}

function describeGoogleError(body: JsonObject): string | null {
  const message = readErrorMessage(body);
  return message && `Google says: ${message}`;
}

function toGoogleRefusal(body: JsonObject, headers: Record<string, string>): Error {
  const reasons = listErrorReasons(body);
  if (reasons.some((reason) => RATE_LIMIT_REASONS.has(reason)))
    return new CalendarUnavailable(
      'Google is not accepting more requests at the moment.',
      parseRetryPause(headers),
    );
  if (reasons.some((reason) => SCOPE_LOST.has(reason)))
    return new CalendarReconnect(
      'Google did not grant all permissions; connect the calendar again and keep every box checked.',
    );
  return new CalendarRefused(describeGoogleError(body) ?? 'Google does not permit the request.');
}
