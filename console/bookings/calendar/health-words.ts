import type { CalendarConnection } from '../../client/types.ts';

/** Explains each health status of a calendar: its effect on bookings, and what to do. */
export const healthWords: Readonly<Record<CalendarConnection['health'], string>> = {
  healthy: 'Accept bookings.',
  degraded:
    'The calendar does not respond at present. Times are offered by what was read last, and bookings are written to it as soon as it responds: there is nothing to do.',
  reconnect_needed:
    'The calendar no longer accepts Parley, so nothing can be booked. Connect it again: its settings stay, and bookings that were not written follow.',
  paused: 'Bookings are switched off in the settings: no times are offered. What is booked takes place.',
};
