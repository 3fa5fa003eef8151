import { In, Not, type SelectQueryBuilder } from 'typeorm';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { listInBatches, readNewest } from '../../database/list-in-batches.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { fromNow, isNewerThan, isPast, isToCome } from '../../database/times.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { MailRow, type MailState } from '../../entities/mail/mail.entity.ts';
import {
  Invitation,
  type InvitationStatus,
  type InvitedRole,
} from '../../entities/team/invitation.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** An invitation with what its readers call things. */
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
  /** Of the mail with the present link; null until it is queued, and once it is forgotten. */
  mailState: MailState | null;
  /** When the reminder of the present link was queued. */
  remindedAt: Date | null;
  /** Empty when the account of whoever invited is gone. */
  invitedBy: string;
  orgName: string;
  orgSlug: string;
  /** Of the link that is mailed, which shows whose the address is. */
  tokenDigest: string;
  /** Of somebody who has a confirmed account with this address. */
  userId: string | null;
  /** What whoever has invited is in the workspace now, be it by one above it. */
  inviterRole: OrgRole | null;
  /** The workspace is neither deleted nor switched off. */
  isOrgOpen: boolean;
}

/** How long until what comes next, in milliseconds; none of it is due for an invitation that is not pending. */
export interface InvitationState {
  status: InvitationStatus;
  revision: number;
  remindInMs: number | null;
  expireInMs: number;
}

/** How long its link is good, and after how long its mail is sent once more. */
export type InvitationTimes = Pick<Settings, 'invitationDays' | 'invitationReminderDays'>;

/** With those whom it is about, as far as they are there, and its mails. */
type JoinedInvitation = Invitation & {
  org: Org;
  inviter: Pick<User, 'fullName'> | null;
  invited: Pick<User, 'id'> | null;
  mailed: Pick<MailRow, 'state'> | null;
  reminded: Pick<MailRow, 'createdAt'> | null;
};

/** What an invitation is by the clock of the database, and by the roles of now. */
interface PresentFacts {
  isOver: boolean;
  inviterRole: OrgRole | null;
}

/** An invitation that somebody has sent, and what they are in its workspace now. */
export type SentInvitation = Pick<Invitation, 'id'> & Pick<PresentFacts, 'inviterRole'>;

const millisecondsTo = (time: string) => `ceil(extract(epoch FROM ${time} - now()) * 1000)::float8`;

export class InvitationRepository extends ScopedRepository<Invitation> {
  constructor() {
    super(Invitation, 'invitation');
  }

  /** Newest first. */
  listNamed(scope: OrgScope): Promise<NamedInvitation[]> {
    return listInBatches((limit, last: NamedInvitation | undefined) =>
      readNamed(readNewest(this.query(scope), limit, last)),
    );
  }

  /** @throws AppError `forbidden` for one of another workspace, `not_found` for none */
  async getNamed(scope: OrgScope, id: string): Promise<NamedInvitation> {
    const [invitation] = await readNamed(this.query(scope).andWhere({ id }));
    return invitation ?? this.refuse(scope, id);
  }

  /** By either of its links, in whatever state it is. */
  async findByDigest(db: Database, digest: string): Promise<NamedInvitation | null> {
    const rows = db.repository(Invitation).createQueryBuilder('row');
    const [invitation] = await readNamed(rows.where([{ tokenDigest: digest }, { handedDigest: digest }]));
    return invitation ?? null;
  }

  /** The same, locked with its workspace until the transaction ends: whoever else accepts it meanwhile finds it accepted. */
  async findByDigestLocked(db: Database, digest: string): Promise<NamedInvitation | null> {
    const found = await this.findByDigest(db, digest);
    if (!found) return null;
    // In the order in which whoever deletes a workspace locks both.
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
    await db.repository(Invitation).insert({ ...row, orgId, ...fromNowOn(times) });
  }

  /** Whether an invitation of the address is pending; one that has run out makes room for another. */
  async hasPending({ db, orgId }: OrgScope, email: string): Promise<boolean> {
    const invitations = db.repository(Invitation);
    const pending = { orgId, email, status: 'pending' } as const;
    await invitations.update({ ...pending, expiresAt: isPast() }, { status: 'expired' });
    return invitations.existsBy(pending);
  }

  /** Makes the next revision; returns false when that was made before, or nobody can accept it any more. */
  async updateRevision(
    { db, orgId }: OrgScope,
    { id, revision, ...digests }: Pick<Invitation, 'id' | 'revision' | 'tokenDigest' | 'handedDigest'>,
    times: InvitationTimes,
  ): Promise<boolean> {
    const { affected } = await db
      .repository(Invitation)
      .update(
        { id, orgId, revision: revision - 1, status: In(['pending', 'expired']) },
        { revision, ...digests, status: 'pending', sentAt: () => 'now()', ...fromNowOn(times) },
      );
    return affected === 1;
  }

  async markAccepted(scope: OrgScope, id: string): Promise<void> {
    await this.update(scope, id, { status: 'accepted', acceptedAt: () => 'now()' });
  }

  /** Returns whether it was pending. */
  async markRevoked({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const { affected } = await db
      .repository(Invitation)
      .update({ id, orgId, status: 'pending', expiresAt: isToCome() }, { status: 'revoked' });
    return affected === 1;
  }

  /** What somebody has sent, in whatever workspace, and is pending. */
  listPendingOf(db: Database, userId: string): Promise<SentInvitation[]> {
    return db
      .repository(Invitation)
      .createQueryBuilder('row')
      .select('row.id', 'id')
      .addSelect(INVITER_ROLE, 'inviterRole')
      .where({ invitedById: userId, status: 'pending' })
      .getRawMany<SentInvitation>();
  }

  /** Revokes those of them that are pending still, and returns these. */
  markAllRevoked(db: Database, ids: string[]): Promise<Invitation[]> {
    const pending = { id: In(ids), status: 'pending' } as const;
    return updateReturning(db.repository(Invitation), pending, { status: 'revoked' });
  }

  /**
   * When the workspace sent the invitation that is the so many-th of the last day, counted from the newest; null where
   * there are fewer. One that was sent again counts for its last time. @param exceptId one that does not count
   */
  async findSentAt({ db, orgId }: OrgScope, place: number, exceptId: string): Promise<Date | null> {
    const [sent] = await db.repository(Invitation).find({
      where: { orgId, id: Not(exceptId), sentAt: isNewerThan("interval '1 day'") },
      order: { sentAt: 'DESC' },
      skip: place - 1,
      take: 1,
    });
    return sent?.sentAt ?? null;
  }

  async markExpired({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db
      .repository(Invitation)
      .update({ id, orgId, status: 'pending', expiresAt: isPast() }, { status: 'expired' });
  }

  /** Returns whether nobody has reminded of this revision. */
  async claimReminder({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const { affected } = await db
      .repository(Invitation)
      .update(
        { id, orgId, status: 'pending', remindAt: isPast(), expiresAt: isToCome() },
        { remindAt: null },
      );
    return affected === 1;
  }

  /** Null when there is no such invitation any more. */
  async findState(scope: OrgScope, id: string): Promise<InvitationState | null> {
    const state = await this.query(scope)
      .andWhere({ id })
      .select('row.status', 'status')
      .addSelect('row.revision', 'revision')
      .addSelect(millisecondsTo('row.remindAt'), 'remindInMs')
      .addSelect(millisecondsTo('row.expiresAt'), 'expireInMs')
      .getRawOne<InvitationState>();
    return state ?? null;
  }
}

const INVITER_ROLE = 'effective_role(row.invitedById, row.orgId)';

const fromNowOn = ({ invitationDays, invitationReminderDays }: InvitationTimes) => ({
  expiresAt: fromNow(invitationDays, 'days'),
  remindAt: fromNow(invitationReminderDays, 'days'),
});

/** @param rows invitations, aliased `row` */
async function readNamed(rows: SelectQueryBuilder<Invitation>): Promise<NamedInvitation[]> {
  const keyOf = (template: string) => `'${template}/' || row.id || '/' || row.revision`;
  const { entities, raw } = await rows
    .innerJoinAndMapOne('row.org', Org, 'org', 'org.id = row.orgId')
    .leftJoinAndMapOne('row.inviter', User, 'inviter', 'inviter.id = row.invitedById')
    .leftJoinAndMapOne(
      'row.invited',
      User,
      'invited',
      'invited.email = row.email AND invited.emailVerifiedAt IS NOT NULL',
    )
    .leftJoinAndMapOne('row.mailed', MailRow, 'mailed', `mailed.key = ${keyOf('invitation')}`)
    .leftJoinAndMapOne('row.reminded', MailRow, 'reminded', `reminded.key = ${keyOf('invitation_reminder')}`)
    .select(['row', 'org', 'inviter.id', 'inviter.fullName', 'invited.id'])
    .addSelect(['mailed.id', 'mailed.state', 'reminded.id', 'reminded.createdAt'])
    .addSelect('row.expiresAt <= now()', 'isOver')
    .addSelect(INVITER_ROLE, 'inviterRole')
    .getRawAndEntities<PresentFacts>();
  return entities.map((row, index) => namedInvitation(row as JoinedInvitation, raw[index]!));
}

function namedInvitation(
  { org, inviter, invited, mailed, reminded, ...row }: JoinedInvitation,
  { isOver, inviterRole }: PresentFacts,
): NamedInvitation {
  const { id, orgId, email, role, revision, tokenDigest, expiresAt, acceptedAt, createdAt } = row;
  return {
    id,
    orgId,
    email,
    role,
    status: row.status === 'pending' && isOver ? 'expired' : row.status,
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
    isOrgOpen: org.isActive && org.deletedAt === null,
  };
}
