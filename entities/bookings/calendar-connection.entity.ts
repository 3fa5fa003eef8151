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

/** Calendar providers. `local`: no external calendar, so only bookings block times. */
export const calendarProviders = ['google', 'caldav', 'local'] as const;
export type CalendarProviderName = (typeof calendarProviders)[number];

/**
 * Whether requests to the calendar provider succeed. The API shows a paused connection as `paused` instead.
 */
export type StoredHealth = 'healthy' | 'degraded' | 'reconnect_needed';

/** Calendar settings that a person has changed. An absent setting has its default. */
export interface StoredCalendarSettings {
  bookingCalendarId?: string;
  bufferMinutes?: number;
  businessCloseHour?: number;
  businessOpenHour?: number;
  calendarIds?: string[];
  isActive?: boolean;
  slotMinutes?: number;
  timezone?: string;
  isWeekdaysOnly?: boolean;
  doAllDayEventsBlock?: boolean;
  doUnansweredInvitationsBlock?: boolean;
}

/**
 * The calendar account of a workspace. After disconnecting, the row stays hidden until a workflow has revoked
 * the access and deleted the row.
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
  /** Encrypted tokens, or user name and app password, for the calendar account; null for `local`. */
  @NullableText('sealed_credentials') sealedCredentials!: string | null;
  @Json('settings', { default: {} }) settings!: StoredCalendarSettings;
  @NullableText('provider_timezone') providerTimezone!: string | null;
  @NullableText('primary_calendar_id') primaryCalendarId!: string | null;
  @Text('health', { default: 'healthy' }) health!: StoredHealth;
  @NullableText('last_error') lastError!: string | null;
  /**
   * Time at which the team was emailed about the failing calendar connection; null while the connection
   * works.
   */
  @Timestamp('failure_told_at', { nullable: true }) failureNotifiedAt!: Date | null;
  @Timestamp('last_synced_at', { nullable: true }) lastSyncedAt!: Date | null;
  @Timestamp('connected_at', { default: () => 'now()' }) connectedAt!: Date;
  @Reference('calendar_connections', 'connected_by', () => User, { nullable: true, onDelete: 'SET NULL' })
  connectedBy!: string | null;
  /**
   * End of the lease with which one process refreshes the calendar's tokens, while all other processes wait.
   */
  @Timestamp('refresh_lease_until', { nullable: true }) refreshLeaseUntil!: Date | null;
  /** Time at which the busy times of the calendars are read next. */
  @Timestamp('sync_due_at', { nullable: true }) syncDueAt!: Date | null;
  /** Time at which free meeting slots were last requested. */
  @Timestamp('used_at', { nullable: true }) usedAt!: Date | null;
  @Timestamp('hidden_at', { nullable: true }) hiddenAt!: Date | null;
  @UpdatedAt() updatedAt!: Date;
}

/** An attempt to connect a calendar account. The calendar provider's callback can complete it once. */
@Entity('calendar_attempts')
@Index('uq_calendar_attempts_state', ['stateDigest'], { unique: true })
@Index('ix_calendar_attempts_org_id', ['orgId'])
@Index('ix_calendar_attempts_user_id', ['userId'])
@Index('ix_calendar_attempts_expires', ['expiresAt'])
export class CalendarAttempt {
  @Id('calendar_attempts') id!: string;
  @Reference('calendar_attempts', 'org_id', () => Org) orgId!: string;
  /** Person who started the attempt to connect a calendar; null if an API key started it. */
  @Reference('calendar_attempts', 'user_id', () => User, { nullable: true }) userId!: string | null;
  /** API key that started the attempt to connect a calendar; null if a person started it. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  @Text('provider') provider!: CalendarProviderName;
  @Text('state_digest') stateDigest!: string;
  /**
   * Digest of a cookie in the browser that started the attempt to connect a calendar; null if an API key
   * started it.
   */
  @NullableText('browser_digest') browserDigest!: string | null;
  @NullableText('sealed_verifier') sealedVerifier!: string | null;
  @Timestamp('expires_at') expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

/** Busy times of a calendar, without details of its events. */
@Entity('calendar_busy')
export class CalendarBusy {
  @PrimaryColumn({ name: 'connection_id', type: 'uuid', primaryKeyConstraintName: 'pk_calendar_busy' })
  @ForeignKey(() => CalendarConnection, 'id', { name: 'fk_calendar_busy_connection_id', onDelete: 'CASCADE' })
  connectionId!: string;
  @PrimaryColumn({ name: 'calendar_id', type: 'text', primaryKeyConstraintName: 'pk_calendar_busy' })
  calendarId!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /**
   * Busy times of the calendar in minutes since 1970: pairs of an inclusive start and an exclusive end. Pairs
   * are sorted and never touch.
   */
  @Column({ name: 'busy', type: 'integer', array: true, default: [] }) busy!: number[];
  @Timestamp('covers_from') coversFrom!: Date;
  @Timestamp('covers_until') coversUntil!: Date;
  @Timestamp('synced_at', { default: () => 'now()' }) syncedAt!: Date;
}
