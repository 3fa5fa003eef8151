import { beginningOfHour, HOUR_MS } from '../../../core/hours.ts';
import { addDays, firstInstantAt, localTimeAt, weekdayOf, type LocalDate } from '../../../core/local-time.ts';
import { isTimeZone } from '../../../core/time-zone.ts';

const MONDAY = 1;
const HOUR_OF_MAIL = 9;
/** From Monday on; who could not be mailed then hears of the week after. */
const LATEST_MS = 24 * HOUR_MS;
const DAYS_OF_WEEK = 7;

/** A week of a zone, by whole hours (UTC), as events are counted. */
export interface CountedWeek {
  from: Date;
  to: Date;
  /** From here on is the week before. */
  before: Date;
}

/** The Monday on which people of a zone are mailed about the week before it, if that is now. */
export function mondayOfMail(zone: string, now: Date): LocalDate | null {
  if (!isTimeZone(zone)) return null;
  const { date } = localTimeAt(now, zone);
  const monday = addDays(date, -((weekdayOf(date) - MONDAY + DAYS_OF_WEEK) % DAYS_OF_WEEK));
  const agoMs = now.getTime() - firstInstantAt(monday, HOUR_OF_MAIL * 60, zone).getTime();
  return agoMs >= 0 && agoMs < LATEST_MS ? monday : null;
}

/** The week before a Monday. */
export function weekBefore(monday: LocalDate, zone: string): CountedWeek {
  const [before, from, to] = [-2, -1, 0].map((weeks) => {
    const midnight = firstInstantAt(addDays(monday, weeks * DAYS_OF_WEEK), 0, zone);
    return new Date(beginningOfHour(midnight));
  });
  return { before: before!, from: from!, to: to! };
}
