import { addDays, type LocalDate } from '../../../core/local-time.ts';
import { isDay, toTimeRange, type DayRange } from '../../bookings/day-range.ts';

export const CUSTOM = 'custom';
const DEFAULT_RANGE = '30';

/** Options of the filter that selects the range of the overview. The numbers are days, including today. */
export const ranges = [
  ['7', 'Last 7 days'],
  [DEFAULT_RANGE, 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 365 days'],
  [CUSTOM, 'Custom range'],
] as const;

/** Maximum length in days of a range for which the API returns analytics. */
export const MAX_DAYS = 366;
/**
 * Maximum days per request for which the API includes daily figures. The API's limit is one day more, which
 * covers a range with a 25-hour day.
 */
const PART_DAYS = 91;

/**
 * Returns the selected option of the overview's range filter from the URL; the default if the URL has no
 * valid option.
 */
export function readChosenRange({ days }: Record<string, string>): string {
  return ranges.find(([range]) => range === days)?.[0] ?? DEFAULT_RANGE;
}

/** Returns the overview's range of days from the URL: a custom range, or a number of days up to today. */
export function readRange(filters: Record<string, string>, today: LocalDate): DayRange {
  const chosenRange = readChosenRange(filters);
  const defaultRange = { from: addDays(today, 1 - Number(DEFAULT_RANGE)), until: today };
  if (chosenRange !== CUSTOM) return { from: addDays(today, 1 - Number(chosenRange)), until: today };
  const { from, until } = filters;
  return { from: isDay(from) ? from : defaultRange.from, until: isDay(until) ? until : defaultRange.until };
}

/** Splits a range of days into shorter ranges, for which the API includes daily figures. */
export function splitRange({ from, until }: DayRange, zone: string): { from: string; to: string }[] {
  const parts = [];
  for (let start = from; start <= until; start = addDays(start, PART_DAYS)) {
    const last = addDays(start, PART_DAYS - 1);
    parts.push(toTimeRange({ from: start, until: last < until ? last : until }, zone));
  }
  return parts;
}
