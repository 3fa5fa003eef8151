import ICAL from 'ical.js';
import { toCalendarText } from './calendar-text.ts';

/**
 * Data of an iCalendar file. `method` is null for a copy in a calendar; files in emails invite or cancel (RFC
 * 5546).
 */
export interface MeetingFile {
  method: 'REQUEST' | 'CANCEL' | null;
  /** Id of the meeting, the same in all its iCalendar files. */
  uid: string;
  /** Number that is incremented by each change of the meeting. */
  sequence: number;
  isCancelled: boolean;
  start: Date;
  end: Date;
  stampedAt: Date;
  summary: string;
  description: string;
  url: string;
  organizer: { name: string; email: string };
  attendee: { name: string | null; email: string } | null;
}

const MAX_LINE = 75;
/**
 * Matches characters that parameters of iCalendar properties cannot contain. Not every program supports the
 * escapes of RFC 6868.
 */
const NOT_FOR_PARAMETERS = /["\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Matches text-direction marks. In a name that a visitor has typed, such marks could reorder the text next to
 * the name.
 */
const BIDI_CONTROLS = /\p{Bidi_Control}+/gu;

/** Renders a meeting as an iCalendar file (RFC 5545) with all times in UTC. */
export function renderMeetingIcs(meeting: MeetingFile): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Parley//Bookings//EN');
  if (meeting.method !== null) calendar.addPropertyWithValue('method', meeting.method);
  calendar.addSubcomponent(toEvent(meeting));
  const lines = calendar.toString().replaceAll('\r\n ', '').split('\r\n');
  return [...lines.map(foldLine), ''].join('\r\n');
}

/**
 * Folds a line of an iCalendar file at 75 octets. The folding of ical.js exceeds the limit, since it does not
 * count the blank at the start of continuation lines.
 */
function foldLine(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}

function toEvent(meeting: MeetingFile): ICAL.Component {
  const event = new ICAL.Component('vevent');
  event.addPropertyWithValue('uid', meeting.uid);
  event.addPropertyWithValue('sequence', meeting.sequence);
  event.addPropertyWithValue('dtstamp', inUtc(meeting.stampedAt));
  event.addPropertyWithValue('dtstart', inUtc(meeting.start));
  event.addPropertyWithValue('dtend', inUtc(meeting.end));
  event.addPropertyWithValue('summary', toFileText(meeting.summary));
  if (meeting.description !== '') event.addPropertyWithValue('description', toFileText(meeting.description));
  event.addPropertyWithValue('url', meeting.url);
  event.addPropertyWithValue('status', meeting.isCancelled ? 'CANCELLED' : 'CONFIRMED');
  event.addPropertyWithValue('transp', 'OPAQUE');
  addPerson(event, 'organizer', meeting.organizer, {});
  if (meeting.attendee !== null)
    addPerson(event, 'attendee', meeting.attendee, {
      role: 'REQ-PARTICIPANT',
      partstat: 'ACCEPTED',
      rsvp: 'FALSE',
    });
  return event;
}

function addPerson(
  event: ICAL.Component,
  property: string,
  { name, email }: { name: string | null; email: string },
  parameters: Record<string, string>,
): void {
  const person = event.addPropertyWithValue(property, `mailto:${email}`);
  const cleanName = (name ?? '').replace(BIDI_CONTROLS, '').replace(NOT_FOR_PARAMETERS, ' ').trim();
  for (const [key, value] of Object.entries({ ...(cleanName !== '' && { cn: cleanName }), ...parameters }))
    person.setParameter(key, value);
}

function toFileText(text: string): string {
  return toCalendarText(text).replace(BIDI_CONTROLS, '');
}

function inUtc(time: Date): ICAL.Time {
  return ICAL.Time.fromJSDate(time, true);
}
