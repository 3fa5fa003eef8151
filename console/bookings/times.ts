import { localTimeAt, type LocalDate } from '../../core/local-time.ts';
import { isTimeZone } from '../../core/time-zone.ts';

const inZones = new Map<string, Intl.DateTimeFormat>();
const day = new Intl.DateTimeFormat(undefined, {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Where somebody looks at the page. */
export const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone, or UTC for one that this browser does not know. */
export function shownZone(zone: string): string {
  return isTimeZone(zone) ? zone : 'UTC';
}

/** From when to when, as clocks of a zone show it: `09:00–09:30`. */
export function hoursText(start: string, end: string, zone: string): string {
  return clockOf(zone).formatRange(new Date(start), new Date(end));
}

/** `09:00` */
export function timeText(at: string, zone: string): string {
  return clockOf(zone).format(new Date(at));
}

/** `Monday, 23 November 2026` */
export function dayText(date: LocalDate): string {
  return day.format(new Date(date));
}

/** The local day of a moment, as `2026-11-23`. */
export function dayAt(at: string | number, zone: string): LocalDate {
  return localTimeAt(new Date(at), zone).date;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  let format = inZones.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    inZones.set(zone, format);
  }
  return format;
}
