import { addDays, firstInstantAt, type LocalDate } from '../../core/local-time.ts';

/** Range of days in a list of bookings; the first and last day are included. */
export interface DayRange {
  from: LocalDate;
  until: LocalDate;
}

/** Maximum number of days for which the API lists bookings. */
export const MAX_DAYS = 92;
const DEFAULT_DAYS = 31;
const DAY_MS = 86_400_000;

/** Returns the range of days for the list of bookings from the URL; by default 31 days from today. */
export function readDayRange({ from, until }: Record<string, string>, today: LocalDate): DayRange {
  const first = isDay(from) ? from : today;
  return { from: first, until: isDay(until) ? until : addDays(first, DEFAULT_DAYS - 1) };
}

export function findRangeProblem(range: DayRange, maxDays: number): string | undefined {
  const days = countDays(range);
  if (days < 1) return "The end date can't be before the start date.";
  return days > maxDays ? `Choose at most ${maxDays} days.` : undefined;
}

/** Returns the range with the same number of days that starts on another day. */
export function moveRange(range: DayRange, from: LocalDate): DayRange {
  return { from, until: addDays(from, Math.max(1, countDays(range)) - 1) };
}

/** Returns the range with the same number of days directly before or after this range. */
export function getAdjacentRange(range: DayRange, direction: 1 | -1): DayRange {
  return moveRange(range, addDays(range.from, direction * Math.max(1, countDays(range))));
}

/** Converts a range of days to times for the API: from the start of the first day to the end of the last. */
export function toTimeRange({ from, until }: DayRange, zone: string): { from: string; to: string } {
  return {
    from: firstInstantAt(from, 0, zone).toISOString(),
    to: firstInstantAt(addDays(until, 1), 0, zone).toISOString(),
  };
}

export function isDay(text: string | undefined): text is LocalDate {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Counts the days of a range, including both its ends. */
function countDays({ from, until }: DayRange): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
}
