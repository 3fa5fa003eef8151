import { firstInstantAt, lastInstantAt, localTimeAt, type LocalDate } from '../../core/local-time.ts';
import { isTimeZone } from '../../core/time-zone.ts';

const DAY_MS = 86_400_000;
const formatsByZone = new Map<string, Intl.DateTimeFormat>();
const day = new Intl.DateTimeFormat(undefined, {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Returns a time zone if this browser knows it, and UTC if not. */
export function toKnownZone(zone: string): string {
  return isTimeZone(zone) ? zone : 'UTC';
}

/** Formats a time range in a zone as `09:00–09:30`. */
export function formatHours(start: string, end: string, zone: string): string {
  const [from, until] = [new Date(start), new Date(end)];
  // Format both ends of the time range separately. `formatRange` adds dates to a range across midnight, and
  // omits UTC offsets.
  if (until.getTime() - from.getTime() < DAY_MS) return `${formatTime(start, zone)}–${formatTime(end, zone)}`;
  return getTimeFormat(zone, false).formatRange(from, until);
}

/** Formats a time as `09:00`. */
export function formatTime(at: string, zone: string): string {
  const time = new Date(at);
  return getTimeFormat(zone, occursTwice(time, zone)).format(time);
}

/** Formats a date as `Monday, 23 November 2026`. */
export function formatDay(date: LocalDate): string {
  return day.format(new Date(date));
}

/** Returns the date in a time zone at a given time, as `2026-11-23`. */
export function getLocalDay(at: string | number, zone: string): LocalDate {
  return localTimeAt(new Date(at), zone).date;
}

/** Whether the local time of `at` occurs twice on its day, because the clocks are set back. */
function occursTwice(at: Date, zone: string): boolean {
  const { date, minutes } = localTimeAt(at, zone);
  const [first, last] = [firstInstantAt(date, minutes, zone), lastInstantAt(date, minutes, zone)];
  return first.getTime() !== last.getTime();
}

/**
 * Returns a cached formatter for times of day in a time zone.
 * @param isZoned whether to include the offset from UTC
 */
function getTimeFormat(zone: string, isZoned: boolean): Intl.DateTimeFormat {
  const name = `${zone} ${isZoned}`;
  let format = formatsByZone.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      ...(isZoned && { timeZoneName: 'shortOffset' }),
    });
    formatsByZone.set(name, format);
  }
  return format;
}
