import { AppError, invalidField, notFound, createUnauthenticatedError } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../../repositories/accounts/account.ts';
import type { AccountRepository, Workspace } from '../../repositories/accounts/account.repository.ts';
import type { SecondFactorRepository } from '../../repositories/accounts/second-factor.repository.ts';
import { deleteAccountWorkflowId } from '../../core/workflows/commands.ts';
import type { MailService } from '../mail/mail-service.ts';
import { NO_WORKSPACE, type OutboxService } from '../outbox/outbox-service.ts';
import type { AccessRevocation } from '../team/access-revocation.ts';
import type { OrgService } from '../team/org-service.ts';
import type { AccountMailService } from './account-mail-service.ts';
import { freshProofRequired } from './fresh-proof.ts';
import { hashPassword, refuseGuessable, verifyPassword } from './passwords/passwords.ts';
import { claimAddress } from './prove-address.ts';
import type { SessionService, Tokens } from './session-service.ts';
import type { Throttle } from './throttle.ts';
import type { WrongCodes } from './wrong-codes.ts';

export interface AccountDeps {
  accounts: AccountRepository;
  orgs: OrgService;
  sessions: SessionService;
  accountMail: AccountMailService;
  mail: MailService;
  outbox: OutboxService;
  throttle: Throttle;
  wrongCodes: WrongCodes;
  factors: SecondFactorRepository;
  accessRevocation: AccessRevocation;
  settings: Pick<Settings, 'baseUrl' | 'registration'>;
}

export interface Registration {
  email: string;
  fullName: string;
  /** Name of the account's first workspace; null for an invited person, who joins an existing workspace. */
  organizationName: string | null;
  passwordHash: string;
}

/** Credentials with which the caller of an API operation proves that they own the account. */
export interface Proof {
  password: string | null;
  /** Code of the second factor or from an email; undefined if the API operation accepts no code. */
  code?: string | null;
}

/** Registers users. Reads, changes and closes a user's own account. */
export class AccountService {
  readonly #deps: AccountDeps;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
  }

  /**
   * Throws if people cannot register without an invitation.
   * @throws AppError `forbidden`
   */
  requireOpenRegistration(): void {
    if (this.#deps.settings.registration === 'open') return;
    throw new AppError(
      'forbidden',
      'Registration requires an invitation; ask the owner of a workspace for one.',
    );
  }

  /**
   * Checks that a new account password meets the rules, and hashes it.
   * @throws AppError `validation_error` for a password that is easy to guess
   */
  hashNewPassword(field: string, password: string, personalData: readonly string[]): Promise<string> {
    refuseGuessable(field, password, personalData);
    return hashPassword(password);
  }

  /**
   * Creates an account and its workspace. If the email address is taken, emails the owner instead. The caller
   * does not learn whether the account existed.
   */
  async register(db: Database, registration: Registration): Promise<void> {
    const { accounts, orgs, accountMail } = this.#deps;
    const { email, fullName, organizationName } = registration;
    const createFirstOrg = async (ownerId: string): Promise<void> => {
      if (organizationName !== null) await orgs.createFirst(db, ownerId, organizationName);
    };
    const userId = await accounts.insert(db, registration);
    if (userId !== null) {
      const results = await Promise.allSettled([
        createFirstOrg(userId),
        accountMail.sendLink(db, 'verify_email', { id: userId, email, fullName, emailVerifiedAt: null }),
      ]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      return;
    }
    const owner = await accounts.findByEmail(db, email);
    if (!owner) return;
    // Does the work of a new registration and rolls it back, so that the response time does not reveal
    // whether the account exists.
    await db.runAndRollBack(() => createFirstOrg(owner.id));
    if (owner.emailVerifiedAt === null) return accountMail.sendLink(db, 'verify_email', owner);
    await accountMail.sendAddressTaken(db, owner);
  }

  /**
   * Creates the account and workspace for an email address that the caller has verified. If an unconfirmed
   * account has the address, resets and returns that account. Returns null if a confirmed account has the
   * address.
   * @throws AppError `forbidden` like `requireOpenRegistration`
   */
  async registerVerified(
    db: Database,
    { email, fullName }: Pick<Registration, 'email' | 'fullName'>,
  ): Promise<string | null> {
    const claim = await claimAddress(db, { email, fullName, passwordHash: null }, this.#deps);
    if (claim === null) return null;
    this.requireOpenRegistration();
    if (claim.isNew) await this.#deps.orgs.createFirst(db, claim.userId, nameFirstWorkspace(fullName));
    return claim.userId;
  }

  /**
   * Returns the account.
   * @throws AppError `unauthenticated` if the account is being deleted
   */
  async get(db: Database, userId: string): Promise<Account> {
    const account = await this.#deps.accounts.find(db, userId);
    if (!account) throw createUnauthenticatedError('This account was deleted.');
    return account;
  }

  findWorkspace(db: Database, userId: string, orgId: string | null): Promise<Workspace | null> {
    return orgId === null ? Promise.resolve(null) : this.#deps.accounts.findWorkspace(db, userId, orgId);
  }

  /**
   * Updates the name, avatar and default workspace of an account.
   * @throws AppError `validation_error`; `not_found` or `forbidden` for a workspace to which the person does
   * not belong
   */
  async update(
    db: Database,
    userId: string,
    {
      full_name: fullName,
      avatar_url: avatarUrl,
      default_org_id: defaultOrgId,
    }: { full_name?: string; avatar_url?: string | null; default_org_id?: string },
  ): Promise<void> {
    const { accounts } = this.#deps;
    if (defaultOrgId !== undefined && !(await accounts.updateDefault(db, userId, defaultOrgId)))
      throw await this.#createNoAccessError(db, defaultOrgId);
    await accounts.update(db, userId, {
      ...(fullName !== undefined && { fullName }),
      ...(avatarUrl !== undefined && { avatarUrl }),
    });
  }

  /**
   * Moves the user's session to another workspace, and returns the session's new tokens.
   * @param refreshToken refresh token of the session, which proves its ownership; null if the caller has
   * signed in recently
   * @throws AppError `not_found` or `forbidden` for a workspace without access, `validation_error` for the
   * token
   */
  async switchOrg(
    db: Database,
    { userId, sessionId }: { userId: string; sessionId: string },
    orgId: string,
    refreshToken: string | null,
  ): Promise<Tokens> {
    const { accounts, sessions } = this.#deps;
    if (refreshToken !== null) await sessions.checkRefresh(db, sessionId, refreshToken);
    if (!(await accounts.findWorkspace(db, userId, orgId))) throw await this.#createNoAccessError(db, orgId);
    return sessions.moveTo(db, sessionId, orgId);
  }

  /**
   * Checks the password that a signed-in user has entered again.
   * @throws AppError `validation_error`, `rate_limited`
   */
  async checkPassword(db: Database, userId: string, field: string, password: string): Promise<Account> {
    const attempt = await this.#deps.throttle.attempt(userId);
    const account = await this.get(db, userId);
    if (await verifyPassword(account.passwordHash, password)) return account;
    throw attempt.isOverLimit ? attempt.refusal : invalidField(field, 'is not your password');
  }

  /**
   * Sets a user's new password, ends all their other sessions and informs them by email.
   * @throws AppError `validation_error` if the password was changed since `checkPassword`
   */
  async changePassword(
    db: Database,
    account: Account,
    passwordHash: string,
    sessionId: string,
  ): Promise<void> {
    const locked = await this.#deps.accounts.findLocked(db, account.id);
    if (locked?.passwordHash !== account.passwordHash)
      throw invalidField('current_password', 'is not your password');
    await this.#deps.accounts.updatePassword(db, account.id, passwordHash);
    await this.#deps.sessions.endAll(db, account.id, sessionId);
    await this.#mailPasswordChange(db, account);
  }

  /**
   * Verifies that the caller owns the account: by the account's password, or by a recent sign-in if the
   * account has no password. If the API operation accepts a `code`, a code of the second factor or from an
   * email replaces the recent sign-in. A code from an email is used up.
   * @throws AppError `validation_error`, `rate_limited`, `fresh_proof_required`
   */
  async proveOwnership(
    db: Database,
    { userId, hasFreshProof }: { userId: string; hasFreshProof: boolean },
    { password, code }: Proof,
  ): Promise<Account> {
    const account = await this.get(db, userId);
    if (account.passwordHash !== null) {
      if (password === null)
        throw invalidField('password', 'is required, because your account has a password');
      return this.checkPassword(db, userId, 'password', password);
    }
    if (hasFreshProof) return account;
    if (code === undefined) throw freshProofRequired();
    if (account.mfaActivatedAt !== null) return account;
    if (code === null) throw freshProofRequired();
    const { throttle, accountMail, wrongCodes } = this.#deps;
    const attempt = await throttle.attempt(userId);
    await wrongCodes.check(db, 'mailed_codes_paused', account.email);
    if (await accountMail.tryCode(db, account.email, code)) {
      await wrongCodes.check(db, 'mailed_codes_paused', account.email);
      if (await accountMail.useCode(db, account.email, code)) return account;
    } else await wrongCodes.count('mailed_codes_paused', account.email, account.email);
    throw attempt.isOverLimit
      ? attempt.refusal
      : invalidField('code', 'is not the code that was emailed to you');
  }

  /**
   * Closes the account at once; a workflow deletes its data later.
   * @throws AppError `last_owner`
   */
  async close(db: Database, { id: userId, email, fullName: name }: Account): Promise<void> {
    const { accounts, sessions, mail, outbox, accessRevocation } = this.#deps;
    const [owned] = await accounts.listSolelyOwnedLocked(db, userId);
    if (owned !== undefined)
      throw new AppError(
        'last_owner',
        `You are the last owner of ${owned}; make another member an owner, or delete the workspace.`,
      );
    await accounts.deactivate(db, userId);
    await sessions.endAll(db, userId);
    await accessRevocation.revoke(db, userId);
    await mail.send(db, { to: email, template: 'account_deleted', data: { name } });
    await outbox.command(
      { orgId: NO_WORKSPACE, db },
      {
        workflow: 'deleteAccount',
        action: 'start',
        workflowId: deleteAccountWorkflowId(userId),
        args: [{ userId }],
        summary: 'Remove the data of a closed account',
      },
    );
  }

  /** Deletes the remaining data of a closed account. */
  delete(db: Database, userId: string): Promise<void> {
    return this.#deps.accounts.delete(db, userId);
  }

  #mailPasswordChange(db: Database, { id: userId, email: to, fullName: name }: Account): Promise<void> {
    return this.#deps.mail.send(db, { to, userId, template: 'password_changed', data: { name } });
  }

  async #createNoAccessError(db: Database, orgId: string): Promise<AppError> {
    if (!(await this.#deps.accounts.hasWorkspace(db, orgId))) return notFound('workspace');
    return new AppError('forbidden', 'You are not a member of this workspace.');
  }
}

/** Returns the name of the workspace that a new account gets. */
export function nameFirstWorkspace(fullName: string): string {
  return `${fullName.slice(0, 200)}’s workspace`;
}
