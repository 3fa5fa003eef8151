import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CreatedAt, Flag, Integer, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { AlertPolicy } from './alert-policy.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_alert_digests' };

/**
 * `sent`: queued for the policy's workflow. `empty`: there was nothing to say. `late`: the next one tells of it. `skipped`: an
 * operator wanted so. `unsent`: nobody could have been told.
 */
const digestStates = ['due', 'sent', 'empty', 'late', 'skipped', 'unsent'] as const;
export type DigestState = (typeof digestStates)[number];

/** How often each event of a bot has happened, by `<bot>:<name>`. */
export type SeenCounts = Record<string, number>;

/** A day on which a policy had something to sum up; it has one at most. */
@Entity('alert_digests')
export class AlertDigest {
  @PrimaryColumn({ name: 'policy_id', type: 'uuid', ...KEY })
  @ForeignKey(() => AlertPolicy, 'id', { name: 'fk_alert_digests_policy_id', onDelete: 'CASCADE' })
  policyId!: string;
  /** Of the policy's zone. */
  @PrimaryColumn({ name: 'date', type: 'date', ...KEY }) date!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** A digest was due; otherwise it is about what was held alone. */
  @Flag('is_digest') isDigest!: boolean;
  @Timestamp('due_at') dueAt!: Date;
  @Text('state', { default: 'due' }) state!: DigestState;
  /** Why nothing was sent. */
  @NullableText('reason') reason!: string | null;
  /** It covers what has happened after that, */
  @Timestamp('begins_at', { nullable: true }) beginsAt!: Date | null;
  /** until then. */
  @Timestamp('ends_at', { nullable: true }) endsAt!: Date | null;
  /** By name, of what it covers. */
  @Json('counts', { default: {} }) counts!: Record<string, number>;
  /** Since the hour in which it begins, when it was made: the next one has what has come since. */
  @Json('seen', { default: {} }) seen!: SeenCounts;
  @Integer('waiting', { default: 0 }) waiting!: number;
  @Integer('bookings', { default: 0 }) bookings!: number;
  @Integer('held', { default: 0 }) held!: number;
  @CreatedAt() createdAt!: Date;
}
