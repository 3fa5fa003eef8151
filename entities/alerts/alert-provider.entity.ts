import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { NullableText, Timestamp } from '../../database/columns.ts';
import type { AlertChannel } from './alert-destination.entity.ts';

const PROVIDER = { primaryKeyConstraintName: 'pk_alert_providers' };

/** A provider account that all workers share: the cursor of its updates, and when it accepts the next message. */
@Entity('alert_providers')
export class AlertProvider {
  @PrimaryColumn({ name: 'channel', type: 'text', ...PROVIDER }) channel!: AlertChannel;
  /** Digest of the account's credentials. Other credentials start with a new row. */
  @PrimaryColumn({ name: 'account', type: 'text', ...PROVIDER }) account!: string;
  @Column({ name: 'cursor', type: 'bigint', default: 0 }) cursor!: string;
  /** When an update was last read. */
  @Timestamp('cursor_at', { nullable: true }) cursorAt!: Date | null;
  @Timestamp('next_at', { nullable: true }) nextAt!: Date | null;
  /** Why the provider refuses messages, for operators. */
  @NullableText('fault') fault!: string | null;
}

const INBOUND = { primaryKeyConstraintName: 'pk_alert_inbound' };

/** An update that a provider has delivered. Providers may deliver one more than once. */
@Entity('alert_inbound')
@Index('ix_alert_inbound_received', ['receivedAt'])
export class AlertInbound {
  @PrimaryColumn({ name: 'id', type: 'text', ...INBOUND }) id!: string;
  @Timestamp('received_at', { default: () => 'now()' }) receivedAt!: Date;
}
