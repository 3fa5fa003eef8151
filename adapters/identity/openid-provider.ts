import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  skipStateCheck,
  type Configuration,
} from 'openid-client';
import { AppError } from '../../core/errors/errors.ts';
import { isEmailAddress } from '../../core/contacts/email-address.ts';
import type { ClaimNames, IdentityProvider } from '../../core/accounts/identity-providers.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { findResponseExcess } from './response-excess.ts';

const TIMEOUT_MS = 10_000;
/**
 * Maximum size in bytes of an OpenID issuer's response, more than any issuer's metadata, keys or user data.
 */
const MAX_RESPONSE_BYTES = 256 * 1024;
/**
 * Matches a subject identifier, the issuer's id of a person: up to 255 ASCII characters (OpenID Connect Core,
 * 2).
 */
const SUBJECT = /^[ -~]{1,255}$/;
/** Matches a valid email address of an account. */
const ADDRESS = /^(?=.{5,320}$)[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(\.[\w-]+)+$/;
/**
 * Time in milliseconds for which an issuer's metadata is cached. Keys are also fetched when an ID token is
 * signed by an unknown key.
 */
const METADATA_MS = 60 * 60 * 1000;
/**
 * Time in milliseconds for which the failure to load an issuer's metadata is cached, so that visitors cannot
 * trigger requests at will.
 */
const FAILURE_MS = 5000;

/** A person whom the OpenID issuer has authenticated. */
export interface ExternalIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  /** True if the issuer confirms that the email address belongs to the person. */
  isEmailVerified: boolean;
  name: string | null;
}

/** Parameters of one sign-in at the OpenID issuer. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface AuthorizationResponse extends Omit<AuthorizationRequest, 'state'> {
  code: string;
  /** Name of the issuer in the URL to which it redirects (RFC 9207); null if the client did not send it. */
  issuer: string | null;
}

/** Thrown if the issuer's authorization code is invalid, used or expired, or its ID token is invalid. */
export class IdentityRefused extends Error {}

/**
 * Client of an OpenID Connect issuer. Uses the authorization code flow with PKCE, and checks the signature of
 * every ID token.
 */
export class OpenIdProvider {
  readonly #provider: IdentityProvider;
  readonly #outbound: OutboundClient;
  #cachedConfiguration: { configuration: Promise<Configuration>; untilMs: number } | undefined;

  constructor(provider: IdentityProvider, outbound: OutboundClient) {
    this.#provider = provider;
    this.#outbound = outbound;
  }

  get issuer(): string {
    return this.#provider.issuer;
  }

  /**
   * Returns the URL of the OpenID issuer's sign-in page.
   * @throws AppError `not_ready`
   */
  async createAuthorizationUrl({
    redirectUri,
    state,
    nonce,
    codeVerifier,
  }: AuthorizationRequest): Promise<string> {
    const configuration = await this.#loadConfiguration();
    const challenge = await calculatePKCECodeChallenge(codeVerifier);
    try {
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.#provider.scopes,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href;
    } catch (error) {
      throw this.#createUnavailableError(error);
    }
  }

  /**
   * Exchanges the issuer's authorization code for the person's identity.
   * @throws IdentityRefused
   * @throws AppError `not_ready`
   */
  async redeem(response: AuthorizationResponse): Promise<ExternalIdentity> {
    const configuration = await this.#loadConfiguration();
    const { issuer } = configuration.serverMetadata();
    const url = new URL(response.redirectUri);
    url.searchParams.set('code', response.code);
    url.searchParams.set('iss', response.issuer ?? issuer);
    try {
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedNonce: response.nonce,
        expectedState: skipStateCheck,
        pkceCodeVerifier: response.codeVerifier,
      });
      const claims = tokens.claims();
      if (!claims) throw new IdentityRefused('The response contains no ID token.');
      const { sub: subject, azp: party = this.#provider.clientId } = claims;
      if (party !== this.#provider.clientId)
        throw new IdentityRefused('The ID token was issued to another client.');
      if (!SUBJECT.test(subject)) throw new IdentityRefused('The ID token has no valid subject.');
      return {
        issuer,
        subject,
        ...this.#readClaims(await this.#fetchClaims(configuration, tokens.access_token, claims)),
      };
    } catch (error) {
      throw isUnavailable(error) ? this.#createUnavailableError(error) : toIdentityRefusal(error);
    }
  }

  /**
   * Returns the issuer's claims about a person, from the ID token and from the userinfo endpoint, since some
   * issuers put claims only there.
   */
  async #fetchClaims(
    configuration: Configuration,
    accessToken: string,
    claims: { sub: string },
  ): Promise<object> {
    const [first = ''] = this.#provider.claims.email;
    if (isPresent(readAddress(claims, first)) || !configuration.serverMetadata().userinfo_endpoint)
      return claims;
    return { ...claims, ...(await fetchUserInfo(configuration, accessToken, claims.sub)) };
  }

  /** Reads the issuer's claims about a person. An invalid email address or name counts as missing. */
  #readClaims(claims: object): Pick<ExternalIdentity, 'email' | 'isEmailVerified' | 'name'> {
    const { claims: names, trustsEmail } = this.#provider;
    const name = names.name
      .map((claim) => readClaim(claims, claim))
      .find(isText)
      ?.replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
      .trim();
    return {
      email:
        names.email
          .map((claim) => readAddress(claims, claim))
          .find(isAddress)
          ?.toLowerCase() ?? null,
      isEmailVerified: isVerified(claims, names, trustsEmail),
      name: name || null,
    };
  }

  #loadConfiguration(): Promise<Configuration> {
    const now = Date.now();
    if (this.#cachedConfiguration && this.#cachedConfiguration.untilMs > now)
      return this.#cachedConfiguration.configuration;
    const configuration = this.#discover();
    const loaded = { configuration, untilMs: now + METADATA_MS };
    this.#cachedConfiguration = loaded;
    configuration.catch(() => {
      loaded.untilMs = Date.now() + FAILURE_MS;
    });
    return configuration;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#provider;
    const isPlain = issuer.startsWith('http:');
    try {
      return await discovery(
        new URL(issuer),
        clientId,
        {},
        clientSecret === null ? None() : ClientSecretPost(clientSecret),
        {
          execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
          [customFetch]: (url, { body, headers, method }) =>
            this.#fetch(new Request(url, { headers, method, ...(body && { body }) })),
        },
      );
    } catch (error) {
      throw this.#createUnavailableError(error);
    }
  }

  /** Sends a request to the OpenID issuer. Follows no redirect, since the request may contain secrets. */
  async #fetch(request: Request): Promise<Response> {
    const { status, headers, body } = await this.#outbound.request({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.body && { body: new Uint8Array(await request.arrayBuffer()) }),
      redirect: 'manual',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const excess = findResponseExcess(body.toString(), headers['content-type']);
    if (excess !== null)
      throw new OutboundError('too_large', `The response from the identity provider has too many ${excess}.`);
    return new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers });
  }

  #createUnavailableError(cause: unknown): AppError {
    const message = `The identity provider ${this.#provider.name} returned an invalid response; try again in a moment.`;
    return new AppError('not_ready', message, {
      cause,
      headers: { 'Retry-After': String(FAILURE_MS / 1000) },
    });
  }
}

/**
 * Values with which issuers confirm an email address: some send a text, as `True`, or a number instead of a
 * boolean.
 */
const CONFIRMATIONS: ReadonlySet<unknown> = new Set([true, 'true', 1, '1']);

/**
 * Returns whether the issuer confirms the person's email address. The first of these claims that is present
 * decides. The decision only applies to the address from the first configured claim: `email_verified` says
 * nothing about `upn`.
 * @param trustsEmail whether an address counts as verified if no claim says whether it is verified
 */
function isVerified(
  claims: object,
  { email: [first = ''], emailVerified }: ClaimNames,
  trustsEmail: boolean,
): boolean {
  const value = isAddress(readAddress(claims, first))
    ? emailVerified.map((name) => readClaim(claims, name)).find(isPresent)
    : undefined;
  if (value === undefined) return trustsEmail;
  return CONFIRMATIONS.has(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

function readClaim(claims: object, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name as keyof typeof claims] : undefined;
}

/**
 * Returns the value of a claim about a person's email address. Some issuers send a list of one, such as
 * `emails` of Azure AD B2C.
 */
function readAddress(claims: object, name: string): unknown {
  const value = readClaim(claims, name);
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value) && isEmailAddress(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function toIdentityRefusal(cause: unknown): IdentityRefused {
  return cause instanceof IdentityRefused
    ? cause
    : new IdentityRefused('The issuer’s response is invalid.', { cause });
}

/** Returns whether the exchange of an authorization code failed for a cause other than an invalid code. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error !== 'invalid_grant';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError || cause.name === 'TimeoutError') return true;
    if ('code' in cause && cause.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true;
  }
  return false;
}
