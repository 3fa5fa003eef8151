import { firstInstantAt, lastInstantAt, localTimeAt, type LocalDate } from '../../core/local-time.ts';
import { isTimeZone } from '../../core/time-zone.ts';

const DAY_MS = 86_400_000;
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
  const [from, until] = [new Date(start), new Date(end)];
  // A range has the dates as well where a midnight lies in it, and leaves out how far from UTC the clocks are.
  if (until.getTime() - from.getTime() < DAY_MS) return `${timeText(start, zone)}–${timeText(end, zone)}`;
  return clockOf(zone, false).formatRange(from, until);
}

/** `09:00` */
export function timeText(at: string, zone: string): string {
  const time = new Date(at);
  return clockOf(zone, isTwice(time, zone)).format(time);
}

/** `Monday, 23 November 2026` */
export function dayText(date: LocalDate): string {
  return day.format(new Date(date));
}

/** The local day of a moment, as `2026-11-23`. */
export function dayAt(at: string | number, zone: string): LocalDate {
  return localTimeAt(new Date(at), zone).date;
}

/** Whether clocks that are put back show it twice. */
function isTwice(at: Date, zone: string): boolean {
  const { date, minutes } = localTimeAt(at, zone);
  const [first, last] = [firstInstantAt(date, minutes, zone), lastInstantAt(date, minutes, zone)];
  return first.getTime() !== last.getTime();
}

/** @param isZoned whether it says how far from UTC the clocks are */
function clockOf(zone: string, isZoned: boolean): Intl.DateTimeFormat {
  const name = `${zone} ${isZoned}`;
  let format = inZones.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      ...(isZoned && { timeZoneName: 'shortOffset' }),
    });
    inZones.set(name, format);
  }
  return format;
}
