import { toCurrentZoneName } from '../current-zone-names.ts';
import { locales, type Language } from '../languages.ts';

interface MeetingTime {
  start: Date;
  end: Date;
  /** IANA name of the time zone in which the meeting's time is shown. */
  timeZone: string;
}

/**
 * Formats the time of a meeting with its time zone: `Monday 23 November 2026, 10:00–10:30 (Europe/Berlin,
 * GMT+1)`.
 */
export function formatMeetingTime({ start, end, timeZone }: MeetingTime, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'full',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  });
  const [first, last] = [offsetText(start, timeZone), offsetText(end, timeZone)];
  if (timeZone === 'UTC') return `${format.formatRange(start, end)} (UTC)`;
  const zone = toCurrentZoneName(timeZone);
  if (first === last) return `${format.formatRange(start, end)} (${zone}, ${first})`;
  // Show both UTC offsets if the clocks change during the meeting.
  return `${format.format(start)} ${first} – ${format.format(end)} ${last} (${zone})`;
}

/** Formats the day of a meeting, for the subject of an email. */
export function formatMeetingDay(
  { start, timeZone }: Pick<MeetingTime, 'start' | 'timeZone'>,
  language: Language,
) {
  return new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(start);
}

function offsetText(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' });
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
}
