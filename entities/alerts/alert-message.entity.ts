import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, CreatedAt, Id, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import type { AlertChannel } from './alert-destination.entity.ts';

/**
 * Kinds of messages that are sent to alert destinations. `summary` summarizes held alerts. `code` verifies a
 * destination.
 */
const messageKinds = ['alerts', 'digest', 'summary', 'test', 'code'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Kinds of alert messages that contain visitors' content or personal data. */
export const contentKinds: readonly MessageKind[] = ['alerts', 'digest', 'summary'];

/**
 * State of a message to an alert destination. `sending`: the provider may already have it. `accepted`: the
 * provider has it, and reports `delivered`, `read` or `failed` later. `kept`: no provider is configured, so
 * Parley stores the message and shows it at /dev/mail.
 */
const messageStates = ['pending', 'sending', 'accepted', 'delivered', 'read', 'failed', 'kept'] as const;
export type MessageState = (typeof messageStates)[number];

/** A message to a chat or phone number that receives alerts, queued or finished. */
@Entity('alert_messages')
@Index('uq_alert_messages_key', ['key'], { unique: true, where: 'key IS NOT NULL' })
@Index('ix_alert_messages_open', ['policyId', 'createdAt'], { where: "state IN ('pending', 'sending')" })
@Index('ix_alert_messages_provider', ['providerId'], { where: 'provider_id IS NOT NULL' })
@Index('ix_alert_messages_kept', ['createdAt', 'id'], { where: "state = 'kept'" })
@Index('ix_alert_messages_org_id', ['orgId', 'createdAt', 'id'])
@Index('ix_alert_messages_created', ['createdAt'])
export class AlertMessage {
  @Id('alert_messages') id!: string;
  @Reference('alert_messages', 'org_id', () => Org) orgId!: string;
  @Column({ name: 'policy_id', type: 'uuid' }) policyId!: string;
  @Text('channel') channel!: AlertChannel;
  @Text('destination') destination!: string;
  @Text('kind') kind!: MessageKind;
  @Text('state', { default: 'pending' }) state!: MessageState;
  /** Unique key, which prevents queuing the same alert message twice. */
  @NullableText('key') key!: string | null;
  /**
   * Text of the alert message, encrypted with the master key, and with the workspace's key as well if it is
   * content. Null for alerts, whose text is rendered on each attempt, and once the message was sent.
   */
  @Sealed() @NullableText('content') content!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Counter('attempts') attempts!: number;
  /** Time at which the last attempt to send the alert message began. */
  @Timestamp('started_at', { nullable: true }) startedAt!: Date | null;
  /** Reason why the last attempt to send the alert message failed. */
  @NullableText('reason') reason!: string | null;
  @NullableText('provider_id') providerId!: string | null;
  /** Local day for whose cap the alert message counts; null if it does not count. */
  @Column({ name: 'counted_on', type: 'date', nullable: true }) countedOn!: string | null;
  /** Time after which the alert message is no longer useful and is not sent. */
  @Timestamp('expires_at', { nullable: true }) expiresAt!: Date | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}

const DAY = { primaryKeyConstraintName: 'pk_alert_days' };

/** Counts of an alert policy's messages on one day of the policy's time zone. */
@Entity('alert_days')
@Index('ix_alert_days_org_id', ['orgId'])
@Index('ix_alert_days_date', ['date'])
export class AlertDay {
  @PrimaryColumn({ name: 'policy_id', type: 'uuid', ...DAY }) policyId!: string;
  @PrimaryColumn({ name: 'date', type: 'date', ...DAY }) date!: string;
  @Column({ name: 'org_id', type: 'uuid' })
  @ForeignKey(() => Org, 'id', { name: 'fk_alert_days_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  /** Number of sent messages that count against the alert policy's daily cap. */
  @Counter('sent') sent!: number;
  /** Number of alerts that were held because the policy's daily cap was reached. */
  @Counter('held') held!: number;
}
