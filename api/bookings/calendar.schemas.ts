import { Type, type Static } from '@sinclair/typebox';
import { calendarProviders } from '../../entities/bookings/calendar-connection.entity.ts';
import { DateTime, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';

const hour = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

const settings = {
  booking_calendar_id: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'The calendar that bookings are written to.',
  }),
  buffer_minutes: Type.Integer({
    minimum: 0,
    maximum: 240,
    description: 'Minutes between two meetings.',
  }),
  business_close_hour: hour(1, 24, 'The hour by which the last meeting ends; 24 for midnight.'),
  business_open_hour: hour(0, 23, 'The hour at which the first meeting may begin.'),
  calendar_ids: Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
    maxItems: 50,
    description: 'The calendars whose events block slots.',
  }),
  is_active: Type.Boolean({ description: 'Whether slots are offered.' }),
  slot_minutes: Type.Integer({ minimum: 5, maximum: 480, description: 'Length of a meeting in minutes.' }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'The time zone of business hours. It also applies to an event if neither the event nor its calendar has a time zone.',
    examples: ['Europe/Lisbon'],
  }),
  weekdays_only: Type.Boolean({ description: 'Whether meetings are limited to Monday to Friday.' }),
  all_day_events_block: Type.Boolean({
    description: 'Whether events that last whole days block slots; true by default.',
  }),
  unanswered_invitations_block: Type.Boolean({
    description: 'Whether invitations that the owner has not answered block slots; true by default.',
  }),
};

export { settings as calendarSettings };

export const ConnectionSettings = Strict(
  {
    booking_calendar_id: Type.Optional(Nullable(settings.booking_calendar_id)),
    buffer_minutes: Type.Optional(Nullable(settings.buffer_minutes)),
    business_close_hour: Type.Optional(Nullable(settings.business_close_hour)),
    business_open_hour: Type.Optional(Nullable(settings.business_open_hour)),
    calendar_ids: Type.Optional(Nullable(settings.calendar_ids)),
    is_active: Type.Optional(Nullable(settings.is_active)),
    slot_minutes: Type.Optional(Nullable(settings.slot_minutes)),
    timezone: Type.Optional(Nullable(settings.timezone)),
    weekdays_only: Type.Optional(Nullable(settings.weekdays_only)),
    all_day_events_block: Type.Optional(Nullable(settings.all_day_events_block)),
    unanswered_invitations_block: Type.Optional(Nullable(settings.unanswered_invitations_block)),
  },
  {
    $id: 'ConnectionSettings',
    description: 'Changes of a calendar’s settings; null restores the default.',
  },
);
export type ConnectionSettings = Static<typeof ConnectionSettings>;

export const CalendarConnectionRead = Type.Object(
  {
    id: Uuid('The connection’s id.'),
    provider: StringEnum(calendarProviders, {
      description: 'The calendar provider; local: the calendar contains only Parley’s bookings.',
    }),
    account_email: Nullable(Type.String({ description: 'The account at the provider.' })),
    health: StringEnum(['healthy', 'degraded', 'reconnect_needed', 'paused'], {
      description:
        'degraded: the provider does not respond; reconnect_needed: the provider rejects our access; paused: is_active is false.',
    }),
    last_error: Nullable(
      Type.String({
        description:
          'The provider’s last error, or the events that could not be read, and how to fix the problem.',
      }),
    ),
    last_synced_at: Nullable(DateTime('Time at which the calendar’s busy times were last read.')),
    connected_at: DateTime('Time at which the calendar was connected.'),
    ...settings,
    booking_calendar_id: Nullable(settings.booking_calendar_id),
  },
  { $id: 'CalendarConnectionRead', description: 'The workspace’s calendar, with its effective settings.' },
);
export type CalendarConnectionRead = Static<typeof CalendarConnectionRead>;

export const CalendarDescriptor = Type.Object(
  {
    id: Type.String({ description: 'The calendar’s id, for booking_calendar_id and calendar_ids.' }),
    name: Type.String({ description: 'The name that the owner gave the calendar.' }),
    timezone: Nullable(
      Type.String({ description: 'The calendar’s time zone, if the provider reports one.' }),
    ),
    is_primary: Type.Boolean({ description: 'Whether this is the account’s primary calendar.' }),
    can_write: Type.Boolean({ description: 'Whether bookings can be written to the calendar.' }),
  },
  { $id: 'CalendarDescriptor', description: 'A calendar of the connected account.' },
);
export type CalendarDescriptor = Static<typeof CalendarDescriptor>;

export const ConnectResponse = Type.Object(
  {
    authorization_url: Type.String({ description: 'The URL to redirect the browser to.' }),
    provider: StringEnum(calendarProviders, { description: 'The provider.' }),
  },
  { $id: 'ConnectResponse', description: 'The next step in connecting a calendar.' },
);
export type ConnectResponse = Static<typeof ConnectResponse>;
