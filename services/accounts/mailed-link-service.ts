import { markAsGuess, invalidField, type AppError } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../../repositories/accounts/account.ts';
import type { OtherAccess } from '../../repositories/accounts/account.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { AuditService } from '../team/audit-service.ts';
import type { AccountMailService } from './account-mail-service.ts';
import type { AccountService } from './account-service.ts';
import { verifyPassword } from './passwords/passwords.ts';
import { proveAddress, type AddressProofDeps } from './prove-address.ts';
import type { SignInContext } from './sign-in-service.ts';

export interface MailedLinkDeps extends AddressProofDeps {
  accountMail: AccountMailService;
  passwords: Pick<AccountService, 'hashNewPassword'>;
  mail: MailService;
  audit: AuditService;
}

export interface PasswordReset {
  token: string;
  passwordHash: string;
  signInContext: SignInContext;
  /** True if a password reset also revokes the user's API keys and linked identities. */
  endsOtherAccess: boolean;
}

/**
 * The account of a link that confirms an email address. `ownHash` is the hash of the account's password if
 * the caller gave this password; `newHash` is the hash of a new password.
 */
export interface Confirmation {
  account: Account;
  ownHash: string | null;
  newHash: string | null;
}

/** Confirms email addresses and resets passwords with emailed links. */
export class MailedLinkService {
  readonly #deps: MailedLinkDeps;

  constructor(deps: MailedLinkDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the account whose password an emailed reset link may change.
   * @throws AppError `validation_error` for an invalid link
   */
  async getResetAccount(db: Database, token: string): Promise<Account> {
    const account = await this.#deps.accountMail.findAccount(db, 'reset_password', token);
    if (!account) throw badLink();
    return account;
  }

  /**
   * Sets the password of an account with an emailed link and ends all its sessions. From then on, strangers'
   * wrong passwords do not block the caller's IP address. A second factor remains if the address was
   * confirmed before. Returns a text that lists other ways of access that remain, such as API keys.
   * @throws AppError `validation_error` if the link was used meanwhile
   */
  async resetPassword(
    db: Database,
    account: Account,
    { token, passwordHash, signInContext, endsOtherAccess }: PasswordReset,
  ): Promise<string> {
    const { accounts, accountMail, sessions } = this.#deps;
    await accounts.findLocked(db, account.id);
    if (!(await accountMail.useLink(db, 'reset_password', token))) throw badLink();
    await proveAddress(db, account.id, this.#deps);
    await accounts.deleteEarlyIdentities(db, account.id);
    await accounts.updatePassword(db, account.id, passwordHash);
    await sessions.endAll(db, account.id);
    await sessions.rememberAddress(db, account.id, signInContext.ip);
    await this.#deps.audit.recordOwnAccountWrite(db, account.id, {
      ...signInContext,
      changedFields: ['password'],
    });
    if (endsOtherAccess) await accounts.revokeOtherAccess(db, account.id);
    const access = describeAccess(await accounts.getOtherAccess(db, account.id));
    const { id: userId, email: to, fullName: name } = account;
    await this.#deps.mail.send(db, { to, userId, template: 'password_reset', data: { name, access } });
    return access;
  }

  /**
   * Checks a link that confirms an email address. The caller may add either the password of the registration
   * or a new password.
   * @throws AppError `validation_error` for an invalid link, a wrong password, or both passwords
   */
  async checkConfirmation(
    db: Database,
    { token, password, newPassword }: { token: string; password: string | null; newPassword: string | null },
  ): Promise<Confirmation> {
    const account = await this.#deps.accountMail.findAccount(db, 'verify_email', token);
    if (!account) throw badLink();
    if (newPassword !== null) {
      if (password !== null) throw invalidField('new_password', 'must be omitted if the password is sent');
      if (account.emailVerifiedAt !== null)
        throw invalidField(
          'new_password',
          'cannot be set with this link, because the address is already verified; request a new link',
        );
      const personalWords = [account.email, account.fullName];
      return {
        account,
        ownHash: null,
        newHash: await this.#deps.passwords.hashNewPassword('new_password', newPassword, personalWords),
      };
    }
    if (password === null || account.emailVerifiedAt !== null)
      return { account, ownHash: null, newHash: null };
    if (!(await verifyPassword(account.passwordHash, password)))
      throw markAsGuess(
        invalidField(
          'password',
          'is not the password that was set at registration; send a new_password instead',
        ),
      );
    return { account, ownHash: account.passwordHash, newHash: null };
  }

  /**
   * Marks the email address of an account as verified. A caller who gave the account's password is the person
   * who registered it. If the caller gave no password, a stranger may have registered the account, so it is
   * reset. Returns whether the account has a password afterwards.
   * @throws AppError `validation_error` if the link is no longer valid
   */
  async verifyEmail(
    db: Database,
    token: string,
    { account, ownHash, newHash }: Confirmation,
    signInContext: SignInContext,
  ): Promise<boolean> {
    const { accounts, accountMail } = this.#deps;
    const locked = await accounts.findLocked(db, account.id);
    const isChanged = ownHash !== null && locked?.passwordHash !== ownHash;
    if (!locked || isChanged || !(await accountMail.useLink(db, 'verify_email', token))) throw badLink();
    await this.#deps.audit.recordOwnAccountWrite(db, account.id, { ...signInContext, changedFields: [] });
    if (ownHash !== null) await accounts.markVerified(db, account.id);
    else if (await proveAddress(db, account.id, this.#deps)) {
      await accounts.updatePassword(db, account.id, newHash);
      return newHash !== null;
    }
    return locked.passwordHash !== null;
  }
}

function describeAccess({ keys, providers, hasFactor }: OtherAccess): string {
  const ways = [
    ...(keys > 0 ? [keys === 1 ? 'one API key' : `${keys} API keys`] : []),
    ...providers.map((provider) => `sign-in with ${provider}`),
  ];
  const last = ways.pop();
  const listed = ways.length > 0 ? `${ways.join(', ')} and ${last}` : last;
  const still = listed ? `Still valid: ${listed}.` : 'Nothing else gives access.';
  return hasFactor ? `${still} The second factor is still required.` : still;
}

function badLink(): AppError {
  return markAsGuess(invalidField('token', 'is not valid, was used or has expired; request a new link'));
}
