import { beginningOfHour, HOUR_MS } from '../../../core/hours.ts';
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
/** Mails go out within this time after Monday, 9 a.m.; readers who miss it get the next week's. */
const MAX_DELAY_MS = 24 * HOUR_MS;
const DAYS_OF_WEEK = 7;

/** Week in a time zone, in whole hours (UTC), as events are counted. */
export interface CountedWeek {
  from: Date;
  to: Date;
  /** Start of the previous week, which ends at `from`. */
  before: Date;
}

/** Returns this week's Monday if the mail is due now in the zone, otherwise null. */
export function findMailMonday(zone: string, now: Date): LocalDate | null {
  if (!isTimeZone(zone)) return null;
  const { date } = localTimeAt(now, zone);
  const monday = addDays(date, -((getWeekday(date) - MONDAY + DAYS_OF_WEEK) % DAYS_OF_WEEK));
  const agoMs = now.getTime() - firstInstantAt(monday, HOUR_OF_MAIL * 60, zone).getTime();
  return agoMs >= 0 && agoMs < MAX_DELAY_MS ? monday : null;
}

/** Returns the week that ends on a Monday. */
export function weekBefore(monday: LocalDate, zone: string): CountedWeek {
  const [before, from, to] = [-2, -1, 0].map((weeks) => {
    const midnight = firstInstantAt(addDays(monday, weeks * DAYS_OF_WEEK), 0, zone);
    return new Date(beginningOfHour(midnight));
  });
  return { before: before!, from: from!, to: to! };
}
