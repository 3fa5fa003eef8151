import {
  AppError,
  createUnauthenticatedError,
  validationError,
  type ErrorDetail,
} from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import type { NamedInvitation } from '../../repositories/team/invitation.repository.ts';
import type { Device } from '../../repositories/accounts/session.repository.ts';
import { claimAddress, type AddressProofDeps } from '../accounts/prove-address.ts';
import type { AccountService } from '../accounts/account-service.ts';
import { freshProofRequired } from '../accounts/fresh-proof.ts';
import type { Tokens } from '../accounts/session-service.ts';
import type { AuditService } from './audit-service.ts';
import type { InvitationService } from './invitation-service.ts';

export interface AcceptanceDeps extends AddressProofDeps {
  invitations: InvitationService;
  passwords: Pick<AccountService, 'hashNewPassword'>;
  audit: AuditService;
}

export interface AcceptanceInput {
  token: string;
  full_name?: string | null;
  password?: string | null;
  refresh_token?: string | null;
}

/** Device of a person who accepts an invitation, and the id of the request. */
export interface JoiningDevice extends Device {
  requestId: string;
}

/** Person who accepts an invitation: a signed-in user, or the details of a new account. */
type Joiner =
  | { userId: string; sessionId: string }
  | { email: string; fullName: string; passwordHash: string };

/** Lets people accept invitations, with an existing or a new account. */
export class AcceptanceService {
  readonly #deps: AcceptanceDeps;

  constructor(deps: AcceptanceDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the acceptance of an invitation before its transaction starts.
   * @param accessToken token of the signed-in user; undefined for a new account
   * @throws AppError `not_found` for an invalid link; `unauthenticated` if the account must sign in;
   *   `forbidden` for the user of another account; `fresh_proof_required` for an old session without its
   *   refresh token; `validation_error` for missing fields of a new account
   */
  async prepare(db: Database, input: AcceptanceInput, accessToken: string | undefined): Promise<Joiner> {
    const invitation = await this.#deps.invitations.getByLink(db, input.token);
    if (accessToken !== undefined)
      return this.#signedIn(db, invitation, accessToken, input.refresh_token ?? null);
    // Responds alike whether the invited email address has an account or not: the inviter, who has this link,
    // must not learn whether the account exists.
    if (!invitation.isMailed)
      throw createUnauthenticatedError(
        `This link was shared. Sign in with the confirmed account of ${invitation.email}, or create that account first; then accept.`,
      );
    if (invitation.userId !== null)
      throw createUnauthenticatedError('The invited address has an account; sign in to it, then accept.');
    const { email } = invitation;
    const { fullName, password } = requireAccountFields(input);
    const passwordHash = await this.#deps.passwords.hashNewPassword('password', password, [email, fullName]);
    return { email, fullName, passwordHash };
  }

  /**
   * Accepts an invitation in the caller's transaction.
   * @throws AppError `not_found` if another request has accepted the invitation first, `conflict` if the
   *   account is a member already
   */
  async accept(
    db: Database,
    token: string,
    joiner: Joiner,
    { requestId, ...device }: JoiningDevice,
  ): Promise<Tokens> {
    const { invitations, accounts, sessions, audit } = this.#deps;
    const isNew = 'passwordHash' in joiner;
    const userId = isNew ? await this.#claimAccount(db, joiner) : joiner.userId;
    const { orgId, id: resourceId } = await invitations.accept(db, token, userId);
    const subject = { orgId, resourceType: 'invitation', resourceId, action: null };
    const write = { operation: 'acceptInvitation', userId, keyId: null, changedFields: [], requestId };
    audit.record(db, [subject], { ...write, ...device });
    if (!isNew) return sessions.moveTo(db, joiner.sessionId, orgId);
    await accounts.updateDefault(db, userId, orgId);
    const account = { id: userId, mfaActivatedAt: null, passwordHash: joiner.passwordHash };
    return sessions.start(db, { account, orgId, device });
  }

  async #signedIn(
    db: Database,
    { email, userId }: NamedInvitation,
    accessToken: string,
    refreshToken: string | null,
  ): Promise<Joiner> {
    const session = await this.#deps.sessions.findHolder(db, accessToken);
    if (!session)
      throw createUnauthenticatedError(
        'The access token is not valid or has expired; refresh it, or sign in again.',
      );
    if (session.userId !== userId)
      throw new AppError(
        'forbidden',
        `The invitation is for ${email}, but you are signed in with a different account.`,
      );
    if (refreshToken !== null) await this.#deps.sessions.checkRefresh(db, session.sessionId, refreshToken);
    else if (!session.hasFreshProof) throw freshProofRequired();
    return session;
  }

  /**
   * Creates the account of the invited email address, or takes over an account that was not confirmed. The
   * emailed link proves that the caller can read email to this address.
   */
  async #claimAccount(db: Database, joiner: Exclude<Joiner, { userId: string }>): Promise<string> {
    const claim = await claimAddress(db, joiner, this.#deps);
    if (claim === null)
      throw new AppError('conflict', 'The invited address has an account now; sign in to it.');
    return claim.userId;
  }
}

function requireAccountFields({ full_name: fullName, password }: AcceptanceInput): {
  fullName: string;
  password: string;
} {
  if (fullName && password) return { fullName, password };
  const missingFields = Object.entries({ full_name: fullName, password }).filter(([, value]) => !value);
  throw validationError(
    missingFields.map(([field]): ErrorDetail => ({
      field,
      in: 'body',
      code: 'required',
      message: 'is required, because the invited address has no account yet',
    })),
  );
}
