import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { NullableText, Timestamp } from '../../database/columns.ts';
import type { AlertChannel } from './alert-destination.entity.ts';

const PROVIDER = { primaryKeyConstraintName: 'pk_alert_providers' };

/** An account at a provider that all workers share: how far its updates are read, and when it takes the next message. */
@Entity('alert_providers')
export class AlertProvider {
  @PrimaryColumn({ name: 'channel', type: 'text', ...PROVIDER }) channel!: AlertChannel;
  /** A digest of what opens it: another one begins anew. */
  @PrimaryColumn({ name: 'account', type: 'text', ...PROVIDER }) account!: string;
  @Column({ name: 'cursor', type: 'bigint', default: 0 }) cursor!: string;
  /** When something was read last. */
  @Timestamp('cursor_at', { nullable: true }) cursorAt!: Date | null;
  @Timestamp('next_at', { nullable: true }) nextAt!: Date | null;
  /** Why it takes nothing, for operators. */
  @NullableText('fault') fault!: string | null;
}

const INBOUND = { primaryKeyConstraintName: 'pk_alert_inbound' };

/** What a provider has handed in, which it may do more than once. */
@Entity('alert_inbound')
@Index('ix_alert_inbound_received', ['receivedAt'])
export class AlertInbound {
  @PrimaryColumn({ name: 'id', type: 'text', ...INBOUND }) id!: string;
  @Timestamp('received_at', { default: () => 'now()' }) receivedAt!: Date;
}
