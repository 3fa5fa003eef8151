import ICAL from 'ical.js';
import { toCalendarText } from '../../../core/bookings/calendar-text.ts';
import type { CalendarEvent } from '../calendar-provider.ts';

const PRODUCT = '-//Parley//Bookings//EN';

/**
 * Renders a booking's event as iCalendar text for CalDAV servers. The event has no attendees, so servers send
 * no invitations.
 */
export function renderEventIcs(
  { bookingId, start, end, summary, description }: CalendarEvent,
  now = new Date(),
): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', PRODUCT);
  const event = new ICAL.Component('vevent');
  event.addPropertyWithValue('uid', bookingId);
  event.addPropertyWithValue('dtstamp', toIcalUtcTime(now));
  event.addPropertyWithValue('dtstart', toIcalUtcTime(start));
  event.addPropertyWithValue('dtend', toIcalUtcTime(end));
  event.addPropertyWithValue('summary', toCalendarText(summary));
  if (description !== '') event.addPropertyWithValue('description', toCalendarText(description));
  event.addPropertyWithValue('status', 'CONFIRMED');
  event.addPropertyWithValue('transp', 'OPAQUE');
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

function toIcalUtcTime(at: Date): ICAL.Time {
  return ICAL.Time.fromJSDate(at, true);
}
