import type { CalendarConnection } from '../../client/types.ts';

export type CalendarProvider = CalendarConnection['provider'];

export const providerNames: Readonly<Record<CalendarProvider, string>> = {
  google: 'Google Calendar',
  caldav: 'CalDAV',
  local: 'Built-in calendar',
};
