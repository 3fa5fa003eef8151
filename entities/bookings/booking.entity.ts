import { Check, Entity, Exclusion, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
  Flag,
  Id,
  Integer,
  NullableText,
  Reference,
  Text,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { Conversation } from '../conversations/conversation.entity.ts';
import { Org } from '../team/org.entity.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';

export const bookingStatuses = ['confirmed', 'cancelled'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];
export const bookingSources = ['team', 'widget', 'flow'] as const;
export type BookingSource = (typeof bookingSources)[number];
/** State of the booking's event in the calendar. `none`: the booking needs no event. */
export const calendarStatuses = ['none', 'pending', 'written', 'failed', 'removed'] as const;
export type CalendarStatus = (typeof calendarStatuses)[number];
export const cancellers = ['team', 'attendee', 'calendar', 'erasure'] as const;
export type Canceller = (typeof cancellers)[number];

/**
 * A booked meeting. The row reserves the meeting's time: a database constraint prevents confirmed, exclusive
 * bookings of a workspace from overlapping.
 */
@Entity('bookings')
@Check('ck_bookings_times', 'starts_at < ends_at AND ends_at <= blocked_until')
@Exclusion(
  'ex_bookings_slot',
  `USING gist (org_id WITH =, tstzrange(starts_at, blocked_until) WITH &&) WHERE (status = 'confirmed' AND exclusive)`,
)
@Index('ix_bookings_org_start', ['orgId', 'startsAt', 'id'])
@Index('ix_bookings_blocking', ['orgId', 'blockedUntil', 'startsAt'], { where: "status = 'confirmed'" })
@Index('ix_bookings_attendee', { synchronize: false })
@Index('ix_bookings_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_bookings_sealed', ['orgId', 'startsAt'], { where: "status = 'confirmed' AND key_id IS NOT NULL" })
@Index('ix_bookings_follow_due', ['followDueAt'], { where: 'follow_due_at IS NOT NULL' })
@Index('ix_bookings_bot_id', ['botId'])
@Index('ix_bookings_conversation_id', ['conversationId'])
@Index('ix_bookings_contact_id', ['contactId'])
@Index('ix_bookings_booked_by', ['bookedBy'])
@Index('ix_bookings_connection_id', ['connectionId'])
export class Booking {
  @Id('bookings') id!: string;
  @Reference('bookings', 'org_id', () => Org) orgId!: string;
  @Reference('bookings', 'bot_id', () => Bot, { nullable: true, onDelete: 'SET NULL' })
  botId!: string | null;
  @Reference('bookings', 'conversation_id', () => Conversation, { nullable: true, onDelete: 'SET NULL' })
  conversationId!: string | null;
  @Reference('bookings', 'contact_id', () => Contact, { nullable: true, onDelete: 'SET NULL' })
  contactId!: string | null;
  /** Member who booked the meeting; null if a visitor or an API key booked it. */
  @Reference('bookings', 'booked_by', () => User, { nullable: true, onDelete: 'SET NULL' })
  bookedBy!: string | null;
  @Text('status', { default: 'confirmed' }) status!: BookingStatus;
  @Text('source') source!: BookingSource;
  @Timestamp('starts_at') startsAt!: Date;
  @Timestamp('ends_at') endsAt!: Date;
  /** End of the meeting, plus the buffer between meetings at the time of booking. */
  @Timestamp('blocked_until') blockedUntil!: Date;
  /**
   * Whether the meeting excludes other bookings at the same time. False if the calendar's owner has moved the
   * meeting so that it overlaps another booking.
   */
  @Flag('exclusive', true) isExclusive!: boolean;
  /**
   * Number that is incremented by each change of the meeting that the attendee must know of. This number is
   * the SEQUENCE of the calendar event (RFC 5545).
   */
  @Counter('sequence') sequence!: number;
  /** Time zone of the workspace when the meeting was booked. */
  @Text('timezone') timezone!: string;
  @NullableText('attendee_timezone') attendeeTimezone!: string | null;
  /** Language of the emails to the meeting's attendee; null if unknown. */
  @NullableText('language') language!: string | null;
  @Sealed() @Text('summary') summary!: Sealed<string>;
  @Sealed() @NullableText('description') description!: Sealed<string> | null;
  @Sealed() @NullableText('attendee_name') attendeeName!: Sealed<string> | null;
  @Sealed() @NullableText('attendee_email') attendeeEmail!: Sealed<string> | null;
  /** Calendar connection that has or will have the booking's event. */
  @Reference('bookings', 'connection_id', () => CalendarConnection, { nullable: true, onDelete: 'SET NULL' })
  connectionId!: string | null;
  @NullableText('calendar_id') calendarId!: string | null;
  @NullableText('event_id') eventId!: string | null;
  /** ETag of the meeting's event at the calendar provider. */
  @NullableText('event_version') eventVersion!: string | null;
  @Text('calendar_status', { default: 'none' }) calendarStatus!: CalendarStatus;
  /** Reason, for the team, why the meeting's event could not be written to the calendar. */
  @NullableText('calendar_error') calendarError!: string | null;
  /** Whether another event in the calendar overlaps the meeting. */
  @Flag('conflict') hasConflict!: boolean;
  @Timestamp('cancelled_at', { nullable: true }) cancelledAt!: Date | null;
  @NullableText('cancelled_by') cancelledBy!: Canceller | null;
  /**
   * Sequence number of the booking in the latest invitation emailed to the attendee; null before the first
   * invitation.
   */
  @Integer('invited_sequence', { nullable: true }) invitedSequence!: number | null;
  @Timestamp('invited_at', { nullable: true }) invitedAt!: Date | null;
  /** Sequence number of the booking when the attendee was reminded. */
  @Integer('reminded_sequence', { nullable: true }) remindedSequence!: number | null;
  /**
   * Latest sequence number of the booking about which the team was emailed, and the latest about whose
   * conflict the team was emailed.
   */
  @Integer('announced_sequence', { nullable: true }) announcedSequence!: number | null;
  @Integer('conflict_sequence', { nullable: true }) conflictSequence!: number | null;
  /** Time at which the booking's workflow must act next; null once the workflow has ended. */
  @Timestamp('follow_due_at', { nullable: true, default: () => 'now()' }) followDueAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @KeyId() keyId!: string | null;
}
