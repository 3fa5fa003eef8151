import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CreatedAt, Flag, Integer, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { AlertPolicy } from './alert-policy.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_alert_digests' };

/**
 * State of an alert digest, which is one message about a day's events. `sent`: queued for the policy's
 * workflow. `empty`: nothing to report. `late`: too late, so the next digest includes its events. `skipped`:
 * an operator skipped it. `unsent`: the policy could not send.
 */
const digestStates = ['due', 'sent', 'empty', 'late', 'skipped', 'unsent'] as const;
export type DigestState = (typeof digestStates)[number];

/** Number of events that an alert digest has counted so far, by `<bot>:<event name>`. */
export type SeenCounts = Record<string, number>;

/** A digest or a summary of held alerts of an alert policy for one day. */
@Entity('alert_digests')
export class AlertDigest {
  @PrimaryColumn({ name: 'policy_id', type: 'uuid', ...KEY })
  @ForeignKey(() => AlertPolicy, 'id', { name: 'fk_alert_digests_policy_id', onDelete: 'CASCADE' })
  policyId!: string;
  /** Day of the alert digest in the policy's time zone. */
  @PrimaryColumn({ name: 'date', type: 'date', ...KEY }) date!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Whether the row is a digest. False if it only summarizes held alerts, because no digest was due. */
  @Flag('is_digest') isDigest!: boolean;
  @Timestamp('due_at') dueAt!: Date;
  @Text('state', { default: 'due' }) state!: DigestState;
  /** Reason why the alert digest was not sent. */
  @NullableText('reason') reason!: string | null;
  /** Exclusive start of the period that the alert digest covers. */
  @Timestamp('begins_at', { nullable: true }) beginsAt!: Date | null;
  /** Inclusive end of the period that the alert digest covers. */
  @Timestamp('ends_at', { nullable: true }) endsAt!: Date | null;
  /** Number of events in the period of the alert digest, by event name. */
  @Json('counts', { default: {} }) counts!: Record<string, number>;
  /**
   * Event counts from the start of the period's first hour, as they were at this digest. The next digest
   * subtracts these counts from newer counts, and so also reports events that were counted late.
   */
  @Json('seen', { default: {} }) seen!: SeenCounts;
  @Integer('waiting', { default: 0 }) waiting!: number;
  @Integer('bookings', { default: 0 }) bookings!: number;
  @Integer('held', { default: 0 }) held!: number;
  @CreatedAt() createdAt!: Date;
}
