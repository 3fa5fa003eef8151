import { addDays, firstInstantAt, localTimeAt, type LocalDate } from '../../../core/local-time.ts';

interface SummaryHour {
  timezone: string;
  digestHour: number;
}

const MINUTES_PER_HOUR = 60;

/** Returns the date at an instant in the time zone. */
export function dayAt(instant: Date, zone: string): LocalDate {
  return localTimeAt(instant, zone).date;
}

/** Returns the instant at which the next day begins in the time zone. */
export function endOfDay(instant: Date, zone: string): Date {
  return firstInstantAt(addDays(dayAt(instant, zone), 1), 0, zone);
}

/**
 * Returns the time of the next summary of alerts that exceed the daily cap: the alert policy's hour on the
 * next day.
 */
export function nextSummaryTime(instant: Date, hour: SummaryHour): Date {
  return summaryTimeOn(addDays(dayAt(instant, hour.timezone), 1), hour);
}

export function summaryTimeOn(date: LocalDate, { timezone, digestHour }: SummaryHour): Date {
  return firstInstantAt(date, digestHour * MINUTES_PER_HOUR, timezone);
}
