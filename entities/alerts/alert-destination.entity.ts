import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, CreatedAt, NullableText, Text, Timestamp, UpdatedAt } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

export const alertChannels = ['telegram', 'whatsapp'] as const;
export type AlertChannel = (typeof alertChannels)[number];

const KEY = { primaryKeyConstraintName: 'pk_alert_destinations' };

/**
 * A chat or phone number that receives a workspace's alerts. The destination is verified once for all alert
 * policies.
 */
@Entity('alert_destinations')
@Index('ix_alert_destinations_place', ['channel', 'destination'])
export class AlertDestination {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_alert_destinations_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @PrimaryColumn({ name: 'channel', type: 'text', ...KEY }) channel!: AlertChannel;
  /** Id or `@name` of a Telegram chat, or a WhatsApp phone number in E.164. */
  @PrimaryColumn({ name: 'destination', type: 'text', ...KEY }) destination!: string;
  /** Name of the chat or person that receives alerts, according to the messaging provider. */
  @NullableText('name') name!: string | null;
  @Timestamp('verified_at', { nullable: true }) verifiedAt!: Date | null;
  /**
   * How the owner of the alert destination verified it: by opening a connection link, or by entering a code
   * that was sent to the destination.
   */
  @NullableText('verified_by') verifiedBy!: 'link' | 'code' | null;
  /** Messaging provider's id of the message in which the person agreed to alerts. */
  @NullableText('consent') consent!: string | null;
  /**
   * Time at which the person last wrote to Parley in the messaging app. WhatsApp accepts
   * messages without a template for 24 hours after that.
   */
  @Timestamp('last_inbound_at', { nullable: true }) lastInboundAt!: Date | null;
  @Timestamp('blocked_at', { nullable: true }) blockedAt!: Date | null;
  @NullableText('blocked_reason') blockedReason!: string | null;
  /** Number of consecutive alert messages to the destination that the provider could not deliver. */
  @Counter('undeliverable') undeliverable!: number;
  @NullableText('code_digest') codeDigest!: string | null;
  @Timestamp('code_expires_at', { nullable: true }) codeExpiresAt!: Date | null;
  @Counter('code_tries') codeTries!: number;
  @Timestamp('next_code_at', { nullable: true }) nextCodeAt!: Date | null;
  /** Earliest time for the next alert message to the destination, to respect the provider's rate limit. */
  @Timestamp('next_at', { nullable: true }) nextAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}

/**
 * An attempt to connect a chat by a link, so that it receives alerts. Opening the link connects the chat to
 * the workspace.
 */
@Entity('alert_attempts')
@Index('uq_alert_attempts_code', ['codeDigest'], { unique: true })
@Index('ix_alert_attempts_org_id', ['orgId'])
@Index('ix_alert_attempts_expires', ['expiresAt'])
export class AlertAttempt {
  @PrimaryColumn({ name: 'id', type: 'uuid', primaryKeyConstraintName: 'pk_alert_attempts' }) id!: string;
  @Column({ name: 'org_id', type: 'uuid' })
  @ForeignKey(() => Org, 'id', { name: 'fk_alert_attempts_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @Text('channel') channel!: AlertChannel;
  @Text('code_digest') codeDigest!: string;
  @NullableText('destination') destination!: string | null;
  @NullableText('name') name!: string | null;
  /** Person who requested the link to connect a chat, or who created the API key that requested it. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId!: string | null;
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  @Timestamp('connected_at', { nullable: true }) connectedAt!: Date | null;
  @Timestamp('expires_at') expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}
