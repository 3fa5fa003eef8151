import { markAsGuess, createUnauthenticatedError, type AppError } from '../../core/errors/errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../../repositories/accounts/account.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { SecondFactorRepository } from '../../repositories/accounts/second-factor.repository.ts';
import type { Device } from '../../repositories/accounts/session.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { AuditService } from '../team/audit-service.ts';
import type { AccountMailService } from './account-mail-service.ts';
import { parseDeviceName } from './device-name.ts';
import { verifyPassword } from './passwords/passwords.ts';
import { proveAddress } from './prove-address.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SessionService, Tokens } from './session-service.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { Throttle } from './throttle.ts';
import type { WrongCodes } from './wrong-codes.ts';

/**
 * Result of a sign-in's first factor: tokens of a session, or the token of a challenge if a second factor is
 * required.
 */
export type SignIn =
  | { kind: 'session'; tokens: Tokens }
  | { kind: 'challenge'; token: string; expiresInSeconds: number };

/** Device from which a user signs in, and the API operation that signs the user in. */
export interface SignInContext extends Device {
  /** Id of the API operation that signs the user in, for the audit log. */
  operation: string;
  requestId: string;
}

export interface SignInDeps {
  accounts: AccountRepository;
  sessions: SessionService;
  secondFactor: SecondFactor;
  accountMail: AccountMailService;
  mail: MailService;
  throttle: Throttle;
  wrongCodes: WrongCodes;
  failures: FailedSignIns;
  factors: SecondFactorRepository;
  audit: AuditService;
  clock: Clock;
}

/**
 * Signs users in. A sign-in with an email address that has no account takes the same work and gets the same
 * errors.
 */
export class SignInService {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the password.
   * @throws AppError `unauthenticated`, `rate_limited`
   */
  async checkPassword(
    db: Database,
    email: string,
    password: string,
    signInContext: SignInContext,
  ): Promise<Account> {
    const { attempt, account } = await this.#beginAttempt(db, email, signInContext.ip);
    const isRight = await verifyPassword(account?.passwordHash ?? null, password);
    // A verified email address is required. Otherwise, a stranger could register an address and sign in to
    // learn whether the address had an account.
    if (account?.emailVerifiedAt && isRight) return account;
    await this.#deps.failures.record(email, signInContext);
    throw attempt.isOverLimit ? attempt.refusal : notSignedIn('password');
  }

  /**
   * Checks a sign-in code that was sent by email.
   * @throws AppError `unauthenticated`, `rate_limited`
   */
  async checkCode(db: Database, email: string, code: string, signInContext: SignInContext): Promise<Account> {
    const { accountMail, failures, wrongCodes } = this.#deps;
    const { attempt, account, limitSubject } = await this.#beginAttempt(db, email, signInContext.ip);
    await wrongCodes.check(db, 'mailed_codes_paused', limitSubject);
    const isRight = await accountMail.tryCode(db, email, code);
    if (account && isRight) {
      await wrongCodes.check(db, 'mailed_codes_paused', limitSubject);
      return account;
    }
    await wrongCodes.count('mailed_codes_paused', limitSubject, email);
    await failures.record(email, signInContext);
    throw attempt.isOverLimit ? attempt.refusal : notSignedIn('code');
  }

  /**
   * Signs in a user with an emailed code that `checkCode` has accepted.
   * @throws AppError `unauthenticated` if the code was used meanwhile
   */
  async signInWithCode(
    db: Database,
    account: Account,
    code: string,
    signInContext: SignInContext,
  ): Promise<SignIn> {
    const { accounts, accountMail } = this.#deps;
    if (!(await accountMail.useCode(db, account.email, code))) throw notSignedIn('code');
    await proveAddress(db, account.id, this.#deps);
    const locked = await accounts.findLocked(db, account.id);
    if (!locked) throw notSignedIn('code');
    return this.begin(db, locked, signInContext);
  }

  /**
   * Starts a user's session, or a second-factor challenge if the account has a second factor.
   * @param account account as it was when the first factor was checked
   * @throws AppError `unauthenticated` if the account has changed since
   */
  async begin(db: Database, account: Account, signInContext: SignInContext): Promise<SignIn> {
    if (account.mfaActivatedAt !== null) {
      const { secondFactor } = this.#deps;
      const token = secondFactor.createChallenge(account);
      return { kind: 'challenge', token, expiresInSeconds: secondFactor.challengeSeconds };
    }
    return { kind: 'session', tokens: await this.finish(db, account, signInContext) };
  }

  /**
   * Completes a sign-in after all factors were checked. Emails the user if the device is new, and records the
   * sign-in in the audit log of the session's workspace.
   */
  async finish(db: Database, account: Account, signInContext: SignInContext): Promise<Tokens> {
    const { sessions, mail, clock } = this.#deps;
    const { id: userId, email: to, fullName: name } = account;
    const { isNewDevice, ...tokens } = await sessions.start(db, { account, device: signInContext });
    this.#recordSignIn(db, userId, tokens, signInContext);
    if (isNewDevice) {
      const data = {
        name,
        device: parseDeviceName(signInContext.userAgent),
        place: signInContext.ip,
        at: clock.now(),
      };
      await mail.send(db, { to, userId, template: 'new_sign_in', data });
    }
    return tokens;
  }

  #recordSignIn(
    db: Database,
    userId: string,
    { orgId, sessionId }: Tokens,
    signInContext: SignInContext,
  ): void {
    if (orgId === null) return;
    const subject = { orgId, resourceType: 'session', resourceId: sessionId, action: null };
    this.#deps.audit.record(db, [subject], { ...signInContext, userId, keyId: null, changedFields: [] });
  }

  /**
   * Counts an attempt to sign in. Attempts from IP addresses that the user has used count separately, so that
   * strangers cannot use up the owner's attempts.
   */
  async #beginAttempt(db: Database, email: string, ip: string) {
    const { accounts, sessions, throttle } = this.#deps;
    const [account, isKnownIp] = await Promise.all([
      accounts.findByEmail(db, email),
      sessions.isKnownAddress(db, email, ip),
    ]);
    const limitSubject = isKnownIp ? `${email} ${ip}` : email;
    return { account, limitSubject, attempt: await throttle.attempt(limitSubject) };
  }
}

function notSignedIn(factor: 'password' | 'code'): AppError {
  const factorFault = factor === 'code' ? 'code is wrong, was used or has expired' : 'password is wrong';
  return markAsGuess(createUnauthenticatedError(`The email address or the ${factorFault}.`));
}
