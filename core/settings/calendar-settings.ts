import { Type } from '@sinclair/typebox';
import { count, optional, setting, text, type SettingDefinition } from './setting-definition.ts';

const url = (fallback: string, description: string) =>
  Type.String({ pattern: '^https?://[^/]+[^?#]*$', default: fallback, description });

export const calendarSettings = {
  googleClientId: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_ID',
    text(
      'Client id of an OAuth client at Google for calendars; docs/bookings.md shows how to get one. Without it nobody can connect a Google calendar.',
    ),
  ),
  googleClientSecret: optional(
    'Calendars',
    'PARLEY_GOOGLE_CLIENT_SECRET',
    text('Secret of that client.'),
    true,
  ),
  googleAuthUrl: setting(
    'Calendars',
    'PARLEY_GOOGLE_AUTH_URL',
    url('https://accounts.google.com/o/oauth2/v2/auth', 'Where people are sent to agree.'),
  ),
  googleTokenUrl: setting(
    'Calendars',
    'PARLEY_GOOGLE_TOKEN_URL',
    url('https://oauth2.googleapis.com/token', 'Where tokens are had.'),
  ),
  googleRevokeUrl: setting(
    'Calendars',
    'PARLEY_GOOGLE_REVOKE_URL',
    url('https://oauth2.googleapis.com/revoke', 'Where tokens are given back.'),
  ),
  googleApiUrl: setting(
    'Calendars',
    'PARLEY_GOOGLE_API_URL',
    url('https://www.googleapis.com/calendar/v3', 'Address of Google’s Calendar API.'),
  ),
  calendarStaleMinutes: setting(
    'Calendars',
    'PARLEY_CALENDAR_STALE_MINUTES',
    count(
      60,
      1,
      1440,
      'How old the busy times of a calendar may be while its provider is away; then no slots are offered.',
    ),
  ),
  calendarTimeoutMs: setting(
    'Calendars',
    'PARLEY_CALENDAR_TIMEOUT_MS',
    count(15000, 100, 60000, 'Longest wait for each answer of a calendar’s provider, in milliseconds.'),
  ),
} satisfies Record<string, SettingDefinition>;
