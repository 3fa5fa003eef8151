import type { Keyring } from '../../adapters/keys/keyring.ts';
import { unixSeconds, type Clock } from '../../core/clock.ts';
import {
  AppError,
  markAsGuess,
  invalidField,
  withRollbackHook,
  createUnauthenticatedError,
} from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../../repositories/accounts/account.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type {
  FactorStatus,
  SecondFactorRepository,
} from '../../repositories/accounts/second-factor.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import { digestRecoveryCode, generateRecoveryCodes } from './recovery-codes.ts';
import type { Challenge, SecondFactor } from './second-factor.ts';
import type { SessionService, Tokens } from './session-service.ts';
import type { SignInContext, SignInService } from './sign-in-service.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { Attempt, Throttle } from './throttle.ts';
import type { WrongCodes } from './wrong-codes.ts';
import { isTotpCode, generateTotpSecret, findTimeStep, buildTotpUri } from './totp.ts';

export interface MfaDeps {
  accounts: AccountRepository;
  factors: SecondFactorRepository;
  secondFactor: SecondFactor;
  sessions: SessionService;
  signIn: SignInService;
  mail: MailService;
  throttle: Throttle;
  wrongCodes: WrongCodes;
  failures: FailedSignIns;
  database: Database;
  keyring: Keyring;
  clock: Clock;
}

/** A signed-in user and their current session. */
export interface SignedInUser {
  userId: string;
  sessionId: string;
}

/** Data to set up an authenticator app. The user sees it once. */
export interface TotpSetup {
  secret: string;
  uri: string;
}

/** New recovery codes in plain text. The user sees them once. */
export interface RecoveryCodes {
  codes: string[];
  generatedAt: Date;
}

/** A valid second-factor challenge of a sign-in, with the counted attempt to answer it. */
export interface ChallengeAttempt {
  challenge: Challenge;
  attempt: Attempt;
}

/** Manages the second factor of sign-ins: codes of an authenticator app, and recovery codes as a fallback. */
export class MfaService {
  readonly #deps: MfaDeps;

  constructor(deps: MfaDeps) {
    this.#deps = deps;
  }

  status(db: Database, userId: string): Promise<FactorStatus> {
    return this.#deps.factors.getStatus(db, userId);
  }

  /**
   * Creates the secret with which a user sets up an authenticator app.
   * @throws AppError `conflict` if the second factor is active already
   */
  async setUp(db: Database, userId: string): Promise<TotpSetup> {
    const { accounts, factors, keyring } = this.#deps;
    const secret = generateTotpSecret();
    if (!(await factors.upsertPending(db, userId, keyring.seal(secret, buildTotpContext(userId))))) {
      throw new AppError('conflict', 'The second factor is on; turn it off before you set up another one.');
    }
    const account = await accounts.find(db, userId);
    return { secret, uri: buildTotpUri(secret, account?.email ?? userId) };
  }

  /**
   * Counts an attempt to enter a code of the second factor, before the request's transaction, which may be
   * rolled back. Recovery codes cannot be guessed, so they work even while app codes are paused. An attacker
   * who knows the password thus cannot lock out the owner with wrong codes.
   * @throws AppError `rate_limited`
   */
  async attempt(userId: string, code: string): Promise<Attempt> {
    const { database, throttle, wrongCodes } = this.#deps;
    const attempt = await throttle.attempt(userId);
    if (isTotpCode(code)) await wrongCodes.check(database, 'factor_codes_paused', userId);
    return attempt;
  }

  /**
   * Activates the second factor of a user. Ends the user's other sessions, because they were started without
   * the second factor.
   * @throws AppError `validation_error`, `rate_limited`
   */
  async activate(db: Database, person: SignedInUser, code: string, attempt: Attempt): Promise<RecoveryCodes> {
    const { factors, clock, wrongCodes } = this.#deps;
    const { userId } = person;
    const { pendingSecret } = await factors.getSecrets(db, userId);
    if (pendingSecret === null)
      throw invalidField(
        'code',
        'cannot be checked, because no authenticator app is being set up; call setupMfa first',
      );
    const step = this.#findStep(userId, pendingSecret, code);
    const at = clock.now();
    const isActive = step !== null && (await factors.activate(db, { userId, pendingSecret, step, at }));
    if (!isActive) throw this.#refusal(userId, attempt, wrongCode());
    await wrongCodes.check(db, 'factor_codes_paused', userId);
    const codes = await this.#renewCodes(db, userId);
    await this.#completeChange(db, person, true);
    return codes;
  }

  /**
   * Checks the token of a second-factor challenge, and counts an attempt to answer it.
   * @throws AppError `unauthenticated`, `rate_limited`
   */
  async checkChallenge(token: string, code: string): Promise<ChallengeAttempt> {
    const challenge = this.#deps.secondFactor.readChallenge(token);
    if (!challenge)
      throw createUnauthenticatedError('The time to enter the code has expired; sign in again.');
    return { challenge, attempt: await this.attempt(challenge.userId, code) };
  }

  /**
   * Completes a sign-in with a code of the authenticator app or a recovery code.
   * @throws AppError `unauthenticated`, `rate_limited`
   */
  async answer(
    db: Database,
    challengeAttempt: ChallengeAttempt,
    code: string,
    signInContext: SignInContext,
  ): Promise<Tokens> {
    const { accounts, factors, secondFactor, signIn } = this.#deps;
    const { challenge, attempt } = challengeAttempt;
    const account = await accounts.findLocked(db, challenge.userId);
    if (account && !secondFactor.isCurrent(challenge, account))
      throw createUnauthenticatedError('The password has been changed; sign in again.');
    if (!account) throw createUnauthenticatedError('This account is closed.');
    if (!(await this.#useCode(db, account.id, code))) {
      const wrong = markAsGuess(createUnauthenticatedError('The code is wrong, or was already used.'));
      throw this.#refusal(account.id, attempt, wrong, signInContext);
    }
    if (!(await factors.insertAnsweredChallenge(db, challenge.attemptId, secondFactor.challengeSeconds)))
      throw createUnauthenticatedError('This challenge was already used to sign in; sign in again.');
    return signIn.finish(db, account, signInContext);
  }

  /**
   * Deactivates the second factor of a user, deletes the recovery codes and ends all other sessions.
   * @throws AppError `validation_error`, `rate_limited`
   */
  async disable(db: Database, person: SignedInUser, code: string, attempt: Attempt): Promise<FactorStatus> {
    const { factors } = this.#deps;
    if (!(await this.#useCode(db, person.userId, code)))
      throw this.#refusal(person.userId, attempt, wrongCode());
    await factors.delete(db, person.userId);
    await this.#completeChange(db, person, false);
    return factors.getStatus(db, person.userId);
  }

  /**
   * Requires a valid code if the second factor of the account is active.
   * @throws AppError `validation_error`, `rate_limited`
   */
  async confirm(db: Database, account: Account, code: string, attempt: Attempt): Promise<void> {
    const isConfirmed = account.mfaActivatedAt === null || (await this.#useCode(db, account.id, code));
    if (!isConfirmed) throw this.#refusal(account.id, attempt, wrongCode());
  }

  /**
   * Replaces all recovery codes of a user by new ones. Requires a code of the authenticator app.
   * @throws AppError `validation_error`, `rate_limited`
   */
  async renewCodes(db: Database, userId: string, code: string, attempt: Attempt): Promise<RecoveryCodes> {
    if (!(await this.#useAppCode(db, userId, code))) throw this.#refusal(userId, attempt, wrongCode());
    return this.#renewCodes(db, userId);
  }

  async #renewCodes(db: Database, userId: string): Promise<RecoveryCodes> {
    const codes = generateRecoveryCodes();
    const generatedAt = this.#deps.clock.now();
    const digests = codes.map(digestRecoveryCode);
    await this.#deps.factors.replaceRecoveryCodes(db, userId, digests, generatedAt);
    return { codes, generatedAt };
  }

  async #useCode(db: Database, userId: string, code: string): Promise<boolean> {
    if (await this.#useAppCode(db, userId, code)) return true;
    return this.#deps.factors.deleteRecoveryCode(db, userId, digestRecoveryCode(code));
  }

  /**
   * Creates the error for a wrong second-factor code, or the error `rate_limited` after too many attempts.
   * Counts the wrong code after the error has rolled back the transaction.
   */
  #refusal(
    userId: string,
    attempt: Attempt,
    wrongCodeError: AppError,
    signInContext?: SignInContext,
  ): AppError {
    const { accounts, database, failures, wrongCodes } = this.#deps;
    return withRollbackHook(attempt.isOverLimit ? attempt.refusal : wrongCodeError, async () => {
      const account = await accounts.find(database, userId);
      if (!account) return;
      if (signInContext) await failures.record(account.email, signInContext);
      await wrongCodes.count('factor_codes_paused', userId, account.email);
    });
  }

  async #useAppCode(db: Database, userId: string, code: string): Promise<boolean> {
    const { factors, wrongCodes } = this.#deps;
    const { secret } = await factors.getSecrets(db, userId);
    const step = secret === null ? null : this.#findStep(userId, secret, code);
    const isAccepted =
      secret !== null && step !== null && (await factors.updateStep(db, userId, secret, step));
    if (isAccepted) await wrongCodes.check(db, 'factor_codes_paused', userId);
    return isAccepted;
  }

  #findStep(userId: string, sealed: string, code: string): number | null {
    const secret = this.#deps.keyring.open(sealed, buildTotpContext(userId));
    return findTimeStep(secret, code, unixSeconds(this.#deps.clock));
  }

  async #completeChange(db: Database, { userId, sessionId }: SignedInUser, isOn: boolean): Promise<void> {
    const { accounts, sessions, mail } = this.#deps;
    await sessions.endAll(db, userId, sessionId);
    const account: Account | null = await accounts.find(db, userId);
    if (!account) return;
    const data = { name: account.fullName, isOn };
    await mail.send(db, { to: account.email, userId, template: 'second_factor_changed', data });
  }
}

function buildTotpContext(userId: string): string {
  return `totp_secrets.secret:${userId}`;
}

function wrongCode(): AppError {
  return markAsGuess(invalidField('code', 'is wrong, has expired or was already used'));
}
