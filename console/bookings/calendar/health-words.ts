import type { CalendarConnection } from '../../client/types.ts';
import type { Tone } from '../../components/lists/status.tsx';

interface HealthWords {
  tone: Tone;
  name: string;
  /** Effect of the calendar's status on bookings, and what the user can do. */
  text: string;
}

/** Words for each health status of a connected calendar. */
export const healthWords: Readonly<Record<CalendarConnection['health'], HealthWords>> = {
  healthy: { tone: 'good', name: 'Connected', text: 'Visitors can book the times below.' },
  degraded: {
    tone: 'busy',
    name: 'Not responding',
    text: "Visitors see the times from the last update. We'll add new bookings once the calendar responds. You don't need to do anything.",
  },
  reconnect_needed: {
    tone: 'bad',
    name: 'Reconnect needed',
    text: "We lost access to the calendar, so visitors can't book. Reconnect it: your settings are kept, and we'll add any missing bookings.",
  },
  paused: {
    tone: 'quiet',
    name: 'Paused',
    text: 'Bookings are turned off in the settings below, so visitors see no times. Existing bookings are kept.',
  },
};
