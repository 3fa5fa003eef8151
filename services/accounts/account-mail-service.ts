import { randomBytes, randomInt } from 'node:crypto';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { newId } from '../../core/ids.ts';
import { normalizeMailbox } from '../../core/contacts/mailbox.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { AccountRequestKind, PausedKind } from '../../entities/accounts/account-request.entity.ts';
import type { MailedLinkPurpose } from '../../entities/accounts/account-link.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../../repositories/accounts/account.ts';
import type { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { AccountRequestRepository } from '../../repositories/accounts/account-request.repository.ts';
import type { SignInCodeRepository } from '../../repositories/accounts/sign-in-code.repository.ts';
import { accountMailWorkflowId } from '../../core/workflows/commands.ts';
import type { MailService } from '../mail/mail-service.ts';
import {
  describeLifetime,
  mailLifetimes,
  type MailLifetimeSettings,
} from '../mail/rendering/mail-templates.ts';
import { NO_WORKSPACE, type OutboxService } from '../outbox/outbox-service.ts';
import type { SessionService } from './session-service.ts';
import type { Throttle } from './throttle.ts';
import { SIGN_IN_ALTERNATIVES } from './sign-in-alternatives.ts';

const TOKEN_BYTES = 32;

/** Paths of the console pages that a link in an email opens, by the purpose of the link. */
const PAGES = { verify_email: '/verify-email', reset_password: '/reset-password' } as const;

/**
 * Identity at an identity provider that belongs to no account yet, so that the person enters an email
 * address.
 */
export interface UnregisteredIdentity {
  provider: string;
  /** Issuer and subject of the identity, as the identity provider names them. */
  issuerAndSubject: string;
}

/** Kind of email to an account's owner. Strangers may cause these emails, so they are limited. */
export type AccountMailKind = 'reset' | 'code' | 'verification' | 'registration' | 'identity';

type MailedAccount = Pick<Account, 'id' | 'email' | 'fullName' | 'emailVerifiedAt'>;

export interface AccountMailDeps {
  accounts: AccountRepository;
  links: AccountLinkRepository;
  codes: SignInCodeRepository;
  requests: AccountRequestRepository;
  mail: MailService;
  outbox: OutboxService;
  keyring: Keyring;
  sessions: Pick<SessionService, 'isKnownAddress'>;
  mailThrottle: Throttle;
  /** Daily limit of the emails of one kind to a mailbox. */
  dailyMailThrottle: Throttle;
  settings: MailLifetimeSettings & Pick<Settings, 'baseUrl' | 'signInCodeTries'>;
}

/**
 * Sends sign-in links and codes by email. A person who uses a link or code proves that they can read email to
 * this address.
 */
export class AccountMailService {
  readonly #deps: AccountMailDeps;

  constructor(deps: AccountMailDeps) {
    this.#deps = deps;
  }

  /**
   * Counts an email to a mailbox, and limits the emails. All spellings of its email address count together.
   * @throws AppError `rate_limited`
   */
  async throttle(email: string, kind: AccountMailKind): Promise<void> {
    await this.#countEmail(normalizeMailbox(email), kind);
  }

  /**
   * Limits the emails that an IP address requests to a mailbox. Requests from IP addresses that the account's user
   * has used count separately, so that strangers cannot use up the user's emails.
   * @throws AppError `rate_limited`
   */
  async throttleRequest(db: Database, email: string, ip: string, kind: AccountMailKind): Promise<void> {
    const mailbox = normalizeMailbox(email);
    const isKnown = await this.#deps.sessions.isKnownAddress(db, email, ip);
    await this.#countEmail(isKnown ? `${mailbox} ${ip}` : mailbox, kind);
  }

  /**
   * Stores a request for an account email, such as a sign-in code. Storing takes the same work for any email
   * address: a worker later checks whether the address has an account.
   * @param until end of the pause, for an email about paused codes
   */
  async insertRequest(
    db: Database,
    kind: AccountRequestKind,
    email: string,
    until: Date | null = null,
  ): Promise<void> {
    const requestId = newId();
    await this.#deps.requests.insert(db, { id: requestId, kind, email, until });
    await this.#deps.outbox.command(
      { orgId: NO_WORKSPACE, db },
      {
        workflow: 'sendAccountMail',
        action: 'start',
        workflowId: accountMailWorkflowId(requestId),
        args: [{ requestId }],
        summary: `Process a request for ${kind}`,
      },
    );
  }

  /** Sends the email of a stored request, if the account needs it. Repeated calls send one email. */
  sendRequested(database: Database, requestId: string): Promise<void> {
    return database.transaction(async (db) => {
      const request = await this.#deps.requests.delete(db, requestId);
      if (!request) return;
      const { kind, email, until } = request;
      const account = await this.#deps.accounts.findByEmail(db, email);
      if (kind === 'sign_in_code') await this.#sendCode(db, email, account);
      else if (isPause(kind)) await this.#sendPauseNotice(db, account, kind, until);
      else if (account && !(kind === 'verify_email' && account.emailVerifiedAt))
        await this.sendLink(db, kind, account);
    });
  }

  async sendLink(db: Database, purpose: MailedLinkPurpose, account: MailedAccount) {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { id: userId, email: to } = account;
    const name = chooseGreeting(account);
    const digest = digestSecret(token);
    const lifetimeSeconds = mailLifetimes(this.#deps.settings)[purpose];
    await this.#deps.links.insert(db, { digest, userId, purpose, lifetimeSeconds });
    // The token is in the URL's fragment, which browsers do not send, so that servers and proxies cannot log
    // it.
    const link = `${this.#deps.settings.baseUrl}${PAGES[purpose]}#token=${token}`;
    await this.#deps.mail.send(db, {
      to,
      userId,
      template: purpose,
      data: { name, link, lifetime: describeLifetime(lifetimeSeconds) },
      secretDigest: digest,
    });
  }

  /** Finds the account to which an emailed link belongs. */
  findAccount(db: Database, purpose: MailedLinkPurpose, token: string): Promise<Account | null> {
    return this.#deps.links.findAccount(db, digestSecret(token), purpose);
  }

  /** Marks an emailed link as used. Returns false if the link was used before or is invalid. */
  useLink(db: Database, purpose: MailedLinkPurpose, token: string): Promise<boolean> {
    return this.#deps.links.use(db, digestSecret(token), purpose);
  }

  /**
   * Checks an emailed sign-in code and counts the attempt. The check takes the same work if the email address
   * has no account.
   */
  tryCode(db: Database, email: string, code: string): Promise<boolean> {
    const { codes, settings } = this.#deps;
    return codes.spendTry(db, email, this.#digestCode(email, code), settings.signInCodeTries);
  }

  useCode(db: Database, email: string, code: string): Promise<boolean> {
    return this.#deps.codes.delete(db, email, this.#digestCode(email, code));
  }

  /**
   * Emails a code to an email address that a person enters for a new identity. The code is valid only for
   * this identity. If the address has a confirmed account, emails its owner a notice instead. The caller does
   * not learn which email was sent.
   */
  async sendIdentityCode(
    db: Database,
    email: string,
    { provider, issuerAndSubject }: UnregisteredIdentity,
  ): Promise<void> {
    const code = generateCode();
    const key = this.#identityKey(email, issuerAndSubject);
    const secretDigest = this.#digestCode(key, code);
    const lifetimeSeconds = mailLifetimes(this.#deps.settings).identity_code;
    await this.#deps.codes.upsert(db, key, secretDigest, lifetimeSeconds);
    const account = await this.#deps.accounts.findByEmail(db, email);
    if (account && account.emailVerifiedAt !== null) return this.sendAddressTaken(db, account);
    await this.#deps.mail.send(db, {
      to: email,
      template: 'identity_code',
      data: { provider, code, lifetime: describeLifetime(lifetimeSeconds) },
      secretDigest,
    });
  }

  /**
   * Checks a code that `sendIdentityCode` emailed, counts the attempt, and deletes a correct code.
   * @returns false if the code is wrong, expired, used, or issued for another identity
   */
  async useIdentityCode(
    db: Database,
    email: string,
    issuerAndSubject: string,
    code: string,
  ): Promise<boolean> {
    const { codes, settings } = this.#deps;
    const key = this.#identityKey(email, issuerAndSubject);
    const digest = this.#digestCode(key, code);
    return (await codes.spendTry(db, key, digest, settings.signInCodeTries)) && codes.delete(db, key, digest);
  }

  /** Informs the owner of an account by email that another person entered its email address to register. */
  async sendAddressTaken(db: Database, { id: userId, email: to, fullName: name }: Account): Promise<void> {
    const { baseUrl } = this.#deps.settings;
    const links = { signInLink: `${baseUrl}/sign-in`, resetLink: `${baseUrl}/forgot-password` };
    await this.#deps.mail.send(db, { to, userId, template: 'address_taken', data: { name, ...links } });
  }

  async #sendCode(db: Database, email: string, account: Account | null): Promise<void> {
    const code = generateCode();
    const secretDigest = this.#digestCode(email, code);
    const { sign_in_code: lifetimeSeconds } = mailLifetimes(this.#deps.settings);
    await this.#deps.codes.upsert(db, email, secretDigest, lifetimeSeconds);
    if (!account) return;
    const { id: userId } = account;
    await this.#deps.mail.send(db, {
      to: email,
      userId,
      template: 'sign_in_code',
      data: { name: chooseGreeting(account), code, lifetime: describeLifetime(lifetimeSeconds) },
      secretDigest,
    });
  }

  async #sendPauseNotice(
    db: Database,
    account: Account | null,
    kind: PausedKind,
    until: Date | null,
  ): Promise<void> {
    if (!account || !until) return;
    const { id: userId, email: to, fullName: name } = account;
    const codes = kind === 'mailed_codes_paused' ? 'emailed codes' : 'codes of your second factor';
    const resetLink = `${this.#deps.settings.baseUrl}/forgot-password`;
    await this.#deps.mail.send(db, {
      to,
      userId,
      template: 'codes_paused',
      data: { name, codes, until, otherWays: SIGN_IN_ALTERNATIVES[kind], resetLink },
    });
  }

  /**
   * Counts an email to a mailbox. Each kind of email has its own daily limit, so that a stranger's requests
   * for one kind do not delay the others. An owner can use a link or code that a stranger requested.
   */
  async #countEmail(recipient: string, kind: AccountMailKind): Promise<void> {
    const { mailThrottle, dailyMailThrottle } = this.#deps;
    await mailThrottle.attempt(recipient);
    await dailyMailThrottle.attempt(`${kind} ${recipient}`);
  }

  #digestCode(key: string, code: string): string {
    return this.#deps.keyring.digest('sign-in-code', `${key} ${code}`);
  }

  /**
   * Key under which the code of an identity is stored. Each identity has its own code, which never replaces a
   * sign-in code.
   */
  #identityKey(email: string, issuerAndSubject: string): string {
    return this.#deps.keyring.digest('sign-in-code', `${issuerAndSubject} ${email}`);
  }
}

/**
 * Returns the name for an email's greeting. Omits the person's name until the email address is confirmed,
 * because a stranger may have typed it.
 */
function chooseGreeting({ fullName, emailVerifiedAt }: MailedAccount): string {
  return emailVerifiedAt === null ? 'there' : fullName;
}

function generateCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

function isPause(kind: AccountRequestKind): kind is PausedKind {
  return kind === 'mailed_codes_paused' || kind === 'factor_codes_paused';
}
