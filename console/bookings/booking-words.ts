import type { Booking } from '../client/types.ts';
import type { Tone } from '../components/lists/status.tsx';

export const sourceNames: Readonly<Record<Booking['source'], string>> = {
  team: 'Booked by your team',
  widget: 'Booked in the widget',
  flow: 'Booked in a flow',
};

export const cancellerNames: Readonly<Record<NonNullable<Booking['cancelled_by']>, string>> = {
  team: 'by your team',
  attendee: 'by the attendee',
  calendar: 'because its event was deleted in the calendar',
  erasure: 'because its contact was deleted',
};

/** Color tone and name of each state of a booking's event in the connected calendar. */
export const calendarWords: Readonly<Record<Booking['calendar_status'], readonly [Tone, string]>> = {
  none: ['quiet', 'Built-in calendar only'],
  pending: ['busy', 'Adding to calendar'],
  written: ['good', 'In calendar'],
  failed: ['bad', 'Not in calendar'],
  removed: ['quiet', 'Removed from calendar'],
};

export const CONFLICT =
  'Overlaps with another event in your calendar. Move one of the two in the calendar, or cancel this booking.';

/**
 * Returns the name of a booking in lists: its summary, or another text if the summary was erased with the
 * contact.
 */
export function getBookingName({ summary }: Pick<Booking, 'summary'>): string {
  return summary === '' ? 'Booking of a deleted contact' : summary;
}

/** Returns the known ones of the attendee's name and email address; null if neither is known. */
export function describeAttendee({ attendee_name: name, attendee_email: email }: Booking): string | null {
  return [name, email].filter(Boolean).join(', ') || null;
}
