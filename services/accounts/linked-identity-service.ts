import { createHash, randomBytes } from 'node:crypto';
import {
  IdentityRefused,
  type AuthorizationRequest,
  type ExternalIdentity,
  type OpenIdProvider,
} from '../../adapters/identity/openid-provider.ts';
import type { Clock } from '../../core/clock.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { toSingleLine } from '../../core/text/single-line.ts';
import {
  AppError,
  markAsGuess,
  invalidField,
  notFound,
  createUnauthenticatedError,
} from '../../core/errors/errors.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { LinkedIdentityRepository } from '../../repositories/accounts/linked-identity.repository.ts';
import type { AccountMailService } from './account-mail-service.ts';
import type { AccountService } from './account-service.ts';
import type { SignInContext, SignIn, SignInService } from './sign-in-service.ts';
import type { WrongCodes } from './wrong-codes.ts';

const SECRET_BYTES = 32;
const NAME_MAX_LENGTH = 255;

export interface LinkedIdentityDeps {
  providers: ReadonlyMap<string, OpenIdProvider>;
  identities: LinkedIdentityRepository;
  accounts: AccountRepository;
  accountService: AccountService;
  accountMail: AccountMailService;
  wrongCodes: WrongCodes;
  signIn: SignInService;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl' | 'identityAttemptSeconds'>;
}

/**
 * Values with which a sign-in at an identity provider starts. The client stores them until the user returns
 * from the provider.
 */
export interface IdentityStart extends AuthorizationRequest {
  provider: string;
  authorizationUrl: string;
}

/**
 * Values with which a user returns from the identity provider. State, nonce and issuer are checked if the
 * client sends them.
 */
export interface IdentityCallback {
  code: string;
  codeVerifier: string;
  nonce: string | null;
  state: string | null;
  issuer: string | null;
}

/** An external identity that its identity provider has just confirmed in a sign-in. */
export interface ProvenIdentity extends ExternalIdentity {
  provider: string;
}

/**
 * Email address that a person enters because the identity provider confirms none, and the code that was
 * emailed to this address.
 */
export interface EnteredAddress {
  email: string | null;
  code: string | null;
}

interface IdentityCode {
  email: string;
  /** Issuer and subject of the identity, as the identity provider names them. */
  issuerAndSubject: string;
  code: string;
}

/** An identity that its provider has confirmed, with the email address under which it may register. */
export interface IdentityWithAddress extends ProvenIdentity {
  /** Email address that the person has verified; null if the identity belongs to an account already. */
  provenEmail: string | null;
}

/**
 * Signs users in with identity providers. The client receives a code verifier at the start and must return
 * it. The verifier expires and works once. Only digests of the verifier and the state are stored. An account
 * is found by issuer and subject, never by email address.
 */
export class LinkedIdentityService {
  readonly #deps: LinkedIdentityDeps;

  constructor(deps: LinkedIdentityDeps) {
    this.#deps = deps;
  }

  get providerNames(): string[] {
    return [...this.#deps.providers.keys()];
  }

  /**
   * Starts a sign-in with an identity provider.
   * @throws AppError `not_found` for an unknown provider, `not_ready` if the provider does not answer
   */
  async begin(provider: string): Promise<IdentityStart> {
    const codeVerifier = generateAttemptSecret();
    const request = {
      redirectUri: this.#redirectUri(provider),
      state: generateAttemptSecret(),
      nonce: deriveNonce(codeVerifier),
      codeVerifier,
    };
    const authorizationUrl = await this.#provider(provider).createAuthorizationUrl(request);
    return { ...request, provider, authorizationUrl };
  }

  async insertAttempt(db: Database, { provider, codeVerifier, state }: IdentityStart): Promise<void> {
    const { identities, clock, settings } = this.#deps;
    await identities.insertAttempt(db, {
      verifierDigest: digestSecret(codeVerifier),
      stateDigest: digestSecret(state),
      provider,
      expiresAt: new Date(clock.now().getTime() + settings.identityAttemptSeconds * 1000),
    });
  }

  /**
   * Exchanges the authorization code for the user's identity. Sends requests to the identity provider, so
   * call it before a transaction.
   * @throws AppError `not_found`, `validation_error`, `not_ready`
   */
  async redeem(db: Database, name: string, returned: IdentityCallback): Promise<ProvenIdentity> {
    const provider = this.#provider(name);
    await this.#consumeAttempt(db, name, returned);
    const { code, codeVerifier, issuer } = returned;
    const nonce = deriveNonce(codeVerifier);
    const redirectUri = this.#redirectUri(name);
    try {
      const identity = await provider.redeem({ code, codeVerifier, nonce, issuer, redirectUri });
      return { ...identity, provider: name };
    } catch (error) {
      if (!(error instanceof IdentityRefused)) throw error;
      throw markAsGuess(
        invalidField('code', 'was rejected by the identity provider; start again', 'body', error),
      );
    }
  }

  /**
   * Finds the email address for the account of a new identity: the address that the provider confirms, or an
   * address that the person enters and proves by an emailed code. Emails the code, so call this before a
   * transaction.
   * @throws AppError `conflict` naming `email` or `email_code` if the sign-in needs this field;
   *   `validation_error` for a wrong code; `forbidden` without open registration; `rate_limited`
   */
  async confirmAddress(
    database: Database,
    identity: ProvenIdentity,
    { email, code }: EnteredAddress,
  ): Promise<IdentityWithAddress> {
    const { provider, issuer, subject, isEmailVerified } = identity;
    const { identities, accountService, accountMail } = this.#deps;
    if (await identities.find(database, issuer, subject)) return { ...identity, provenEmail: null };
    if (identity.email !== null && isEmailVerified) return { ...identity, provenEmail: identity.email };
    accountService.requireOpenRegistration();
    if (email === null)
      throw createAddressNeededError(
        'email',
        `${provider} has not confirmed your email address; start again with your address in \`email\`, or register with a password and then link ${provider}.`,
      );
    const issuerAndSubject = `${issuer} ${subject}`;
    if (code === null) {
      await accountMail.throttle(email, 'identity');
      await accountMail.throttle(digestSecret(issuerAndSubject), 'identity');
      await database.transaction((db) =>
        accountMail.sendIdentityCode(db, email, { provider, issuerAndSubject }),
      );
      throw createAddressNeededError(
        'email_code',
        `A code was emailed to ${email}; start again with the same address, and with the code in \`email_code\`.`,
      );
    }
    await this.#checkIdentityCode(database, { email, issuerAndSubject, code });
    return { ...identity, provenEmail: email };
  }

  /**
   * Signs in the account to which the identity is linked, or registers a new account.
   * @throws AppError `conflict` if the email address has an account already
   */
  async signIn(db: Database, identity: IdentityWithAddress, signInContext: SignInContext): Promise<SignIn> {
    const { identities, accounts, signIn, clock } = this.#deps;
    const { issuer, subject, email } = identity;
    const existing = await identities.find(db, issuer, subject);
    const userId = existing ? existing.userId : await this.#register(db, identity);
    const account = await accounts.findLocked(db, userId);
    if (!account) throw createUnauthenticatedError('This account is closed.');
    if (account.emailVerifiedAt === null)
      throw new AppError(
        'conflict',
        'Your email address is not confirmed yet; open the link that was emailed to you.',
      );
    if (existing) await identities.updateLogin(db, existing.id, { email, at: clock.now() });
    return signIn.begin(db, account, signInContext);
  }

  /**
   * Links the identity to a signed-in user's account.
   * @throws AppError `conflict` if the identity is linked already, or the account has another identity of the
   *   provider
   */
  async link(db: Database, userId: string, identity: ProvenIdentity): Promise<LinkedIdentity> {
    const { identities } = this.#deps;
    const { provider, issuer, subject, email } = identity;
    const linked = await identities.insert(db, {
      userId,
      provider,
      issuer,
      subject,
      email,
      lastLoginAt: null,
    });
    if (linked) return linked;
    const existing = await identities.find(db, issuer, subject);
    if (!existing)
      throw new AppError('conflict', `Your account is already linked to a different account at ${provider}.`);
    const ownerName = existing.userId === userId ? 'your account' : 'another account';
    throw new AppError('conflict', `This account at ${provider} is already linked to ${ownerName}.`);
  }

  list(db: Database, userId: string): Promise<LinkedIdentity[]> {
    return this.#deps.identities.list(db, userId);
  }

  /**
   * Removes a provider's identity from the account, so that the user can no longer sign in with this
   * provider.
   * @throws AppError `not_found`, `last_sign_in_method`
   */
  async unlink(db: Database, userId: string, provider: string): Promise<void> {
    const { identities } = this.#deps;
    const hasPassword = await identities.lockAccount(db, userId);
    const linked = await identities.list(db, userId);
    const identity = linked.find((each) => each.provider === provider);
    if (!identity) throw notFound('linked identity provider');
    const isOnlyWay = !linked.some((each) => each !== identity && this.#isUsable(each));
    if (!hasPassword && isOnlyWay) {
      throw new AppError(
        'last_sign_in_method',
        `${provider} is the only way to sign in to your account; set a password or link another identity provider first.`,
      );
    }
    await identities.delete(db, identity.id);
  }

  /** True if the identity's provider is still configured. */
  #isUsable({ provider, issuer }: LinkedIdentity): boolean {
    return this.#deps.providers.get(provider)?.issuer === issuer;
  }

  async #register(db: Database, identity: IdentityWithAddress): Promise<string> {
    const { identities, accountService, clock } = this.#deps;
    const { provider, issuer, subject, email, provenEmail, name } = identity;
    // The identity was unlinked since `confirmAddress`.
    if (provenEmail === null) throw createUnauthenticatedError('This identity was unlinked; start again.');
    const fullName = cutText(toSingleLine(name ?? '') || provenEmail, NAME_MAX_LENGTH);
    const userId = await accountService.registerVerified(db, { email: provenEmail, fullName });
    const login = { provider, issuer, subject, email, lastLoginAt: clock.now() };
    if (userId !== null && (await identities.insert(db, { ...login, userId }))) return userId;
    // A concurrent request of the same person may have just linked the identity.
    const existing = await identities.find(db, issuer, subject);
    if (existing && userId === null) return existing.userId;
    throw new AppError(
      'conflict',
      `An account with your email address exists; sign in to it, then link ${provider}.`,
    );
  }

  /**
   * Checks a code that was emailed to confirm the email address of an identity. Wrong codes for one email
   * address share a daily limit, whatever the identity.
   * @throws AppError `validation_error` for a wrong code, `rate_limited`
   */
  async #checkIdentityCode(db: Database, { email, issuerAndSubject, code }: IdentityCode): Promise<void> {
    const { accountMail, wrongCodes } = this.#deps;
    const limitSubject = `identity ${email}`;
    await wrongCodes.check(db, 'mailed_codes_paused', limitSubject);
    if (await accountMail.useIdentityCode(db, email, issuerAndSubject, code))
      return wrongCodes.check(db, 'mailed_codes_paused', limitSubject);
    await wrongCodes.count('mailed_codes_paused', limitSubject, email);
    throw markAsGuess(
      invalidField('email_code', 'is wrong, was used or has expired; start again without email_code'),
    );
  }

  async #consumeAttempt(db: Database, provider: string, returned: IdentityCallback): Promise<void> {
    const { identities, clock } = this.#deps;
    const { codeVerifier, nonce, state } = returned;
    const attempt = await identities.deleteAttempt(db, digestSecret(codeVerifier));
    if (!attempt || attempt.provider !== provider || attempt.expiresAt <= clock.now())
      throw markAsGuess(invalidField('code_verifier', 'belongs to no pending sign-in; start again'));
    if (state !== null && digestSecret(state) !== attempt.stateDigest)
      throw markAsGuess(invalidField('state', 'does not belong to this sign-in; start again'));
    if (nonce !== null && nonce !== deriveNonce(codeVerifier))
      throw markAsGuess(invalidField('nonce', 'does not belong to this sign-in; start again'));
  }

  #provider(name: string): OpenIdProvider {
    const provider = this.#deps.providers.get(name);
    if (!provider) throw notFound('identity provider');
    return provider;
  }

  /**
   * Returns the URI to which an identity provider redirects the user. Each provider has its own URI, so that
   * no provider can pass on another provider's response (RFC 9700, 4.4.2).
   */
  #redirectUri(provider: string): string {
    return `${this.#deps.settings.baseUrl}/sign-in/${provider}`;
  }
}

/**
 * Returns the error for a missing email address or emailed code. The client must start the sign-in again with
 * this field.
 */
function createAddressNeededError(field: 'email' | 'email_code', message: string): AppError {
  return new AppError('conflict', message, {
    details: [{ field, in: 'body', code: 'required', message: 'is required' }],
  });
}

function generateAttemptSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Derives the nonce of a sign-in from its code verifier. The ID token is thus checked even if the client does
 * not send the nonce.
 */
function deriveNonce(codeVerifier: string): string {
  return createHash('sha256').update(`nonce ${codeVerifier}`).digest('base64url');
}
