import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';

/** Returns the id of the calendar that bookings are written to; null if no such calendar is known yet. */
export function findBookingCalendarId({
  settings,
  primaryCalendarId,
}: Pick<CalendarConnection, 'settings' | 'primaryCalendarId'>): string | null {
  return settings.bookingCalendarId ?? primaryCalendarId;
}

/**
 * Returns the ids of the calendars whose busy times block slots: the selected calendars, and the calendar
 * that bookings are written to.
 */
export function readCalendarIds(
  connection: Pick<CalendarConnection, 'settings' | 'primaryCalendarId'>,
): string[] {
  const targetId = findBookingCalendarId(connection);
  const selectedIds = connection.settings.calendarIds ?? [];
  return [...new Set([...(targetId === null ? [] : [targetId]), ...selectedIds])];
}
