import type { CalendarConnection } from '../../client/types.ts';

/** Explains each health status of a calendar: its effect on bookings, and what to do. */
export const healthWords: Readonly<Record<CalendarConnection['health'], string>> = {
  healthy: 'Accept bookings.',
  degraded:
    'The calendar isn’t responding. Visitors can still book, based on the events that were read last. New bookings are added to the calendar once it responds. You don’t need to do anything.',
  reconnect_needed:
    'The calendar no longer grants access, so visitors can’t book. Connect it again. Its settings are kept, and missing bookings are added.',
  paused: 'Bookings are turned off in the settings, so visitors can’t book. Existing bookings stay.',
};
