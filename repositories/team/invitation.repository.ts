import { In, Not, type SelectQueryBuilder } from 'typeorm';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { listInBatches, limitToNewest } from '../../database/list-in-batches.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { fromNow, isNewerThan, isInPast, isInFuture } from '../../database/times.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { MailRow, type MailState } from '../../entities/mail/mail.entity.ts';
import {
  Invitation,
  type InvitationStatus,
  type InvitedRole,
} from '../../entities/team/invitation.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** An invitation with the names of its workspace and its inviter. */
export interface NamedInvitation {
  id: string;
  orgId: string;
  email: string;
  role: InvitedRole;
  status: InvitationStatus;
  revision: number;
  expiresAt: Date;
  acceptedAt: Date | null;
  createdAt: Date;
  /**
   * State of the email with the invitation's current link. Null before the email is queued, and after its
   * deletion.
   */
  mailState: MailState | null;
  /** Time at which the reminder for the invitation's current link was queued. */
  remindedAt: Date | null;
  /** Name of the person who invited; empty if the account was deleted. */
  invitedBy: string;
  orgName: string;
  orgSlug: string;
  /**
   * Digest of the token in the emailed link of the invitation. Opening this link proves that the person can
   * read email to the address.
   */
  tokenDigest: string;
  /** Id of the confirmed account with the invited email address, if any. */
  userId: string | null;
  /** Current role of the inviter in the workspace, which may come from a workspace above. */
  inviterRole: OrgRole | null;
  /** True if the workspace of the invitation is active and not deleted. */
  isOrgActive: boolean;
}

/**
 * Status of an invitation. A pending invitation also has the milliseconds until its reminder and its expiry.
 */
export interface InvitationState {
  status: InvitationStatus;
  revision: number;
  remindInMs: number | null;
  expireInMs: number;
}

/** Settings with the lifetime of an invitation's link and the delay of its reminder, in days. */
export type InvitationTimes = Pick<Settings, 'invitationDays' | 'invitationReminderDays'>;

/** An invitation joined with related rows, such as its email, which may be missing. */
type JoinedInvitation = Invitation & {
  org: Org;
  inviter: Pick<User, 'fullName'> | null;
  invited: Pick<User, 'id'> | null;
  mailed: Pick<MailRow, 'state'> | null;
  reminded: Pick<MailRow, 'createdAt'> | null;
};

/** Facts about an invitation that depend on the database's clock and on current roles. */
interface CurrentFacts {
  isExpired: boolean;
  inviterRole: OrgRole | null;
}

/** An invitation that an account has sent, with the current role of that account. */
export type SentInvitation = Pick<Invitation, 'id'> & Pick<CurrentFacts, 'inviterRole'>;

const toMillisecondsUntil = (time: string) => `ceil(extract(epoch FROM ${time} - now()) * 1000)::float8`;

export class InvitationRepository extends ScopedRepository<Invitation> {
  constructor() {
    super(Invitation, 'invitation');
  }

  /** Lists the workspace's invitations, newest first. */
  listNamed(scope: OrgScope): Promise<NamedInvitation[]> {
    return listInBatches((limit, last: NamedInvitation | undefined) =>
      listNamedInvitations(limitToNewest(this.query(scope), limit, last)),
    );
  }

  /**
   * Returns an invitation with the names of its workspace and people.
   * @throws AppError `forbidden` for an invitation of another workspace, `not_found` for a missing invitation
   */
  async getNamed(scope: OrgScope, id: string): Promise<NamedInvitation> {
    const [invitation] = await listNamedInvitations(this.query(scope).andWhere({ id }));
    return invitation ?? this.throwMissing(scope, id);
  }

  /**
   * Finds an invitation of any status by the digest of the token in its emailed link, or in the link that the
   * inviter can share.
   */
  async findByDigest(db: Database, digest: string): Promise<NamedInvitation | null> {
    const rows = db.repository(Invitation).createQueryBuilder('row');
    const [invitation] = await listNamedInvitations(
      rows.where([{ tokenDigest: digest }, { handedDigest: digest }]),
    );
    return invitation ?? null;
  }

  /**
   * Finds an invitation like `findByDigest`, and locks it and its workspace until the transaction ends. If
   * the invitation was accepted during the wait for the lock, the result shows the acceptance.
   */
  async findByDigestLocked(db: Database, digest: string): Promise<NamedInvitation | null> {
    const found = await this.findByDigest(db, digest);
    if (!found) return null;
    // Lock the workspace first, as its deletion does, so that the two do not deadlock.
    await db.repository(Org).findOne({ where: { id: found.orgId }, lock: { mode: 'for_key_share' } });
    await db
      .repository(Invitation)
      .findOne({ where: { id: found.id, orgId: found.orgId }, lock: { mode: 'pessimistic_write' } });
    return this.findByDigest(db, digest);
  }

  async insertSent(
    { db, orgId }: OrgScope,
    row: Pick<Invitation, 'id' | 'email' | 'role' | 'tokenDigest' | 'handedDigest' | 'invitedById'>,
    times: InvitationTimes,
  ): Promise<void> {
    await db.repository(Invitation).insert({ ...row, orgId, ...computeTimes(times) });
  }

  /**
   * Returns whether the email address has a pending invitation to the workspace. Sets an overdue invitation
   * to `expired` first, so that a new invitation can be sent.
   */
  async hasPending({ db, orgId }: OrgScope, email: string): Promise<boolean> {
    const invitations = db.repository(Invitation);
    const pending = { orgId, email, status: 'pending' } as const;
    await invitations.update({ ...pending, expiresAt: isInPast() }, { status: 'expired' });
    return invitations.existsBy(pending);
  }

  /**
   * Stores new links of an invitation with their revision.
   * @returns false if the invitation already has this revision, or the invitation was accepted or revoked
   */
  async updateRevision(
    { db, orgId }: OrgScope,
    { id, revision, ...digests }: Pick<Invitation, 'id' | 'revision' | 'tokenDigest' | 'handedDigest'>,
    times: InvitationTimes,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(Invitation)
      .update(
        { id, orgId, revision: revision - 1, status: In(['pending', 'expired']) },
        { revision, ...digests, status: 'pending', sentAt: () => 'now()', ...computeTimes(times) },
      );
    return affected === 1;
  }

  async markAccepted(scope: OrgScope, id: string): Promise<void> {
    await this.update(scope, id, { status: 'accepted', acceptedAt: () => 'now()' });
  }

  /**
   * Revokes an invitation.
   * @returns false if the invitation was not pending
   */
  async markRevoked({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const { affected } = await db
      .repository(Invitation)
      .update({ id, orgId, status: 'pending', expiresAt: isInFuture() }, { status: 'revoked' });
    return affected === 1;
  }

  /** Lists pending invitations that an account has sent, in all workspaces. */
  listPendingSentBy(db: Database, userId: string): Promise<SentInvitation[]> {
    return db
      .repository(Invitation)
      .createQueryBuilder('row')
      .select('row.id', 'id')
      .addSelect(INVITER_ROLE, 'inviterRole')
      .where({ invitedById: userId, status: 'pending' })
      .getRawMany<SentInvitation>();
  }

  /** Revokes those of the given invitations that are pending. Returns the revoked invitations. */
  markAllRevoked(db: Database, ids: string[]): Promise<Invitation[]> {
    const pending = { id: In(ids), status: 'pending' } as const;
    return updateReturning(db.repository(Invitation), pending, { status: 'revoked' });
  }

  /**
   * Returns the time at which the workspace sent the n-th newest invitation of the last day; null if the
   * workspace sent fewer. An invitation that was sent repeatedly counts once, at its last time.
   * @param rank the number n; 1 is the newest invitation
   * @param exceptId id of an invitation that does not count
   */
  async findSentAt({ db, orgId }: OrgScope, rank: number, exceptId: string): Promise<Date | null> {
    const [sent] = await db.repository(Invitation).find({
      where: { orgId, id: Not(exceptId), sentAt: isNewerThan("interval '1 day'") },
      order: { sentAt: 'DESC' },
      skip: rank - 1,
      take: 1,
    });
    return sent?.sentAt ?? null;
  }

  async markExpired({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db
      .repository(Invitation)
      .update({ id, orgId, status: 'pending', expiresAt: isInPast() }, { status: 'expired' });
  }

  /**
   * Claims the reminder of an invitation, so that it is sent once.
   * @returns false if the reminder was claimed before or is not due
   */
  async claimReminder({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const { affected } = await db
      .repository(Invitation)
      .update(
        { id, orgId, status: 'pending', remindAt: isInPast(), expiresAt: isInFuture() },
        { remindAt: null },
      );
    return affected === 1;
  }

  /** Returns the state of an invitation; null if the invitation was deleted. */
  async findState(scope: OrgScope, id: string): Promise<InvitationState | null> {
    const state = await this.query(scope)
      .andWhere({ id })
      .select('row.status', 'status')
      .addSelect('row.revision', 'revision')
      .addSelect(toMillisecondsUntil('row.remindAt'), 'remindInMs')
      .addSelect(toMillisecondsUntil('row.expiresAt'), 'expireInMs')
      .getRawOne<InvitationState>();
    return state ?? null;
  }
}

const INVITER_ROLE = 'effective_role(row.invitedById, row.orgId)';

const computeTimes = ({ invitationDays, invitationReminderDays }: InvitationTimes) => ({
  expiresAt: fromNow(invitationDays, 'days'),
  remindAt: fromNow(invitationReminderDays, 'days'),
});

/**
 * Loads invitations with the names of workspace and inviter, and the state of their emails.
 * @param rows query for the invitations, with the alias `row`
 */
async function listNamedInvitations(rows: SelectQueryBuilder<Invitation>): Promise<NamedInvitation[]> {
  const toMailKey = (template: string) => `'${template}/' || row.id || '/' || row.revision`;
  const { entities, raw } = await rows
    .innerJoinAndMapOne('row.org', Org, 'org', 'org.id = row.orgId')
    .leftJoinAndMapOne('row.inviter', User, 'inviter', 'inviter.id = row.invitedById')
    .leftJoinAndMapOne(
      'row.invited',
      User,
      'invited',
      'invited.email = row.email AND invited.emailVerifiedAt IS NOT NULL',
    )
    .leftJoinAndMapOne('row.mailed', MailRow, 'mailed', `mailed.key = ${toMailKey('invitation')}`)
    .leftJoinAndMapOne(
      'row.reminded',
      MailRow,
      'reminded',
      `reminded.key = ${toMailKey('invitation_reminder')}`,
    )
    .select(['row', 'org', 'inviter.id', 'inviter.fullName', 'invited.id'])
    .addSelect(['mailed.id', 'mailed.state', 'reminded.id', 'reminded.createdAt'])
    .addSelect('row.expiresAt <= now()', 'isExpired')
    .addSelect(INVITER_ROLE, 'inviterRole')
    .getRawAndEntities<CurrentFacts>();
  return entities.map((row, index) => toNamedInvitation(row as JoinedInvitation, raw[index]!));
}

function toNamedInvitation(
  { org, inviter, invited, mailed, reminded, ...row }: JoinedInvitation,
  { isExpired, inviterRole }: CurrentFacts,
): NamedInvitation {
  const { id, orgId, email, role, revision, tokenDigest, expiresAt, acceptedAt, createdAt } = row;
  return {
    id,
    orgId,
    email,
    role,
    status: row.status === 'pending' && isExpired ? 'expired' : row.status,
    revision,
    tokenDigest,
    expiresAt,
    acceptedAt,
    createdAt,
    mailState: mailed?.state ?? null,
    remindedAt: reminded?.createdAt ?? null,
    invitedBy: inviter?.fullName ?? '',
    orgName: org.name,
    orgSlug: org.slug,
    userId: invited?.id ?? null,
    inviterRole,
    isOrgActive: org.isActive && org.deletedAt === null,
  };
}
