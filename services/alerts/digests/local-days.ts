import { addDays, firstInstantAt, localTimeAt, type LocalDate } from '../../../core/local-time.ts';

interface SummaryHour {
  timezone: string;
  digestHour: number;
}

const MINUTES_OF_HOUR = 60;

/** The day that clocks of the zone show. */
export function dayAt(instant: Date, zone: string): LocalDate {
  return localTimeAt(instant, zone).date;
}

/** The first instant of the day after. */
export function endOfDay(instant: Date, zone: string): Date {
  return firstInstantAt(addDays(dayAt(instant, zone), 1), 0, zone);
}

/** When what a day had no room for is summed up. */
export function summaryAfter(instant: Date, hour: SummaryHour): Date {
  return summaryOn(addDays(dayAt(instant, hour.timezone), 1), hour);
}

export function summaryOn(date: LocalDate, { timezone, digestHour }: SummaryHour): Date {
  return firstInstantAt(date, digestHour * MINUTES_OF_HOUR, timezone);
}
