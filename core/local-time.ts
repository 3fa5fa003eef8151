import { DAY_MS, LocalClock, MINUTE_MS } from './local-clock.ts';

/** A calendar day, as `2026-03-29`. */
export type LocalDate = string;

export interface LocalTime {
  date: LocalDate;
  /** Minutes since midnight in local time. */
  minutes: number;
  /** Weekday of the local time, from 0 for Sunday. */
  weekday: number;
}

/**
 * Returns the local time of a time zone at an instant.
 * @throws RangeError if the zone is unknown
 */
export function localTimeAt(instant: Date, zone: string): LocalTime {
  const wallClock = new Date(new LocalClock(zone).toLocalTime(instant.getTime()));
  return {
    date: toLocalDate(wallClock),
    minutes: wallClock.getUTCHours() * 60 + wallClock.getUTCMinutes(),
    weekday: wallClock.getUTCDay(),
  };
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return toLocalDate(new Date(Date.parse(date) + days * DAY_MS));
}

/** Returns the weekday of a date, from 0 for Sunday. */
export function getWeekday(date: LocalDate): number {
  return new Date(Date.parse(date)).getUTCDay();
}

/**
 * Returns the earliest instant with this local time. For a local time that is skipped by daylight saving,
 * returns the instant after the gap.
 * @param minutes minutes since midnight by the clock; 1440 is the next midnight
 */
export function firstInstantAt(date: LocalDate, minutes: number, zone: string): Date {
  return new Date(new LocalClock(zone).findFirstInstant(Date.parse(date) + minutes * MINUTE_MS));
}

/** Returns the latest instant with this local time. A local time occurs twice when clocks are set back. */
export function lastInstantAt(date: LocalDate, minutes: number, zone: string): Date {
  return new Date(new LocalClock(zone).findLastInstant(Date.parse(date) + minutes * MINUTE_MS));
}

function toLocalDate(localTime: Date): LocalDate {
  return localTime.toISOString().slice(0, 10);
}
