import { startOfHour, HOUR_MS } from '../../../core/hours.ts';
import {
  addDays,
  firstInstantAt,
  localTimeAt,
  getWeekday,
  type LocalDate,
} from '../../../core/local-time.ts';
import { isTimeZone } from '../../../core/time-zone.ts';

const MONDAY = 1;
const HOUR_OF_MAIL = 9;
/**
 * Maximum delay in milliseconds of the weekly email after 9:00 on Monday. A user whose email would be later
 * gets only the next week's email.
 */
const MAX_DELAY_MS = 24 * HOUR_MS;
const DAYS_OF_WEEK = 7;

/**
 * A calendar week in a user's time zone. Its bounds are full hours in UTC, because figures are counted by the
 * hour.
 */
export interface CountedWeek {
  from: Date;
  to: Date;
  /** Start of the previous week, which ends at `from`. */
  before: Date;
}

/**
 * Returns the Monday of the current week if the weekly email is due now in the time zone, and null if not.
 */
export function findMailMonday(zone: string, now: Date): LocalDate | null {
  if (!isTimeZone(zone)) return null;
  const { date } = localTimeAt(now, zone);
  const monday = addDays(date, -((getWeekday(date) - MONDAY + DAYS_OF_WEEK) % DAYS_OF_WEEK));
  const agoMs = now.getTime() - firstInstantAt(monday, HOUR_OF_MAIL * 60, zone).getTime();
  return agoMs >= 0 && agoMs < MAX_DELAY_MS ? monday : null;
}

/** Returns the week that ends when the given Monday starts. */
export function getWeekBefore(monday: LocalDate, zone: string): CountedWeek {
  const [before, from, to] = [-2, -1, 0].map((weeks) => {
    const midnight = firstInstantAt(addDays(monday, weeks * DAYS_OF_WEEK), 0, zone);
    return new Date(startOfHour(midnight));
  });
  return { before: before!, from: from!, to: to! };
}
