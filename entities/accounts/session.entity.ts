import { Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { User } from './user.entity.ts';

/**
 * A sign-in of a person and the family of its refresh tokens; the present token has its `generation`. The row is
 * deleted when the session ends.
 */
@Entity('sessions')
@Index('ix_sessions_user_id', ['userId'])
@Index('ix_sessions_org_id', ['orgId'])
@Index('ix_sessions_expires_at', ['expiresAt'])
export class Session {
  @Id('sessions') id!: string;
  @Reference('sessions', 'user_id', () => User) userId!: string;
  /** The workspace in which the person works; null without a membership. */
  @Reference('sessions', 'org_id', () => Org, { nullable: true, onDelete: 'SET NULL' }) orgId!: string | null;
  @Counter('generation') generation!: number;
  /** When the present generation began. */
  @Timestamp('rotated_at', { default: () => 'now()' }) rotatedAt!: Date;
  @NullableText('user_agent') userAgent!: string | null;
  @NullableText('ip') ip!: string | null;
  @Timestamp('last_used_at', { default: () => 'now()' }) lastUsedAt!: Date;
  /** Extended by each refresh, at most to `endsAt`. */
  @Timestamp('expires_at') expiresAt!: Date;
  @Timestamp('ends_at') endsAt!: Date;
  @CreatedAt() createdAt!: Date;
}
