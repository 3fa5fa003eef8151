import { setting, count, type SettingDefinition } from './setting-definition.ts';

export const bookingSettings = {
  bookingNoticeMinutes: setting(
    'Bookings',
    'PARLEY_BOOKING_NOTICE_MINUTES',
    count(60, 0, 43200, 'Minutes that a slot must be ahead for visitors to be offered it.'),
  ),
  bookingHorizonDays: setting(
    'Bookings',
    'PARLEY_BOOKING_HORIZON_DAYS',
    count(90, 1, 366, 'Days ahead that slots are offered for.'),
  ),
  bookingsPerHour: setting(
    'Bookings',
    'PARLEY_BOOKINGS_PER_HOUR',
    count(5, 0, 1000000, 'Bookings of visitors from one network address in an hour; 0 for any number.'),
  ),
  bookingsPerDay: setting(
    'Bookings',
    'PARLEY_BOOKINGS_PER_DAY',
    count(
      20,
      0,
      1000000,
      'Bookings of visitors from one network address in a day, cancelled ones included; 0 for any number.',
    ),
  ),
  bookingsPerAttendee: setting(
    'Bookings',
    'PARLEY_BOOKINGS_PER_ATTENDEE',
    count(
      3,
      0,
      1000000,
      'Bookings to come that visitors may have in a workspace for one e-mail address; 0 for any number.',
    ),
  ),
  bookingsPerAttendeeDay: setting(
    'Bookings',
    'PARLEY_BOOKINGS_PER_ATTENDEE_DAY',
    count(
      6,
      0,
      1000000,
      'Bookings that visitors may make in a workspace in a day for one e-mail address, cancelled ones included; 0 for any number.',
    ),
  ),
  bookingMailsPerDay: setting(
    'Bookings',
    'PARLEY_BOOKING_MAILS_PER_DAY',
    count(
      50,
      0,
      1000000,
      'Mails that somebody of the team gets in 24 hours about meetings that were booked, moved or cancelled in a workspace; the last one says so. 0 for any number.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;

/** Rules between settings. */
export function bookingProblems(values: Record<string, unknown>): string[] {
  const { bookingNoticeMinutes: notice, bookingHorizonDays: horizon } = bookingSettings;
  const [minutes, days] = [Number(values[notice.env]), Number(values[horizon.env])];
  if (!(minutes >= days * 24 * 60)) return [];
  return [
    `${notice.env} must be less than the ${days * 24 * 60} minutes of ${horizon.env}; visitors would be offered nothing.`,
  ];
}
