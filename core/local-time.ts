const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

/** A day of the calendar, as `2026-03-29`. */
export type LocalDate = string;

export interface LocalTime {
  date: LocalDate;
  /** Since midnight, as clocks show it. */
  minutes: number;
  /** 0 is Sunday. */
  weekday: number;
}

/** What clocks of a zone show. @throws RangeError for a zone that is none */
export function localTimeAt(instant: Date, zone: string): LocalTime {
  const shown = new Date(instant.getTime() + offsetMs(instant.getTime(), zone));
  return {
    date: dateOf(shown),
    minutes: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
    weekday: shown.getUTCDay(),
  };
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return dateOf(new Date(Date.parse(date) + days * DAY_MS));
}

/** 0 is Sunday. */
export function weekdayOf(date: LocalDate): number {
  return new Date(Date.parse(date)).getUTCDay();
}

/**
 * The first instant at which clocks of a zone show a time. One that they skip is the first instant after the gap.
 * @param minutes since midnight, as clocks show it; 1440 is the next midnight
 */
export function firstInstantAt(date: LocalDate, minutes: number, zone: string): Date {
  const [first, , gapEnd] = instantsAt(date, minutes, zone);
  return new Date(first ?? gapEnd);
}

/** The same, but the second instant of a time that clocks show twice. */
export function lastInstantAt(date: LocalDate, minutes: number, zone: string): Date {
  const [, last, gapEnd] = instantsAt(date, minutes, zone);
  return new Date(last ?? gapEnd);
}

type Instants = [first: number, last: number, gapEnd: number] | [undefined, undefined, gapEnd: number];

function instantsAt(date: LocalDate, minutes: number, zone: string): Instants {
  const shown = Date.parse(date) + minutes * 60 * SECOND_MS;
  // No zone is a day off, so any change of its clocks near the time lies between these.
  const offsets = [offsetMs(shown - DAY_MS, zone), offsetMs(shown + DAY_MS, zone)];
  const found = offsets.map((offset) => shown - offset).filter((at) => at + offsetMs(at, zone) === shown);
  if (found.length > 0) return [Math.min(...found), Math.max(...found), 0];
  return [undefined, undefined, endOfGap(shown - offsets[1]!, shown - offsets[0]!, offsets[1]!, zone)];
}

/** The first instant after `from`, until `to` at the latest, with the offset. */
function endOfGap(from: number, to: number, offset: number, zone: string): number {
  let [before, after] = [from, to];
  while (after - before > SECOND_MS) {
    const middle = Math.floor((before + after) / 2 / SECOND_MS) * SECOND_MS;
    if (offsetMs(middle, zone) === offset) after = middle;
    else before = middle;
  }
  return after;
}

function dateOf(shown: Date): LocalDate {
  return shown.toISOString().slice(0, 10);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far clocks of the zone are ahead of UTC. */
function offsetMs(instant: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    const numeric = 'numeric';
    const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' } as const;
    const day = { year: numeric, month: numeric, day: numeric } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...day, ...time });
    formats.set(zone, format);
  }
  const [month, day, year, hour, minute, second] = format.format(instant).match(/\d+/g)!.map(Number);
  const shown = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return shown - Math.floor(instant / SECOND_MS) * SECOND_MS;
}
