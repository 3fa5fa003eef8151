import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import {
  Invitation,
  type InvitationStatus,
  type InvitedRole,
} from '../../entities/team/invitation.entity.ts';
import type { MailState } from '../../entities/mail/mail.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

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
}

/** How long until what comes next, in milliseconds; none of it is due for an invitation that is not pending. */
export interface InvitationState {
  status: InvitationStatus;
  revision: number;
  remindInMs: number | null;
  expireInMs: number;
}

const NAMED = `
  SELECT i.id, i.org_id AS "orgId", i.email, i.role, i.revision, i.token_digest AS "tokenDigest", i.expires_at AS "expiresAt",
         i.accepted_at AS "acceptedAt", i.created_at AS "createdAt",
         CASE WHEN i.status = 'pending' AND i.expires_at <= now() THEN 'expired' ELSE i.status END AS status,
         coalesce(inviter.full_name, '') AS "invitedBy", o.name AS "orgName", o.slug AS "orgSlug", invited.id AS "userId",
         mailed.state AS "mailState", reminded.created_at AS "remindedAt"
  FROM invitations i
  JOIN orgs o ON o.id = i.org_id
  LEFT JOIN users inviter ON inviter.id = i.invited_by_id
  LEFT JOIN users invited ON invited.email = i.email AND invited.email_verified_at IS NOT NULL
  LEFT JOIN mails mailed ON mailed.key = 'invitation/' || i.id || '/' || i.revision
  LEFT JOIN mails reminded ON reminded.key = 'invitation_reminder/' || i.id || '/' || i.revision`;

/** How long its link is good, and after how long its mail is sent once more. */
export type InvitationTimes = Pick<Settings, 'invitationDays' | 'invitationReminderDays'>;

/** Whether whoever sent it could do so now. */
const IS_ENTITLED = (invitations: string) =>
  `coalesce(effective_role(${invitations}.invited_by_id, ${invitations}.org_id), '') IN ('owner', 'admin')`;

const millisecondsTo = (time: string) => `ceil(extract(epoch FROM ${time} - now()) * 1000)::float8`;

export class InvitationRepository extends ScopedRepository<Invitation> {
  constructor() {
    super(Invitation, 'invitation');
  }

  /** Newest first. */
  listNamed({ db, orgId }: OrgScope): Promise<NamedInvitation[]> {
    return db.sql(`${NAMED} WHERE i.org_id = $1 ORDER BY i.created_at DESC, i.id DESC`, [orgId]);
  }

  /** @throws AppError `forbidden` for one of another workspace, `not_found` for none */
  async getNamed(scope: OrgScope, id: string): Promise<NamedInvitation> {
    const [invitation] = await scope.db.sql<NamedInvitation>(`${NAMED} WHERE i.id = $1 AND i.org_id = $2`, [
      id,
      scope.orgId,
    ]);
    return invitation ?? this.refuse(scope, id);
  }

  /** The one that can still be accepted, of a workspace that is there. */
  async findOpen(db: Database, tokenDigest: string): Promise<NamedInvitation | null> {
    return this.#open(db, tokenDigest, '');
  }

  /** The same, locked until the transaction ends: whoever else accepts it meanwhile finds it accepted. */
  async lockOpen(db: Database, tokenDigest: string): Promise<NamedInvitation | null> {
    return this.#open(db, tokenDigest, 'FOR UPDATE OF i FOR KEY SHARE OF o');
  }

  async #open(db: Database, tokenDigest: string, lock: string): Promise<NamedInvitation | null> {
    const [invitation] = await db.sql<NamedInvitation>(
      `${NAMED} WHERE (i.token_digest = $1 OR i.handed_digest = $1) AND i.status = 'pending' AND i.expires_at > now()
         AND o.deleted_at IS NULL AND o.is_active AND ${IS_ENTITLED('i')} ${lock}`,
      [tokenDigest],
    );
    return invitation ?? null;
  }

  async insertFor(
    { db, orgId }: OrgScope,
    row: Pick<Invitation, 'id' | 'email' | 'role' | 'tokenDigest' | 'handedDigest' | 'invitedById'>,
    { invitationDays, invitationReminderDays }: InvitationTimes,
  ): Promise<void> {
    await db.sql(
      `INSERT INTO invitations (id, org_id, email, role, token_digest, invited_by_id, expires_at, remind_at, handed_digest)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7), now() + make_interval(days => $8), $9)`,
      [
        row.id,
        orgId,
        row.email,
        row.role,
        row.tokenDigest,
        row.invitedById,
        invitationDays,
        invitationReminderDays,
        row.handedDigest,
      ],
    );
  }

  /** Frees an address whose invitation has run out; returns whether another one is pending. */
  async isPendingFor({ db, orgId }: OrgScope, email: string): Promise<boolean> {
    await db.sql(
      `UPDATE invitations SET status = 'expired'
       WHERE org_id = $1 AND email = $2 AND status = 'pending' AND expires_at <= now()`,
      [orgId, email],
    );
    const pending = await db.sql(
      `SELECT FROM invitations WHERE org_id = $1 AND email = $2 AND status = 'pending'`,
      [orgId, email],
    );
    return pending.length > 0;
  }

  /** Makes the next revision; returns false when that was made before, or nobody can accept it any more. */
  async renew(
    { db, orgId }: OrgScope,
    {
      id,
      revision,
      tokenDigest,
      handedDigest,
    }: Pick<Invitation, 'id' | 'revision' | 'tokenDigest' | 'handedDigest'>,
    { invitationDays, invitationReminderDays }: InvitationTimes,
  ): Promise<boolean> {
    const rows = await db.sql(
      `UPDATE invitations SET revision = $3, token_digest = $4, handed_digest = $7, status = 'pending',
         sent_at = now(), expires_at = now() + make_interval(days => $5), remind_at = now() + make_interval(days => $6)
       WHERE id = $1 AND org_id = $2 AND revision = $3 - 1 AND status IN ('pending', 'expired') RETURNING id`,
      [id, orgId, revision, tokenDigest, invitationDays, invitationReminderDays, handedDigest],
    );
    return rows.length > 0;
  }

  async markAccepted({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.sql(
      `UPDATE invitations SET status = 'accepted', accepted_at = now() WHERE id = $1 AND org_id = $2`,
      [id, orgId],
    );
  }

  /** Returns whether it was pending. */
  async markRevoked({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const rows = await db.sql(
      `UPDATE invitations SET status = 'revoked'
       WHERE id = $1 AND org_id = $2 AND status = 'pending' AND expires_at > now() RETURNING id`,
      [id, orgId],
    );
    return rows.length > 0;
  }

  /** Ends what somebody could not send any more, in whatever workspace. */
  revokeUnentitled(db: Database, userId: string): Promise<Pick<Invitation, 'id' | 'orgId' | 'role'>[]> {
    return db.sql(
      `UPDATE invitations SET status = 'revoked'
       WHERE invited_by_id = $1 AND status = 'pending' AND NOT ${IS_ENTITLED('invitations')}
       RETURNING id, org_id AS "orgId", role`,
      [userId],
    );
  }

  /**
   * When the workspace may send another one, if it sends so many within a day; null for now. One that was sent again counts
   * for its last time. @param id the one that is to be sent
   */
  async nextAt({ db, orgId }: OrgScope, limit: number, id: string): Promise<Date | null> {
    const [sent] = await db.sql<{ nextAt: Date }>(
      `SELECT sent_at + interval '1 day' AS "nextAt" FROM invitations
       WHERE org_id = $1 AND id <> $3 AND sent_at > now() - interval '1 day'
       ORDER BY sent_at DESC OFFSET $2 - 1 LIMIT 1`,
      [orgId, limit, id],
    );
    return sent?.nextAt ?? null;
  }

  async markExpired({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.sql(
      `UPDATE invitations SET status = 'expired'
       WHERE id = $1 AND org_id = $2 AND status = 'pending' AND expires_at <= now()`,
      [id, orgId],
    );
  }

  /** Returns whether nobody has reminded of this revision. */
  async takeReminder({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const rows = await db.sql(
      `UPDATE invitations SET remind_at = NULL
       WHERE id = $1 AND org_id = $2 AND status = 'pending' AND remind_at <= now() AND expires_at > now()
       RETURNING id`,
      [id, orgId],
    );
    return rows.length > 0;
  }

  /** Null when there is no such invitation any more. */
  async stateOf({ db, orgId }: OrgScope, id: string): Promise<InvitationState | null> {
    const [state] = await db.sql<InvitationState>(
      `SELECT status, revision, ${millisecondsTo('remind_at')} AS "remindInMs",
              ${millisecondsTo('expires_at')} AS "expireInMs"
       FROM invitations WHERE id = $1 AND org_id = $2`,
      [id, orgId],
    );
    return state ?? null;
  }
}
