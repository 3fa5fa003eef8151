import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  CreatedAt,
  Id,
  Json,
  NullableText,
  Reference,
  Text,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Org } from '../team/org.entity.ts';

/** `local`: no provider; the bookings themselves are the calendar. */
export const calendarProviders = ['google', 'caldav', 'local'] as const;
export type CalendarProviderName = (typeof calendarProviders)[number];

/** Health of the provider. The API shows a connection that a person has paused as `paused`. */
export type StoredHealth = 'healthy' | 'degraded' | 'reconnect_needed';

/** Settings that a person has chosen; absent ones have their default. */
export interface GivenCalendarSettings {
  bookingCalendarId?: string;
  bufferMinutes?: number;
  businessCloseHour?: number;
  businessOpenHour?: number;
  calendarIds?: string[];
  isActive?: boolean;
  slotMinutes?: number;
  timezone?: string;
  isWeekdaysOnly?: boolean;
}

/**
 * The calendar of a workspace. A disconnected one stays hidden until a workflow has revoked its access and deleted it.
 */
@Entity('calendar_connections')
@Index('uq_calendar_connections_org', ['orgId'], { unique: true, where: 'hidden_at IS NULL' })
@Index('ix_calendar_connections_org_id', ['orgId'])
@Index('ix_calendar_connections_connected_by', ['connectedBy'])
@Index('ix_calendar_connections_due', ['syncDueAt'], {
  where: 'hidden_at IS NULL AND sync_due_at IS NOT NULL',
})
@Index('ix_calendar_connections_hidden', ['hiddenAt'], { where: 'hidden_at IS NOT NULL' })
export class CalendarConnection {
  @Id('calendar_connections') id!: string;
  @Reference('calendar_connections', 'org_id', () => Org) orgId!: string;
  @Text('provider') provider!: CalendarProviderName;
  @NullableText('account_email') accountEmail!: string | null;
  /** Tokens, or user name and app password; null for `local`. */
  @NullableText('sealed_credentials') sealedCredentials!: string | null;
  @Json('settings', { default: {} }) settings!: GivenCalendarSettings;
  @NullableText('provider_timezone') providerTimezone!: string | null;
  @NullableText('primary_calendar_id') primaryCalendarId!: string | null;
  @Text('health', { default: 'healthy' }) health!: StoredHealth;
  @NullableText('last_error') lastError!: string | null;
  /** When the team was notified of the failure; null once the connection works again. */
  @Timestamp('failure_told_at', { nullable: true }) failureToldAt!: Date | null;
  @Timestamp('last_synced_at', { nullable: true }) lastSyncedAt!: Date | null;
  @Timestamp('connected_at', { default: () => 'now()' }) connectedAt!: Date;
  @Reference('calendar_connections', 'connected_by', () => User, { nullable: true, onDelete: 'SET NULL' })
  connectedBy!: string | null;
  /** End of the lease under which one process refreshes the tokens. */
  @Timestamp('refresh_lease_until', { nullable: true }) refreshLeaseUntil!: Date | null;
  /** When its busy times are next read. */
  @Timestamp('sync_due_at', { nullable: true }) syncDueAt!: Date | null;
  /** When slots were last requested. */
  @Timestamp('used_at', { nullable: true }) usedAt!: Date | null;
  @Timestamp('hidden_at', { nullable: true }) hiddenAt!: Date | null;
  @UpdatedAt() updatedAt!: Date;
}

/** An attempt to connect a calendar. It can be completed once. */
@Entity('calendar_attempts')
@Index('uq_calendar_attempts_state', ['stateDigest'], { unique: true })
@Index('ix_calendar_attempts_org_id', ['orgId'])
@Index('ix_calendar_attempts_user_id', ['userId'])
@Index('ix_calendar_attempts_expires', ['expiresAt'])
export class CalendarAttempt {
  @Id('calendar_attempts') id!: string;
  @Reference('calendar_attempts', 'org_id', () => Org) orgId!: string;
  /** Null if an API key started it. */
  @Reference('calendar_attempts', 'user_id', () => User, { nullable: true }) userId!: string | null;
  /** The API key that started it. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  @Text('provider') provider!: CalendarProviderName;
  @Text('state_digest') stateDigest!: string;
  /** Digest of the cookie of the browser that started it; null if an API key did. */
  @NullableText('browser_digest') browserDigest!: string | null;
  @NullableText('sealed_verifier') sealedVerifier!: string | null;
  @Timestamp('expires_at') expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

/** Busy times of a calendar; no details of its events. */
@Entity('calendar_busy')
export class CalendarBusy {
  @PrimaryColumn({ name: 'connection_id', type: 'uuid', primaryKeyConstraintName: 'pk_calendar_busy' })
  @ForeignKey(() => CalendarConnection, 'id', { name: 'fk_calendar_busy_connection_id', onDelete: 'CASCADE' })
  connectionId!: string;
  @PrimaryColumn({ name: 'calendar_id', type: 'text', primaryKeyConstraintName: 'pk_calendar_busy' })
  calendarId!: string;
  /** Workspace of the connection. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Minutes since 1970 in pairs: inclusive start, exclusive end. Pairs are sorted and do not touch. */
  @Column({ name: 'busy', type: 'integer', array: true, default: [] }) busy!: number[];
  @Timestamp('covers_from') coversFrom!: Date;
  @Timestamp('covers_until') coversUntil!: Date;
  @Timestamp('synced_at', { default: () => 'now()' }) syncedAt!: Date;
}
