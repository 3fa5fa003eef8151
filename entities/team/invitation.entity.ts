import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import type { OrgRole } from './membership.entity.ts';
import { Org } from './org.entity.ts';
import { User } from '../accounts/user.entity.ts';

export const invitationStatuses = ['pending', 'accepted', 'expired', 'revoked'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** Roles that an invitation can grant. */
export const invitedRoles = ['admin', 'member', 'viewer'] as const;
export type InvitedRole = Exclude<OrgRole, 'owner'>;

/**
 * An invitation to a workspace. `tokenDigest` is the SHA-256 in hex of the token in the emailed link. Each
 * resend creates a new token and increments the revision.
 */
@Entity('invitations')
@Index('uq_invitations_token_digest', ['tokenDigest'], { unique: true })
@Index('uq_invitations_handed_digest', ['handedDigest'], {
  unique: true,
  where: 'handed_digest IS NOT NULL',
})
@Index('uq_invitations_pending', ['orgId', 'email'], { unique: true, where: "status = 'pending'" })
@Index('ix_invitations_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_invitations_invited_by_id', ['invitedById'])
@Index('ix_invitations_expires_at', ['expiresAt'])
export class Invitation {
  @Id('invitations') id!: string;
  @Reference('invitations', 'org_id', () => Org) orgId!: string;
  /** Invited email address in lower case. */
  @Text('email') email!: string;
  @Text('role') role!: InvitedRole;
  /** Status of the invitation. A pending invitation counts as expired after `expiresAt`. */
  @Text('status', { default: 'pending' }) status!: InvitationStatus;
  @Text('token_digest') tokenDigest!: string;
  /**
   * SHA-256 of the token in the link that the inviter can share. The page of that link does not show the
   * invited email address.
   */
  @NullableText('handed_digest') handedDigest!: string | null;
  @Integer('revision', { default: 1 }) revision!: number;
  @Reference('invitations', 'invited_by_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  invitedById!: string | null;
  /** Time at which the invitation was last emailed. */
  @Timestamp('sent_at', { default: () => 'now()' }) sentAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
  /**
   * Time at which to email a reminder of the invitation; null once the reminder of the current revision was
   * sent.
   */
  @Timestamp('remind_at', { nullable: true }) remindAt!: Date | null;
  @Timestamp('accepted_at', { nullable: true }) acceptedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
