import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { NullableText, Timestamp } from '../../database/columns.ts';
import type { AlertChannel } from './alert-destination.entity.ts';

const PROVIDER = { primaryKeyConstraintName: 'pk_alert_providers' };

/**
 * State of an account at Telegram or WhatsApp that all workers share, such as the cursor of received updates.
 */
@Entity('alert_providers')
export class AlertProvider {
  @PrimaryColumn({ name: 'channel', type: 'text', ...PROVIDER }) channel!: AlertChannel;
  /** Digest of the credentials of the Telegram or WhatsApp account, so that new credentials get a new row. */
  @PrimaryColumn({ name: 'account', type: 'text', ...PROVIDER }) account!: string;
  @Column({ name: 'cursor', type: 'bigint', default: 0 }) cursor!: string;
  /** Time at which updates of the messaging app were last received. */
  @Timestamp('cursor_at', { nullable: true }) cursorAt!: Date | null;
  @Timestamp('next_at', { nullable: true }) nextAt!: Date | null;
  /** Reason for operators why the messaging provider currently refuses messages. */
  @NullableText('fault') fault!: string | null;
}

const INBOUND = { primaryKeyConstraintName: 'pk_alert_inbound' };

/**
 * Id of an update that was received from a messaging provider. Providers may send an update repeatedly, and
 * Parley ignores a known id.
 */
@Entity('alert_inbound')
@Index('ix_alert_inbound_received', ['receivedAt'])
export class AlertInbound {
  @PrimaryColumn({ name: 'id', type: 'text', ...INBOUND }) id!: string;
  @Timestamp('received_at', { default: () => 'now()' }) receivedAt!: Date;
}
