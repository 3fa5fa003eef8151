import { AppError, asGuess, invalidField, notFound, unauthenticated } from '../../core/errors.ts';
import { requireVisible } from '../../core/visible-text.ts';
import type { Settings } from '../../core/settings.ts';
import type { Database } from '../../entities/database.ts';
import type {
  Account,
  AccountRepository,
  OtherAccess,
  Workspace,
} from '../../repositories/account.repository.ts';
import type { SecondFactorRepository } from '../../repositories/second-factor.repository.ts';
import { deleteAccountWorkflowId } from '../../workflows/shared/commands.ts';
import type { MailService } from '../mail/mail.service.ts';
import { NO_WORKSPACE, type OutboxService } from '../outbox.service.ts';
import type { FormerRights } from '../team/former-rights.ts';
import type { OrgService } from '../team/orgs.service.ts';
import type { AccountMailService } from './account-mail.service.ts';
import { freshProofRequired } from './fresh-proof.ts';
import { hashPassword, refuseGuessable, verifyPassword } from './passwords.ts';
import { claimAddress, proveAddress } from './prove-address.ts';
import type { SessionService, Tokens } from './sessions.service.ts';
import type { Throttle } from './throttle.ts';
import type { WrongCodes } from './wrong-codes.ts';
import type { AuditService } from '../team/audit.service.ts';
import type { Arrival } from './sign-in.service.ts';

export interface AccountDeps {
  accounts: AccountRepository;
  orgs: OrgService;
  sessions: SessionService;
  accountMail: AccountMailService;
  mail: MailService;
  outbox: OutboxService;
  throttle: Throttle;
  wrongCodes: WrongCodes;
  audit: AuditService;
  factors: SecondFactorRepository;
  formerRights: FormerRights;
  settings: Pick<Settings, 'baseUrl' | 'registration'>;
}

export interface Registration {
  email: string;
  fullName: string;
  organizationName: string;
  passwordHash: string;
}

export interface PasswordReset {
  token: string;
  passwordHash: string;
  arrival: Arrival;
  /** Whether the person's API keys and linked identities end with it. */
  endsOtherAccess: boolean;
}

/** A confirmation link that is good, and the hashes of the password that its holder has shown, or chooses. */
export interface Confirmation {
  account: Account;
  ownHash: string | null;
  newHash: string | null;
}

/** What a person may show to be the owner of the account once more. */
export interface Proof {
  password: string | null;
  /** Undefined where none is taken. */
  code?: string | null;
}

/** People's own accounts. */
export class AccountService {
  readonly #deps: AccountDeps;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `forbidden` where accounts are made by invitation alone */
  requireOpenRegistration(): void {
    if (this.#deps.settings.registration === 'open') return;
    throw new AppError('forbidden', 'Accounts are made by invitation here; ask a workspace’s owner for one.');
  }

  /** @throws AppError `validation_error` for a password that is easy to guess */
  hashNew(field: string, password: string, knownOfOwner: readonly string[]): Promise<string> {
    refuseGuessable(field, password, knownOfOwner);
    return hashPassword(password);
  }

  /**
   * Makes the account and its workspace, or tells the owner of an address that is taken; nobody else learns which.
   * @throws AppError `validation_error` for a name that nobody can see
   */
  async register(db: Database, registration: Registration): Promise<void> {
    const { accounts, orgs, accountMail, mail, settings } = this.#deps;
    const { email, fullName, organizationName } = registration;
    requireVisible(fullName, 'full_name');
    requireVisible(organizationName, 'organization_name');
    const userId = await accounts.create(db, registration);
    if (userId !== null) {
      const made = await Promise.allSettled([
        orgs.createFirst(db, userId, organizationName),
        accountMail.sendLink(db, 'verify_email', { id: userId, email, fullName }),
      ]);
      for (const result of made) if (result.status === 'rejected') throw result.reason;
      return;
    }
    const owner = await accounts.byEmail(db, email);
    if (!owner) return;
    // Otherwise the time would tell what the answer does not.
    await db.undone(() => orgs.createFirst(db, owner.id, organizationName));
    if (owner.emailVerifiedAt === null) return accountMail.sendLink(db, 'verify_email', owner);
    const { baseUrl } = settings;
    const links = { signInLink: `${baseUrl}/sign-in`, resetLink: `${baseUrl}/forgot-password` };
    await mail.send(db, {
      to: email,
      userId: owner.id,
      template: 'address_taken',
      data: { name: owner.fullName, ...links },
    });
  }

  /**
   * Makes the account of an address that is known to be the person's, and a workspace, or takes over one that nobody has
   * confirmed; null where there is another one.
   * @throws AppError `forbidden` like `requireOpenRegistration`
   */
  async registerVerified(
    db: Database,
    { email, fullName }: Pick<Registration, 'email' | 'fullName'>,
  ): Promise<string | null> {
    const claim = await claimAddress(db, { email, fullName, passwordHash: null }, this.#deps);
    if (claim === null) return null;
    this.requireOpenRegistration();
    if (claim.isNew) await this.#deps.orgs.createFirst(db, claim.userId, firstWorkspaceOf(fullName));
    return claim.userId;
  }

  /** @throws AppError `unauthenticated` for an account that is being deleted */
  async get(db: Database, userId: string): Promise<Account> {
    const account = await this.#deps.accounts.byId(db, userId);
    if (!account) throw unauthenticated('This account is gone.');
    return account;
  }

  workspaceOf(db: Database, userId: string, orgId: string | null): Promise<Workspace | null> {
    return orgId === null ? Promise.resolve(null) : this.#deps.accounts.workspaceOf(db, userId, orgId);
  }

  /** @throws AppError `validation_error`; `not_found`, `forbidden` for a default workspace that the person is no member of */
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
    if (fullName !== undefined) requireVisible(fullName, 'full_name');
    if (defaultOrgId !== undefined && !(await accounts.setDefault(db, userId, defaultOrgId)))
      throw await this.#notYours(db, defaultOrgId);
    await accounts.change(db, userId, {
      ...(fullName !== undefined && { fullName }),
      ...(avatarUrl !== undefined && { avatarUrl }),
    });
  }

  /** @throws AppError `not_found`, `forbidden` for a workspace that the person has no rights in */
  async switchOrg(db: Database, userId: string, sessionId: string, orgId: string): Promise<Tokens> {
    if (!(await this.#deps.accounts.workspaceOf(db, userId, orgId))) throw await this.#notYours(db, orgId);
    return this.#deps.sessions.moveTo(db, sessionId, orgId);
  }

  /**
   * Checks the password once more, of somebody who is signed in.
   * @throws AppError `validation_error`, `rate_limited`
   */
  async checkPassword(db: Database, userId: string, field: string, password: string): Promise<Account> {
    const attempt = await this.#deps.throttle.attempt(userId);
    const account = await this.get(db, userId);
    if (await verifyPassword(account.passwordHash, password)) return account;
    throw attempt.isOneTooMany ? attempt.refusal : invalidField(field, 'is not your password');
  }

  /**
   * Ends all other sessions, and tells the person.
   * @throws AppError `validation_error` where the password that `checkPassword` has found right was changed meanwhile
   */
  async changePassword(
    db: Database,
    account: Account,
    passwordHash: string,
    sessionId: string,
  ): Promise<void> {
    const held = await this.#deps.accounts.hold(db, account.id);
    if (held?.passwordHash !== account.passwordHash)
      throw invalidField('current_password', 'is not your password');
    await this.#deps.accounts.setPassword(db, account.id, passwordHash);
    await this.#deps.sessions.endAll(db, account.id, sessionId);
    await this.#tellOfPassword(db, account);
  }

  /** @throws AppError `validation_error` for a link that is not good */
  async holderOfReset(db: Database, token: string): Promise<Account> {
    const account = await this.#deps.accountMail.holderOf(db, 'reset_password', token);
    if (!account) throw badLink();
    return account;
  }

  /**
   * Sets the password with a mailed link and ends all sessions; from here, strangers' guesses do not keep its owner out.
   * The second factor of whoever has shown before that they read the mail stays as it is. Answers what else gives access.
   * @throws AppError `validation_error` for a link that was used meanwhile
   */
  async resetPassword(
    db: Database,
    account: Account,
    { token, passwordHash, arrival, endsOtherAccess }: PasswordReset,
  ): Promise<string> {
    const { accounts, accountMail, sessions } = this.#deps;
    await accounts.hold(db, account.id);
    if (!(await accountMail.useLink(db, 'reset_password', token))) throw badLink();
    await proveAddress(db, account.id, this.#deps);
    await accounts.dropEarlyIdentities(db, account.id);
    await accounts.setPassword(db, account.id, passwordHash);
    await sessions.endAll(db, account.id);
    await sessions.knowAddress(db, account.id, arrival.ip);
    await this.#deps.audit.noteOfPerson(db, account.id, { ...arrival, changedFields: ['password'] });
    if (endsOtherAccess) await accounts.dropOtherWaysIn(db, account.id);
    const access = accessText(await accounts.otherAccess(db, account.id));
    const { id: userId, email: to, fullName: name } = account;
    await this.#deps.mail.send(db, { to, userId, template: 'password_reset', data: { name, access } });
    return access;
  }

  /**
   * What a confirmation link opens. With the password that the account was registered with, everything stays as it is.
   * @throws AppError `validation_error` for a link that is not good, a password that is not the account's, or one too many
   */
  async openConfirmation(
    db: Database,
    { token, password, newPassword }: { token: string; password: string | null; newPassword: string | null },
  ): Promise<Confirmation> {
    const account = await this.#deps.accountMail.holderOf(db, 'verify_email', token);
    if (!account) throw badLink();
    if (newPassword !== null) {
      if (password !== null) throw invalidField('new_password', 'is for whoever does not give the password');
      if (account.emailVerifiedAt !== null)
        throw invalidField('new_password', 'needs another link: the address was verified before');
      const known = [account.email, account.fullName];
      return { account, ownHash: null, newHash: await this.hashNew('new_password', newPassword, known) };
    }
    if (password === null || account.emailVerifiedAt !== null)
      return { account, ownHash: null, newHash: null };
    if (!(await verifyPassword(account.passwordHash, password)))
      throw asGuess(
        invalidField('password', 'is not the one that the account was registered with; choose a new one'),
      );
    return { account, ownHash: account.passwordHash, newHash: null };
  }

  /**
   * Notes that the address is its reader's. Whoever gives the password has registered it; otherwise somebody else may
   * have, so that the account starts afresh. Answers whether it has a password now.
   * @throws AppError `validation_error` for a link that is not good any more
   */
  async verifyEmail(
    db: Database,
    token: string,
    { account, ownHash, newHash }: Confirmation,
    arrival: Arrival,
  ): Promise<boolean> {
    const { accounts, accountMail } = this.#deps;
    const held = await accounts.hold(db, account.id);
    const isChanged = ownHash !== null && held?.passwordHash !== ownHash;
    if (!held || isChanged || !(await accountMail.useLink(db, 'verify_email', token))) throw badLink();
    await this.#deps.audit.noteOfPerson(db, account.id, { ...arrival, changedFields: [] });
    if (ownHash !== null) await accounts.verify(db, account.id);
    else if (await proveAddress(db, account.id, this.#deps)) {
      await accounts.setPassword(db, account.id, newHash);
      return newHash !== null;
    }
    return held.passwordHash !== null;
  }

  /**
   * Checks that the account's owner asks: by the password or, where there is none, by a fresh sign-in. Where a `code` is
   * taken, the second factor counts in its place or, where that is off, a mailed code.
   * @throws AppError `validation_error`, `rate_limited`, `fresh_proof_required`
   */
  async prove(
    db: Database,
    { userId, isProven }: { userId: string; isProven: boolean },
    { password, code }: Proof,
  ): Promise<Account> {
    const account = await this.get(db, userId);
    if (account.passwordHash !== null) {
      if (password === null) throw invalidField('password', 'is needed: your account has one');
      return this.checkPassword(db, userId, 'password', password);
    }
    if (isProven) return account;
    if (code === undefined) throw freshProofRequired();
    if (account.mfaActivatedAt !== null) return account;
    if (code === null) throw freshProofRequired();
    const { throttle, accountMail, wrongCodes } = this.#deps;
    const attempt = await throttle.attempt(userId);
    await wrongCodes.check('mailed_codes_paused', account.email);
    if (await accountMail.tryCode(db, account.email, code)) return account;
    await wrongCodes.count('mailed_codes_paused', account.email, account.email);
    throw attempt.isOneTooMany
      ? attempt.refusal
      : invalidField('code', 'is not the code that was mailed to you');
  }

  /**
   * Closes the account at once; a workflow removes it.
   * @throws AppError `last_owner`
   */
  async close(db: Database, { id: userId, email, fullName: name }: Account): Promise<void> {
    const { accounts, sessions, mail, outbox, formerRights } = this.#deps;
    const [owned] = await accounts.soleOwnerOf(db, userId);
    if (owned !== undefined)
      throw new AppError(
        'last_owner',
        `You are the last owner of ${owned}; make somebody else an owner, or delete it.`,
      );
    await accounts.deactivate(db, userId);
    await sessions.endAll(db, userId);
    await formerRights.end(db, userId);
    await mail.send(db, { to: email, template: 'account_deleted', data: { name } });
    await outbox.command(
      { orgId: NO_WORKSPACE, db },
      {
        workflow: 'deleteAccount',
        action: 'start',
        workflowId: deleteAccountWorkflowId(userId),
        args: [{ userId }],
        summary: 'Remove an account',
      },
    );
  }

  /** Removes what is left of a closed account. */
  remove(db: Database, userId: string): Promise<void> {
    return this.#deps.accounts.remove(db, userId);
  }

  #tellOfPassword(db: Database, { id: userId, email: to, fullName: name }: Account): Promise<void> {
    return this.#deps.mail.send(db, { to, userId, template: 'password_changed', data: { name } });
  }

  async #notYours(db: Database, orgId: string): Promise<AppError> {
    if (!(await this.#deps.accounts.hasWorkspace(db, orgId))) return notFound('workspace');
    return new AppError('forbidden', 'This workspace is not one of yours.');
  }
}

/** What the workspace is called that somebody begins with. */
export function firstWorkspaceOf(fullName: string): string {
  return `${fullName.slice(0, 200)}’s workspace`;
}

function accessText({ keys, providers, hasFactor }: OtherAccess): string {
  const ways = [
    ...(keys > 0 ? [keys === 1 ? 'one API key' : `${keys} API keys`] : []),
    ...providers.map((provider) => `sign-in with ${provider}`),
  ];
  const isOne = ways.length === 1 && keys <= 1;
  const last = ways.pop();
  const listed = ways.length > 0 ? `${ways.join(', ')} and ${last}` : last;
  const still = listed
    ? `Besides, ${listed} ${isOne ? 'is' : 'are'} still good.`
    : 'Nothing else gives access.';
  return hasFactor ? `${still} The second factor is still asked for.` : still;
}

function badLink(): AppError {
  return asGuess(invalidField('token', 'is not valid, was used or has expired; ask for a new link'));
}
