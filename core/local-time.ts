import { DAY_MS, LocalClock, MINUTE_MS } from './local-clock.ts';

/** A calendar day, as `2026-03-29`. */
export type LocalDate = string;

export interface LocalTime {
  date: LocalDate;
  /** Minutes since midnight, local time. */
  minutes: number;
  /** 0 is Sunday. */
  weekday: number;
}

/** Local time in a zone. @throws RangeError for an unknown zone */
export function localTimeAt(instant: Date, zone: string): LocalTime {
  const shown = new Date(new LocalClock(zone).toLocalTime(instant.getTime()));
  return {
    date: toLocalDate(shown),
    minutes: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
    weekday: shown.getUTCDay(),
  };
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return toLocalDate(new Date(Date.parse(date) + days * DAY_MS));
}

/** 0 is Sunday. */
export function getWeekday(date: LocalDate): number {
  return new Date(Date.parse(date)).getUTCDay();
}

/**
 * Returns the first instant at which clocks of a zone show a time. For a skipped time, that is the first instant after
 * the gap.
 * @param minutes since midnight, as clocks show it; 1440 is the next midnight
 */
export function firstInstantAt(date: LocalDate, minutes: number, zone: string): Date {
  return new Date(new LocalClock(zone).findFirstInstant(Date.parse(date) + minutes * MINUTE_MS));
}

/** Returns the instant of a local time: the later one, if clocks show the time twice. */
export function lastInstantAt(date: LocalDate, minutes: number, zone: string): Date {
  return new Date(new LocalClock(zone).findLastInstant(Date.parse(date) + minutes * MINUTE_MS));
}

function toLocalDate(shown: Date): LocalDate {
  return shown.toISOString().slice(0, 10);
}
