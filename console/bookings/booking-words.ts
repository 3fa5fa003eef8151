import type { Booking } from '../client/types.ts';

export const sourceNames: Readonly<Record<Booking['source'], string>> = {
  team: 'The team',
  widget: 'A visitor, in the widget',
  flow: 'A visitor, in a flow',
};

export const cancellerNames: Readonly<Record<NonNullable<Booking['cancelled_by']>, string>> = {
  team: 'by the team',
  attendee: 'by the attendee',
  calendar: 'because its event was deleted in the calendar',
  erasure: 'because its contact was erased',
};

export const calendarStatusNames: Readonly<Record<Booking['calendar_status'], string>> = {
  none: 'only in Parley’s built-in calendar',
  pending: 'being written to the calendar',
  written: 'in the calendar',
  failed: 'not in the calendar',
  removed: 'removed from the calendar',
};

export const CONFLICT =
  'Another event in the calendar overlaps this booking. Move one of them in the calendar, or cancel the booking. Parley changes neither.';

/** Returns the name of a booking in lists: its summary, unless that was erased with the contact. */
export function getBookingName({ summary }: Pick<Booking, 'summary'>): string {
  return summary === '' ? 'Erased with the contact' : summary;
}

/** Returns the known parts of the attendee's name and mail address; null if neither is known. */
export function describeAttendee({ attendee_name: name, attendee_email: email }: Booking): string | null {
  return [name, email].filter(Boolean).join(', ') || null;
}
