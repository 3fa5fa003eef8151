import ICAL from 'ical.js';
import { calendarText } from './calendar-text.ts';

/** Contents of a calendar file. Without a method it is a copy to store; the others are for mails (RFC 5546). */
export interface MeetingFile {
  method: 'REQUEST' | 'CANCEL' | null;
  /** Identical in all files of a meeting. */
  uid: string;
  /** Incremented by each change. */
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
/** Replaces characters that parameters cannot represent; not every program supports RFC 6868. */
const NOT_FOR_PARAMETERS = /["\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** These could reorder what a calendar shows beside a stranger's text. */
const BIDI_CONTROLS = /\p{Bidi_Control}+/gu;

/** Renders a meeting as iCalendar (RFC 5545): escaped, folded at 75 octets, all times in UTC. */
export function meetingIcs(meeting: MeetingFile): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Parley//Bookings//EN');
  if (meeting.method !== null) calendar.addPropertyWithValue('method', meeting.method);
  calendar.addSubcomponent(toEvent(meeting));
  const lines = calendar.toString().replaceAll('\r\n ', '').split('\r\n');
  return [...lines.map(foldLine), ''].join('\r\n');
}

/** Folds lines at 75 octets: ical.js does not count the blank that starts continuation lines. */
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
  const shown = (name ?? '').replace(BIDI_CONTROLS, '').replace(NOT_FOR_PARAMETERS, ' ').trim();
  for (const [key, value] of Object.entries({ ...(shown !== '' && { cn: shown }), ...parameters }))
    person.setParameter(key, value);
}

function toFileText(text: string): string {
  return calendarText(text).replace(BIDI_CONTROLS, '');
}

function inUtc(time: Date): ICAL.Time {
  return ICAL.Time.fromJSDate(time, true);
}
