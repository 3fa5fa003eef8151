import { Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { User } from './user.entity.ts';

/**
 * A person's session. `generation` is the number of the current refresh token, which each refresh increments.
 * The row is deleted when the session ends.
 */
@Entity('sessions')
@Index('ix_sessions_user_id', ['userId'])
@Index('ix_sessions_org_id', ['orgId'])
@Index('ix_sessions_expires_at', ['expiresAt'])
export class Session {
  @Id('sessions') id!: string;
  @Reference('sessions', 'user_id', () => User) userId!: string;
  /** Workspace that the session's requests use by default; null if the person belongs to no workspace. */
  @Reference('sessions', 'org_id', () => Org, { nullable: true, onDelete: 'SET NULL' }) orgId!: string | null;
  @Counter('generation') generation!: number;
  /** Time at which the session's current refresh token was issued. */
  @Timestamp('rotated_at', { default: () => 'now()' }) rotatedAt!: Date;
  @NullableText('user_agent') userAgent!: string | null;
  @NullableText('ip') ip!: string | null;
  @Timestamp('last_used_at', { default: () => 'now()' }) lastUsedAt!: Date;
  /** Time at which the session expires without a refresh. Each refresh extends it, up to `endsAt`. */
  @Timestamp('expires_at') expiresAt!: Date;
  @Timestamp('ends_at') endsAt!: Date;
  @CreatedAt() createdAt!: Date;
}
