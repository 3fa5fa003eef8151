import { addDays, firstInstantAt, type LocalDate } from '../../core/local-time.ts';

/** Range of whole days, both inclusive. */
export interface DayRange {
  from: LocalDate;
  until: LocalDate;
}

/** Maximum range of the API, in days. */
const MAX_DAYS = 92;
const USUAL_DAYS = 31;
const DAY_MS = 86_400_000;

/** Returns the range in the URL; a month from today by default. */
export function readDayRange({ from, until }: Record<string, string>, today: LocalDate): DayRange {
  const first = isDay(from) ? from : today;
  return { from: first, until: isDay(until) ? until : addDays(first, USUAL_DAYS - 1) };
}

export function findRangeProblem(range: DayRange): string | undefined {
  const days = countDays(range);
  if (days < 1) return 'The last day is before the first one.';
  return days > MAX_DAYS ? `Choose ${MAX_DAYS} days at most.` : undefined;
}

/** Returns a range of the same length with another start. */
export function moveRange(range: DayRange, from: LocalDate): DayRange {
  return { from, until: addDays(from, Math.max(1, countDays(range)) - 1) };
}

/** Returns the adjacent range of the same length. */
export function getAdjacentRange(range: DayRange, direction: 1 | -1): DayRange {
  return moveRange(range, addDays(range.from, direction * Math.max(1, countDays(range))));
}

/** Returns the API's time range: from the first moment of the range to the first moment after it. */
export function toTimeRange({ from, until }: DayRange, zone: string): { from: string; to: string } {
  return {
    from: firstInstantAt(from, 0, zone).toISOString(),
    to: firstInstantAt(addDays(until, 1), 0, zone).toISOString(),
  };
}

export function isDay(text: string | undefined): text is LocalDate {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function countDays({ from, until }: DayRange): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
}
