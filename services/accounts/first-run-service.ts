import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { invalidField, markAsGuess, type AppError } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import type { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { BootstrapRepository } from '../../repositories/installation/bootstrap.repository.ts';
import type { AuditService } from '../team/audit-service.ts';
import type { OrgService } from '../team/org-service.ts';
import type { AccountService } from './account-service.ts';
import type { Tokens } from './session-service.ts';
import type { SignInContext, SignInService } from './sign-in-service.ts';

/**
 * Data from which the first account of an installation and its workspace are created. The email address is in
 * lower case.
 */
export interface FirstOwner {
  token: string;
  fullName: string;
  email: string;
  workspaceName: string;
}

export interface FirstRunDeps {
  bootstrap: BootstrapRepository;
  links: AccountLinkRepository;
  accounts: AccountRepository;
  passwords: Pick<AccountService, 'hashNewPassword'>;
  orgs: OrgService;
  signIn: SignInService;
  audit: AuditService;
}

/**
 * Lets the person who has started Parley create the installation's first account, with the link on the start
 * screen.
 */
export class FirstRunService {
  readonly #deps: FirstRunDeps;

  constructor(deps: FirstRunDeps) {
    this.#deps = deps;
  }

  /** Returns whether the first account of the installation can be created with a link. */
  canSetUpOwner(db: Database): Promise<boolean> {
    return this.#deps.bootstrap.hasValidLink(db);
  }

  /**
   * Checks the link with which the first owner is set up, and hashes the owner's password.
   * @throws AppError `validation_error` for an invalid link or a password that is easy to guess
   */
  async prepare(db: Database, { token, fullName, email }: FirstOwner, password: string): Promise<string> {
    const { links, passwords } = this.#deps;
    const account = await links.findAccount(db, digestSecret(token), 'first_run');
    if (account?.passwordHash !== null) throw badLink();
    return passwords.hashNewPassword('password', password, [email, fullName]);
  }

  /**
   * Creates the first account and its workspace, and signs the person in. Another sign-in to the account
   * makes the link invalid.
   * @throws AppError `validation_error` if the link was already used, or another account has the email
   *   address; `conflict` if another account takes the address at the same time
   */
  async complete(
    db: Database,
    { token, fullName, email, workspaceName }: FirstOwner,
    passwordHash: string,
    context: SignInContext,
  ): Promise<Tokens> {
    const { bootstrap, links, accounts, orgs, signIn, audit } = this.#deps;
    const digest = digestSecret(token);
    const account = await links.findAccount(db, digest, 'first_run');
    const owner = account && (await bootstrap.findUnusedOwnerLocked(db, account.id));
    if (!owner || !(await links.use(db, digest, 'first_run'))) throw badLink();
    const { userId, orgId } = owner;
    if (await accounts.isEmailTaken(db, email, userId))
      throw invalidField('email', 'is the address of another account; choose a different one');
    await accounts.update(db, userId, { fullName, email });
    await accounts.updatePassword(db, userId, passwordHash);
    await orgs.update({ db, orgId, userId, keyId: null }, { name: workspaceName });
    const changedFields = ['full_name', 'email', 'password', 'workspace_name'];
    await audit.recordOwnAccountWrite(db, userId, { ...context, changedFields });
    return signIn.finish(db, { ...account, fullName, email, passwordHash }, context);
  }
}

function badLink(): AppError {
  return markAsGuess(
    invalidField(
      'token',
      'is not valid, was used or has expired; as long as the setup is not complete, `npm start` prints a new link',
    ),
  );
}
