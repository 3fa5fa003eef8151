import { optional, text, type SettingDefinition } from './setting-definition.ts';

export const calendarSettings = {
  googleClientId: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_ID',
    text(
      'Client id of an OAuth client at Google for calendars; docs/bookings.md shows how to get one. Without it Google calendars cannot be connected.',
    ),
  ),
  googleClientSecret: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_SECRET',
    text('Secret of that client.'),
    true,
  ),
} satisfies Record<string, SettingDefinition>;
