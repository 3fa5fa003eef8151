import { addDays, firstInstantAt, localTimeAt, type LocalDate } from '../../../core/local-time.ts';

interface SummaryHour {
  timezone: string;
  digestHour: number;
}

const MINUTES_OF_HOUR = 60;

/** Local date in the zone. */
export function dayAt(instant: Date, zone: string): LocalDate {
  return localTimeAt(instant, zone).date;
}

/** Start of the next local day. */
export function endOfDay(instant: Date, zone: string): Date {
  return firstInstantAt(addDays(dayAt(instant, zone), 1), 0, zone);
}

/** Time of the summary of alerts that exceed the day's cap. */
export function nextSummaryTime(instant: Date, hour: SummaryHour): Date {
  return summaryTimeOn(addDays(dayAt(instant, hour.timezone), 1), hour);
}

export function summaryTimeOn(date: LocalDate, { timezone, digestHour }: SummaryHour): Date {
  return firstInstantAt(date, digestHour * MINUTES_OF_HOUR, timezone);
}
