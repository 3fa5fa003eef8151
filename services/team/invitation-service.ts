import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError, invalidField, notFound } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { normalizeMailbox } from '../../core/contacts/mailbox.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { InvitedRole } from '../../entities/team/invitation.entity.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type {
  InvitationRepository,
  InvitationState,
  InvitationTimes,
  NamedInvitation,
} from '../../repositories/team/invitation.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Throttle } from '../accounts/throttle.ts';
import type { RecipientLimits } from '../mail/senders/recipient-limits.ts';
import type { SenderChecks } from '../mail/senders/sender-checks.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';
import type { Quotas } from '../usage/quotas.ts';
import { signalInvitation, startInvitation } from './invitation-commands.ts';
import type { MemberScope } from './member-scope.ts';
import { hasValidLinks, computeNextInvitation } from './invitation-rules.ts';
import { requireSignedInFor, requireRole } from './roles.ts';

const DAY_SECONDS = 24 * 60 * 60;

export interface InvitationServiceDeps {
  invitations: InvitationRepository;
  members: MemberRepository;
  mail: MailService;
  outbox: OutboxService;
  keyring: Keyring;
  settings: InvitationTimes & Pick<Settings, 'baseUrl' | 'invitationsPerDay' | 'invitationsPerPerson'>;
  mailThrottle: Throttle;
  accounts: AccountRepository;
  limiter: RateLimiter;
  recipients: RecipientLimits;
  senders: SenderChecks;
  quotas: Quotas;
}

/** An invitation that was found by the link that a caller has. */
export interface LinkedInvitation extends NamedInvitation {
  /**
   * True if this link was emailed, which proves that the caller can read email to the invited email address.
   */
  isMailed: boolean;
}

/** Invites people to a workspace. The workflow `invitation` emails the link, sends one reminder, and expires the invitation. */
export class InvitationService {
  readonly #deps: InvitationServiceDeps;

  constructor(deps: InvitationServiceDeps) {
    this.#deps = deps;
  }

  list(scope: OrgScope): Promise<NamedInvitation[]> {
    return this.#deps.invitations.listNamed(scope);
  }

  /**
   * Checks the limits of invitations by the inviting account and by recipient, across all
   * workspaces. Without these limits, invitations could flood a mailbox.
   * @throws AppError `rate_limited`; `forbidden` for a caller whose own email address is not
   *   confirmed
   */
  async assertMayInvite({ db, userId }: MemberScope, email: string): Promise<void> {
    const { accounts, limiter, mailThrottle, settings } = this.#deps;
    const account = await accounts.find(db, userId);
    if (!account?.emailVerifiedAt)
      throw new AppError('forbidden', 'Confirm your own email address first; then you can invite others.');
    const { isAdmitted, tightest } = await limiter.consume({
      shared: {
        key: `invitations:${userId}`,
        limit: settings.invitationsPerPerson,
        windowSeconds: DAY_SECONDS,
      },
    });
    if (!isAdmitted)
      throw tooManyInvitations(
        `You have reached your limit of ${tightest.limit} invitations per day`,
        new Date(Date.now() + tightest.resetSeconds * 1000),
      );
    await mailThrottle.attempt(normalizeMailbox(email));
  }

  /**
   * Checks the limits of `assertMayInvite` before an invitation is sent again.
   * @throws AppError like `assertMayInvite`; `not_found`
   */
  async assertMayResend(scope: MemberScope, id: string): Promise<void> {
    const { email } = await this.#deps.invitations.getNamed(scope, id);
    await this.assertMayInvite(scope, email);
  }

  /**
   * Creates an invitation to the workspace and starts the workflow that emails it.
   * @throws AppError `conflict` if the email address belongs to a member or has a pending invitation;
   *   `rate_limited` at the daily limit of the workspace; `forbidden`
   */
  async create(
    scope: MemberScope,
    { email: requestedEmail, role }: { email: string; role: InvitedRole },
  ): Promise<NamedInvitation> {
    const { invitations, members, outbox, settings, quotas } = this.#deps;
    const { userId: invitedById } = scope;
    const email = requestedEmail.toLowerCase();
    requireRole(await members.lockRoles(scope, invitedById), 'admin');
    requireSignedInFor(scope, role, 'invite an admin');
    await this.#requireNoMember(scope, email);
    if (await invitations.hasPending(scope, email))
      throw new AppError('conflict', 'This address is already invited; resend that invitation instead.');
    const id = newId();
    await this.#requireCapacity(scope, id);
    await this.#spendMails(scope, email);
    const row = { id, email, role, invitedById, ...this.#digests(id, 1) };
    await quotas.withSeatCheck(scope, () => invitations.insertSent(scope, row, settings));
    await outbox.command(scope, startInvitation({ id, role, orgId: scope.orgId }));
    return invitations.getNamed(scope, id);
  }

  /**
   * Revokes an invitation to the workspace.
   * @throws AppError `conflict` if the invitation is not pending; `forbidden` or `not_found`
   */
  async revoke(scope: OrgScope, id: string): Promise<void> {
    const { invitations, outbox } = this.#deps;
    const invitation = await invitations.getNamed(scope, id);
    if (!(await invitations.markRevoked(scope, id))) throw notPending(await invitations.getNamed(scope, id));
    await outbox.command(scope, signalInvitation(invitation, 'revoke'));
  }

  /**
   * Replaces the link of an invitation and sends the new link by email, which is valid for the full time. The
   * caller becomes the inviter.
   * @throws AppError `conflict` if the invitation was accepted or revoked, or the person is a member now;
   *   `rate_limited` like `create`; `forbidden` or `not_found`
   */
  async resend(scope: MemberScope, id: string): Promise<NamedInvitation> {
    const { invitations, members, outbox, quotas } = this.#deps;
    requireRole(await members.lockRoles(scope, scope.userId), 'admin');
    const { email, role, revision, status } = await invitations.lock(scope, id);
    requireSignedInFor(scope, role, 'invite an admin');
    await this.#requireNoMember(scope, email);
    if (status === 'expired' && (await invitations.hasPending(scope, email)))
      throw new AppError('conflict', 'This address has a newer invitation; resend that one instead.');
    await this.#requireCapacity(scope, id);
    await this.#spendMails(scope, email);
    const isRenewed = await quotas.withSeatCheck(scope, () => this.renew(scope, id, revision));
    if (!isRenewed) throw notPending(await invitations.getNamed(scope, id));
    await invitations.update(scope, id, { invitedById: scope.userId });
    const renewed = await invitations.getNamed(scope, id);
    await outbox.command(scope, signalInvitation(renewed, 'resend', [String(renewed.revision)]));
    return renewed;
  }

  /**
   * Returns a link that the inviter can pass on. This link does not prove access to the invited mailbox, so
   * accepting with it needs a confirmed account of the invited email address.
   */
  buildShareableLink({ id, revision }: NamedInvitation): string {
    const { keyring, settings } = this.#deps;
    return `${settings.baseUrl}/invitations/${keyring.deriveInvitationToken(id, revision, 'handed')}`;
  }

  /** @throws AppError `not_found` for an invalid or expired link of an invitation */
  async getByLink(db: Database, token: string): Promise<LinkedInvitation> {
    const digest = digestSecret(token);
    const invitation = await this.#deps.invitations.findByDigest(db, digest);
    if (!invitation || !hasValidLinks(invitation)) throw notFound('invitation');
    return { ...invitation, isMailed: invitation.tokenDigest === digest };
  }

  /**
   * Checks that the link's invitation is for this email address.
   * @throws AppError `not_found` like `getByLink`; `validation_error` for another address
   */
  async requireInvited(db: Database, token: string, email: string): Promise<void> {
    const invitation = await this.getByLink(db, token);
    if (invitation.email !== email) throw invalidField('email', 'is not the invited address');
  }

  /**
   * Makes the account a member of the inviting workspace, in the caller's transaction.
   * @throws AppError `not_found` like `getByLink`, `conflict` for a member
   */
  async accept(db: Database, token: string, userId: string): Promise<NamedInvitation> {
    const { invitations, members, outbox } = this.#deps;
    const invitation = await invitations.findByDigestLocked(db, digestSecret(token));
    if (!invitation || !hasValidLinks(invitation)) throw notFound('invitation');
    const scope = { db, orgId: invitation.orgId };
    if (!(await members.insertOrIgnore(scope, { userId, role: invitation.role })))
      throw new AppError('conflict', 'You are already a member of this workspace.');
    await invitations.markAccepted(scope, invitation.id);
    await outbox.command(scope, signalInvitation(invitation, 'accept'));
    return invitation;
  }

  /** Sends the current link of the invitation by email, once. Returns null if the invitation was deleted. */
  mailLink(scope: OrgScope, id: string): Promise<InvitationState | null> {
    return inTransaction(scope, async (tx) => {
      const { invitations } = this.#deps;
      const state = await invitations.findState(tx, id);
      if (state?.status === 'pending' && state.expireInMs > 0)
        await this.#mail(tx, 'invitation', await invitations.getNamed(tx, id));
      return state;
    });
  }

  /**
   * Sends the invitation's current link by email again, at most once. Sends nothing if the recipient, the
   * inviter or the workspace has reached its daily limit of emails.
   */
  remind(scope: OrgScope, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { invitations, recipients } = this.#deps;
      if (!(await invitations.claimReminder(tx, id))) return;
      const invitation = await invitations.getNamed(tx, id);
      const { email: to, invitedById } = await invitations.get(tx, id);
      const by = invitedById === null ? null : { accountId: invitedById };
      if ((await recipients.trySpend(tx, { to, by, count: 1 })) > 0) return;
      await this.#mail(tx, 'invitation_reminder', invitation);
    });
  }

  expire(scope: OrgScope, id: string): Promise<void> {
    return this.#deps.invitations.markExpired(scope, id);
  }

  async end(scope: OrgScope, id: string): Promise<void> {
    await this.#deps.invitations.markRevoked(scope, id);
  }

  /**
   * Renews the links of an invitation, as its next revision. Returns false if that revision exists already,
   * or if the invitation is no longer pending.
   */
  renew(scope: OrgScope, id: string, revision: number): Promise<boolean> {
    const next = revision + 1;
    const row = { id, revision: next, ...this.#digests(id, next) };
    return this.#deps.invitations.updateRevision(scope, row, this.#deps.settings);
  }

  /**
   * Checks the workspace's daily limit of invitations. The caller's transaction has locked the workspace, so
   * the count is exact.
   */
  async #requireCapacity(scope: OrgScope, id: string): Promise<void> {
    const { invitations, settings } = this.#deps;
    const { invitationsPerDay: limit } = settings;
    if (limit === 0) return;
    const nextAt = computeNextInvitation(await invitations.findSentAt(scope, limit, id));
    if (nextAt)
      throw tooManyInvitations(
        `This workspace has reached its limit of ${limit} invitations per day`,
        nextAt,
      );
  }

  /**
   * Counts the email of an invitation toward the limits of the sender and the recipient.
   * @throws AppError `rate_limited` if the email address, the account or the workspace has reached its limit of
   *   emails
   */
  #spendMails(scope: MemberScope, to: string): Promise<void> {
    return this.#deps.recipients.spend(scope, {
      to,
      by: { accountId: scope.userId },
      count: 1,
      field: 'email',
    });
  }

  async #requireNoMember(scope: OrgScope, email: string): Promise<void> {
    if (await this.#deps.members.hasEmail(scope, email))
      throw new AppError('conflict', 'This address already belongs to a member.');
  }

  async #mail(
    { db, orgId }: OrgScope,
    template: 'invitation' | 'invitation_reminder',
    { id, email, role, revision, expiresAt, orgName, invitedBy }: NamedInvitation,
  ): Promise<void> {
    const { mail, keyring, settings, senders } = this.#deps;
    const link = `${settings.baseUrl}/invitations/${keyring.deriveInvitationToken(id, revision)}`;
    const sender = await senders.createSender({ db, orgId }, template);
    const data = {
      orgName: sender.name(orgName, 'a workspace'),
      inviterName: sender.name(invitedBy, '') || 'Someone',
      role,
      link,
      expiresAt,
      notice: sender.notice('en'),
    };
    const { tokenDigest: secretDigest } = this.#digests(id, revision);
    return mail.send(db, {
      to: email,
      orgId,
      template,
      data,
      secretDigest,
      key: `${template}/${id}/${revision}`,
    });
  }

  #digests(id: string, revision: number) {
    const { keyring } = this.#deps;
    return {
      tokenDigest: digestSecret(keyring.deriveInvitationToken(id, revision)),
      handedDigest: digestSecret(keyring.deriveInvitationToken(id, revision, 'handed')),
    };
  }
}

function tooManyInvitations(reason: string, retryAt: Date): AppError {
  const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000));
  const time = new Date(Math.ceil(retryAt.getTime() / 60_000) * 60_000).toISOString().slice(0, 16);
  return new AppError(
    'rate_limited',
    `${reason}; the next invitation is possible at ${time.replace('T', ' ')} UTC.`,
    {
      headers: { 'Retry-After': String(seconds) },
      subject: 'limit invitations',
    },
  );
}

function notPending({ status }: NamedInvitation): AppError {
  return new AppError('conflict', `The invitation is ${status}; only a pending invitation can be changed.`);
}
