import { Type, type Static } from '@sinclair/typebox';
import {
  bookingSources,
  bookingStatuses,
  calendarStatuses,
  cancellers,
} from '../../entities/bookings/booking.entity.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';
import { calendarSettings } from './calendar.schemas.ts';

export const BookingParams = Type.Object({ booking_id: Uuid('The booking.') });

const TimeZone = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: ['Europe/Lisbon'] });

export const BookingZoneQuery = Strict({
  timezone: Type.Optional(
    TimeZone('The attendee’s time zone, used for times in emails to the attendee; none by default.'),
  ),
});

export const SlotQuery = Strict({
  from: Type.Optional(DateTime('Slots that begin at this time or later. Defaults to now.')),
  to: Type.Optional(
    DateTime(
      'Slots that begin before this time, at most 31 days after `from` (plus one hour if daylight saving time ends in between). Defaults to a week after `from`.',
    ),
  ),
  timezone: Type.Optional(TimeZone('The time zone of `local_start`; the calendar’s time zone by default.')),
});

/**
 * Declares a calendar setting as a query parameter, for previewing free slots with another value of the
 * setting.
 */
function asProposedSetting<K extends keyof typeof calendarSettings>(name: K): (typeof calendarSettings)[K] {
  const description = `For admins: return the slots for this value of \`${name}\` instead of the saved one.`;
  return { ...calendarSettings[name], description };
}

export const TeamSlotQuery = Strict({
  ...SlotQuery.properties,
  slot_minutes: Type.Optional(asProposedSetting('slot_minutes')),
  buffer_minutes: Type.Optional(asProposedSetting('buffer_minutes')),
  business_open_hour: Type.Optional(asProposedSetting('business_open_hour')),
  business_close_hour: Type.Optional(asProposedSetting('business_close_hour')),
  weekdays_only: Type.Optional(asProposedSetting('weekdays_only')),
  all_day_events_block: Type.Optional(asProposedSetting('all_day_events_block')),
  unanswered_invitations_block: Type.Optional(asProposedSetting('unanswered_invitations_block')),
  business_timezone: Type.Optional(asProposedSetting('timezone')),
  booking_calendar_id: Type.Optional(asProposedSetting('booking_calendar_id')),
  calendar_ids: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      description:
        'For admins: return the slots for these `calendar_ids`, one per line, instead of the saved ones.',
      examples: ['ada@example.com\nteam@example.com'],
    }),
  ),
});

export const BookingListQuery = Strict({
  from: Type.Optional(DateTime('Bookings that begin at this time or later. Defaults to now.')),
  to: Type.Optional(
    DateTime(
      'Bookings that begin before this time, at most 92 days after `from` (plus one hour if daylight saving time ends in between). Defaults to 31 days after `from`.',
    ),
  ),
  status: Type.Optional(StringEnum(bookingStatuses, { description: 'Only bookings in this state.' })),
  bot_id: Type.Optional(ResourceId('bot', 'Only bookings of this bot’s visitors.')),
});

export const BookingSlot = Type.Object(
  {
    start: DateTime('Start time, in UTC.'),
    end: DateTime('End time, in UTC.'),
    local_start: Type.String({
      description: 'Start time, in the requested time zone.',
      examples: ['2026-09-03T11:30:00+01:00'],
    }),
  },
  { $id: 'BookingSlot', description: 'A free time.' },
);

export const BookRequest = Strict(
  {
    start: Type.String({
      format: 'date-time',
      description: 'The `start` of an offered slot, with any UTC offset.',
      examples: ['2026-09-03T11:30:00+01:00'],
    }),
    summary: SingleLine({
      minLength: 1,
      maxLength: 500,
      description: 'Subject of the meeting.',
      examples: ['Viewing'],
    }),
    attendee_email: Type.Optional(
      Nullable(
        Type.String({
          format: 'email',
          maxLength: 320,
          description: 'The email address that receives the confirmation and notices of changes.',
          examples: ['rui@example.com'],
        }),
      ),
    ),
    attendee_name: Type.Optional(
      Nullable(SingleLine({ maxLength: 255, description: 'The attendee’s name.', examples: ['Rui Costa'] })),
    ),
    description: Type.Optional(
      Nullable(Type.String({ maxLength: 5000, description: 'Additional details.' })),
    ),
  },
  { $id: 'BookRequest', description: 'A booking of a free slot.' },
);
export type BookRequest = Static<typeof BookRequest>;

export const BookingRead = Type.Object(
  {
    id: Uuid('The booking’s id.'),
    status: StringEnum(bookingStatuses, { description: 'Whether the meeting is confirmed or canceled.' }),
    start: DateTime('Start time, in UTC.'),
    end: DateTime('End time, in UTC.'),
    timezone: Type.String({ description: 'The calendar’s time zone at the time of the booking.' }),
    attendee_timezone: Nullable(Type.String({ description: 'The attendee’s time zone; null if unknown.' })),
    summary: Type.String({ description: 'Subject of the meeting; empty once the contact was erased.' }),
    description: Nullable(Type.String({ description: 'Additional details.' })),
    attendee_name: Nullable(Type.String({ description: 'The attendee’s name.' })),
    attendee_email: Nullable(
      Type.String({ description: 'The email address that receives notices of changes.' }),
    ),
    bot_id: Nullable(
      Uuid(
        'The bot with which a visitor booked. Null for bookings by the team, and in responses to visitors.',
      ),
    ),
    conversation_id: Nullable(
      Uuid(
        'The conversation in which the meeting was booked. Null for bookings by the team, and in responses to visitors.',
      ),
    ),
    contact_id: Nullable(
      Uuid(
        'The contact who booked the meeting. Null for bookings by the team, and in responses to visitors.',
      ),
    ),
    source: StringEnum(bookingSources, {
      description: 'The booker: the team, or a visitor through the widget or a flow.',
    }),
    calendar_status: StringEnum(calendarStatuses, {
      description:
        'Whether the calendar contains the event. none: no calendar provider is connected. The booking is valid in every case.',
    }),
    calendar_error: Nullable(
      Type.String({
        description: 'Reason why the calendar does not contain the meeting; null in responses to visitors.',
      }),
    ),
    conflict: Type.Boolean({
      description: 'Whether the meeting overlaps with another event in the calendar.',
    }),
    cancelled_at: Nullable(DateTime('Time of the cancellation.')),
    cancelled_by: Nullable(
      StringEnum(cancellers, {
        description:
          'The side that canceled the meeting: calendar if the owner deleted the event; erasure if the contact was erased.',
      }),
    ),
    created_at: DateTime('Time of the booking.'),
    updated_at: DateTime('Time of the last change.'),
    manage_url: Type.Optional(
      Nullable(
        Type.String({
          description:
            'URL of the page on which the attendee can view and cancel the booking. Returned to the booker, and to team members who can cancel the booking. Null in lists.',
        }),
      ),
    ),
    ics_url: Type.Optional(
      Nullable(
        Type.String({
          description: 'URL of the booking as a calendar file; returned to the same people as manage_url.',
        }),
      ),
    ),
  },
  { $id: 'BookingRead', description: 'A meeting.' },
);
export type BookingRead = Static<typeof BookingRead>;
