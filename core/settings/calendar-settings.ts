import { optional, nonEmptyText, type SettingDefinition } from './setting-definition.ts';

export const calendarSettings = {
  googleClientId: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_ID',
    nonEmptyText(
      'Google OAuth client id for calendars (docs/bookings.md). If this is not set, Google calendars cannot be connected.',
    ),
  ),
  googleClientSecret: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_SECRET',
    nonEmptyText('Secret of the Google OAuth client.'),
    true,
  ),
} satisfies Record<string, SettingDefinition>;
