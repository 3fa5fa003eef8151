import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';

/** The calendar that bookings are written to; null where none is known yet. */
export function bookingCalendarId({
  settings,
  primaryCalendarId,
}: Pick<CalendarConnection, 'settings' | 'primaryCalendarId'>): string | null {
  return settings.bookingCalendarId ?? primaryCalendarId;
}

/** The calendars whose busy times count: those that were chosen, and always the one that bookings are written to. */
export function readCalendarIds(
  connection: Pick<CalendarConnection, 'settings' | 'primaryCalendarId'>,
): string[] {
  const own = bookingCalendarId(connection);
  const chosen = connection.settings.calendarIds ?? [];
  return [...new Set([...(own === null ? [] : [own]), ...chosen])];
}
