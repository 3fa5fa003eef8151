import { optional, text, type SettingDefinition } from './setting-definition.ts';

export const calendarSettings = {
  googleClientId: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_ID',
    text(
      'Google OAuth client id for calendars (docs/bookings.md). Without it Google calendars cannot be connected.',
    ),
  ),
  googleClientSecret: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_SECRET',
    text('Secret of that client.'),
    true,
  ),
} satisfies Record<string, SettingDefinition>;
