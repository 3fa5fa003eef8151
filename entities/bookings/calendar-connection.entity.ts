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

/** What is known of the provider; a connection that people have paused is shown as `paused`. */
export type StoredHealth = 'healthy' | 'degraded' | 'reconnect_needed';

/** What people have set; what is absent has its default. */
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

/** The calendar of a workspace. One that was disconnected is hidden until a workflow has revoked and removed it. */
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
  /** Tokens, or user and app password; null for `local`. */
  @NullableText('sealed_credentials') sealedCredentials!: string | null;
  @Json('settings', { default: {} }) settings!: GivenCalendarSettings;
  @NullableText('provider_timezone') providerTimezone!: string | null;
  @NullableText('primary_calendar_id') primaryCalendarId!: string | null;
  @Text('health', { default: 'healthy' }) health!: StoredHealth;
  @NullableText('last_error') lastError!: string | null;
  /** When its team was told that it fails; null again once it works. */
  @Timestamp('failure_told_at', { nullable: true }) failureToldAt!: Date | null;
  @Timestamp('last_synced_at', { nullable: true }) lastSyncedAt!: Date | null;
  @Timestamp('connected_at', { default: () => 'now()' }) connectedAt!: Date;
  @Reference('calendar_connections', 'connected_by', () => User, { nullable: true, onDelete: 'SET NULL' })
  connectedBy!: string | null;
  /** Until when one process alone refreshes its tokens. */
  @Timestamp('refresh_lease_until', { nullable: true }) refreshLeaseUntil!: Date | null;
  /** When its busy times are read again. */
  @Timestamp('sync_due_at', { nullable: true }) syncDueAt!: Date | null;
  /** When somebody last asked for slots. */
  @Timestamp('used_at', { nullable: true }) usedAt!: Date | null;
  @Timestamp('hidden_at', { nullable: true }) hiddenAt!: Date | null;
  @UpdatedAt() updatedAt!: Date;
}

/** An attempt to connect one, which is taken once. */
@Entity('calendar_attempts')
@Index('uq_calendar_attempts_state', ['stateDigest'], { unique: true })
@Index('ix_calendar_attempts_org_id', ['orgId'])
@Index('ix_calendar_attempts_user_id', ['userId'])
@Index('ix_calendar_attempts_expires', ['expiresAt'])
export class CalendarAttempt {
  @Id('calendar_attempts') id!: string;
  @Reference('calendar_attempts', 'org_id', () => Org) orgId!: string;
  /** Null for one that an API key has begun. */
  @Reference('calendar_attempts', 'user_id', () => User, { nullable: true }) userId!: string | null;
  /** The API key that has begun it. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  @Text('provider') provider!: CalendarProviderName;
  @Text('state_digest') stateDigest!: string;
  /** Of the cookie of the browser that began it; null where that was an API key. */
  @NullableText('browser_digest') browserDigest!: string | null;
  @NullableText('sealed_verifier') sealedVerifier!: string | null;
  @Timestamp('expires_at') expiresAt!: Date;
  @CreatedAt() createdAt!: Date;
}

/** When a calendar is busy, and nothing else of it. */
@Entity('calendar_busy')
export class CalendarBusy {
  @PrimaryColumn({ name: 'connection_id', type: 'uuid', primaryKeyConstraintName: 'pk_calendar_busy' })
  @ForeignKey(() => CalendarConnection, 'id', { name: 'fk_calendar_busy_connection_id', onDelete: 'CASCADE' })
  connectionId!: string;
  @PrimaryColumn({ name: 'calendar_id', type: 'text', primaryKeyConstraintName: 'pk_calendar_busy' })
  calendarId!: string;
  /** Its connection's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Minutes since 1970, in pairs: from the first one to before the second one. Pairs are in order and do not touch. */
  @Column({ name: 'busy', type: 'integer', array: true, default: [] }) busy!: number[];
  @Timestamp('covers_from') coversFrom!: Date;
  @Timestamp('covers_until') coversUntil!: Date;
  @Timestamp('synced_at', { default: () => 'now()' }) syncedAt!: Date;
}
