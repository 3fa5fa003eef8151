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
} satisfies Record<string, SettingDefinition>;
