import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/secret-digest.ts';
import type { Settings } from '../../core/settings.ts';
import type { Database } from '../../entities/database.ts';
import type { InvitedRole } from '../../entities/invitation.entity.ts';
import type {
  InvitationRepository,
  InvitationState,
  InvitationTimes,
  NamedInvitation,
} from '../../repositories/invitation.repository.ts';
import type { MemberRepository } from '../../repositories/member.repository.ts';
import { inTransaction, type OrgScope } from '../../repositories/org-scope.ts';
import type { Throttle } from '../accounts/throttle.ts';
import type { MailService } from '../mail/mail.service.ts';
import type { OutboxService } from '../outbox.service.ts';
import { signalInvitation, startInvitation } from './invitation-commands.ts';
import type { ActingScope } from './members.service.ts';
import { requireRole } from './roles.ts';

export interface InvitationServiceDeps {
  invitations: InvitationRepository;
  members: MemberRepository;
  mail: MailService;
  outbox: OutboxService;
  keyring: Keyring;
  settings: InvitationTimes & Pick<Settings, 'baseUrl'>;
  mailThrottle: Throttle;
}

/** Asks people into a workspace; the workflow `invitation` mails the link, reminds once, and ends it when its time is over. */
export class InvitationService {
  readonly #deps: InvitationServiceDeps;

  constructor(deps: InvitationServiceDeps) {
    this.#deps = deps;
  }

  list(scope: OrgScope): Promise<NamedInvitation[]> {
    return this.#deps.invitations.listNamed(scope);
  }

  /** Keeps workspaces, however many somebody makes, from flooding a mailbox. @throws AppError `rate_limited` */
  async throttle(email: string): Promise<void> {
    await this.#deps.mailThrottle.attempt(email.toLowerCase());
  }

  /** The same, of an invitation that there is. @throws AppError `rate_limited`, `forbidden` or `not_found` */
  async throttleResend(scope: OrgScope, id: string): Promise<void> {
    const { email } = await this.#deps.invitations.getNamed(scope, id);
    await this.throttle(email);
  }

  /** @throws AppError `conflict` for an address that is a member's, or invited already; `forbidden` */
  async create(
    scope: ActingScope,
    { email: asked, role }: { email: string; role: InvitedRole },
  ): Promise<NamedInvitation> {
    const { invitations, members, outbox, settings } = this.#deps;
    const { userId: invitedById } = scope;
    const email = asked.toLowerCase();
    requireRole(await members.holdRoleOf(scope, invitedById), 'admin');
    await this.#requireStranger(scope, email);
    if (await invitations.isPendingFor(scope, email))
      throw new AppError('conflict', 'This address is invited already; resend that invitation instead.');
    const id = newId();
    const row = { id, email, role, invitedById, tokenDigest: this.#digest(id, 1) };
    await invitations.insertFor(scope, row, settings);
    await outbox.command(scope, startInvitation({ id, role, orgId: scope.orgId }));
    return invitations.getNamed(scope, id);
  }

  /** @throws AppError `conflict` unless it is pending; `forbidden` or `not_found` */
  async revoke(scope: OrgScope, id: string): Promise<void> {
    const { invitations, outbox } = this.#deps;
    const invitation = await invitations.getNamed(scope, id);
    if (!(await invitations.markRevoked(scope, id))) throw notPending(await invitations.getNamed(scope, id));
    await outbox.command(scope, signalInvitation(invitation, 'revoke'));
  }

  /**
   * Voids the link and mails another one, which lasts as long as the first.
   * @throws AppError `conflict` for one that was accepted or revoked, or somebody who is a member now; `forbidden` or
   *   `not_found`
   */
  async resend(scope: ActingScope, id: string): Promise<NamedInvitation> {
    const { invitations, members, outbox } = this.#deps;
    requireRole(await members.holdRoleOf(scope, scope.userId), 'admin');
    const { email, revision, status } = await invitations.getForUpdate(scope, id);
    await this.#requireStranger(scope, email);
    if (status === 'expired' && (await invitations.isPendingFor(scope, email)))
      throw new AppError('conflict', 'This address was invited anew; resend that invitation instead.');
    if (!(await this.renew(scope, id, revision))) throw notPending(await invitations.getNamed(scope, id));
    const renewed = await invitations.getNamed(scope, id);
    await outbox.command(scope, signalInvitation(renewed, 'resend', [String(renewed.revision)]));
    return renewed;
  }

  /** @throws AppError `not_found` for a token that opens nothing, or nothing any more */
  async open(db: Database, token: string): Promise<NamedInvitation> {
    const invitation = await this.#deps.invitations.findOpen(db, digestSecret(token));
    if (!invitation) throw notFound('invitation');
    return invitation;
  }

  /**
   * Makes the account a member, in the caller's transaction.
   * @throws AppError `not_found` like `open`, `conflict` for a member
   */
  async accept(db: Database, token: string, userId: string): Promise<NamedInvitation> {
    const { invitations, members, outbox } = this.#deps;
    const invitation = await invitations.lockOpen(db, digestSecret(token));
    if (!invitation) throw notFound('invitation');
    const scope = { db, orgId: invitation.orgId };
    if (!(await members.add(scope, { userId, role: invitation.role })))
      throw new AppError('conflict', 'You are a member of this workspace already.');
    await invitations.markAccepted(scope, invitation.id);
    await outbox.command(scope, signalInvitation(invitation, 'accept'));
    return invitation;
  }

  /** Mails the link of the present revision, once. Answers null when there is no such invitation any more. */
  mailLink(scope: OrgScope, id: string): Promise<InvitationState | null> {
    return inTransaction(scope, async (each) => {
      const { invitations } = this.#deps;
      const state = await invitations.stateOf(each, id);
      if (state?.status === 'pending' && state.expireInMs > 0)
        await this.#mail(each, 'invitation', await invitations.getNamed(each, id));
      return state;
    });
  }

  /** Mails the same link again, once for each revision. */
  remind(scope: OrgScope, id: string): Promise<void> {
    return inTransaction(scope, async (each) => {
      const { invitations } = this.#deps;
      if (await invitations.takeReminder(each, id))
        await this.#mail(each, 'invitation_reminder', await invitations.getNamed(each, id));
    });
  }

  expire(scope: OrgScope, id: string): Promise<void> {
    return this.#deps.invitations.markExpired(scope, id);
  }

  async end(scope: OrgScope, id: string): Promise<void> {
    await this.#deps.invitations.markRevoked(scope, id);
  }

  /** Follows a revision by the next one. Answers false when that has happened, or the invitation is at its end. */
  renew(scope: OrgScope, id: string, revision: number): Promise<boolean> {
    const next = revision + 1;
    const row = { id, revision: next, tokenDigest: this.#digest(id, next) };
    return this.#deps.invitations.renew(scope, row, this.#deps.settings);
  }

  async #requireStranger(scope: OrgScope, email: string): Promise<void> {
    if (await this.#deps.members.hasEmail(scope, email))
      throw new AppError('conflict', 'This address is a member’s already.');
  }

  #mail(
    { db, orgId }: OrgScope,
    template: 'invitation' | 'invitation_reminder',
    { id, email, role, revision, expiresAt, orgName, invitedBy }: NamedInvitation,
  ): Promise<void> {
    const { mail, keyring, settings } = this.#deps;
    const link = `${settings.baseUrl}/invitations/${keyring.invitationToken(id, revision)}`;
    const data = { orgName, inviterName: invitedBy || 'Somebody', role, link, expiresAt };
    const secretDigest = this.#digest(id, revision);
    return mail.send(db, {
      to: email,
      orgId,
      template,
      data,
      secretDigest,
      key: `${template}/${id}/${revision}`,
    });
  }

  #digest(id: string, revision: number): string {
    return digestSecret(this.#deps.keyring.invitationToken(id, revision));
  }
}

function notPending({ status }: NamedInvitation): AppError {
  return new AppError('conflict', `The invitation is ${status}; only one that is pending can be changed.`);
}
