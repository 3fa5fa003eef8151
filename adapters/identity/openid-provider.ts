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
import { AppError } from '../../core/errors.ts';
import type { IdentityProvider } from '../../core/identity-providers.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';

const TIMEOUT_SECONDS = 10;
/** How long what the issuer publishes about itself is believed; its keys are looked up anew when an unknown one signs. */
const METADATA_MS = 60 * 60 * 1000;

/** Whom the issuer has signed in. */
export interface ExternalIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  /** Whether the issuer says that the address is this person's. */
  isEmailVerified: boolean;
  name: string | null;
}

/** What one way to the issuer and back is recognised by. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface AuthorizationResponse extends Omit<AuthorizationRequest, 'state'> {
  code: string;
  /** The issuer that the answer says to be from (RFC 9207), where the client tells. */
  issuer: string | null;
}

/** The code is wrong, was used or has expired, or came with an ID token that is not good. */
export class IdentityRefused extends Error {}

/** An OpenID Connect issuer: authorization code with PKCE, every ID token checked with its signature. */
export class OpenIdProvider {
  readonly #provider: IdentityProvider;
  readonly #outbound: OutboundClient;
  #known: { configuration: Promise<Configuration>; untilMs: number } | undefined;

  constructor(provider: IdentityProvider, outbound: OutboundClient) {
    this.#provider = provider;
    this.#outbound = outbound;
  }

  get issuer(): string {
    return this.#provider.issuer;
  }

  /** Where to send the person. @throws AppError `not_ready` */
  async authorizationUrl({ redirectUri, state, nonce, codeVerifier }: AuthorizationRequest): Promise<string> {
    const url = buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: redirectUri,
      scope: this.#provider.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** @throws IdentityRefused; AppError `not_ready` */
  async redeem(response: AuthorizationResponse): Promise<ExternalIdentity> {
    const configuration = await this.#configuration();
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
      if (!claims) throw new IdentityRefused('There is no ID token.');
      const { sub: subject } = claims;
      return {
        issuer,
        subject,
        ...described(await this.#describe(configuration, tokens.access_token, claims)),
      };
    } catch (error) {
      throw isUnavailable(error) ? this.#unavailable(error) : refused(error);
    }
  }

  /** Some issuers put what they know of a person into the ID token, others tell it when asked. */
  async #describe(
    configuration: Configuration,
    accessToken: string,
    claims: { sub: string; email?: unknown },
  ): Promise<object> {
    if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
    return { ...claims, ...(await fetchUserInfo(configuration, accessToken, claims.sub)) };
  }

  #configuration(): Promise<Configuration> {
    const now = Date.now();
    if (this.#known && this.#known.untilMs > now) return this.#known.configuration;
    const configuration = this.#discover();
    const known = { configuration, untilMs: now + METADATA_MS };
    this.#known = known;
    configuration.catch(() => {
      if (this.#known === known) this.#known = undefined;
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
          timeout: TIMEOUT_SECONDS,
          execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
          [customFetch]: (url, { body, signal, ...options }) =>
            this.#outbound.fetch(url, {
              ...options,
              ...(body !== undefined && { body }),
              ...(signal && { signal }),
            }),
        },
      );
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #unavailable(cause: unknown): AppError {
    const message = `The identity provider ${this.#provider.name} does not answer as it should; try again in a moment.`;
    return new AppError('not_ready', message, { cause, headers: { 'Retry-After': '5' } });
  }
}

function described(claims: object): Pick<ExternalIdentity, 'email' | 'isEmailVerified' | 'name'> {
  const { email, email_verified: isVerified, name } = claims as Record<string, unknown>;
  return {
    email: typeof email === 'string' && email !== '' ? email.toLowerCase() : null,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
  };
}

function refused(cause: unknown): IdentityRefused {
  return cause instanceof IdentityRefused
    ? cause
    : new IdentityRefused('The issuer’s answer was refused.', { cause });
}

/** Whether it is for another reason than this code that there is no answer. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error !== 'invalid_grant';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError || cause.name === 'TimeoutError') return true;
    if ('code' in cause && cause.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true;
  }
  return false;
}
