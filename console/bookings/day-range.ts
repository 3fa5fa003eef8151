import { addDays, firstInstantAt, type LocalDate } from '../../core/local-time.ts';

/** Whole days, the last one as well. */
export interface DayRange {
  from: LocalDate;
  until: LocalDate;
}

/** As many as the API lists at once. */
const MOST_DAYS = 92;
const USUAL_DAYS = 31;
const DAY_MS = 86_400_000;

/** What an address names; a month from today where it names nothing. */
export function rangeIn({ from, until }: Record<string, string>, today: LocalDate): DayRange {
  const first = isDay(from) ? from : today;
  return { from: first, until: isDay(until) ? until : addDays(first, USUAL_DAYS - 1) };
}

export function problemWith(range: DayRange): string | undefined {
  const days = daysIn(range);
  if (days < 1) return 'The last day is before the first one.';
  return days > MOST_DAYS ? `Choose ${MOST_DAYS} days at most.` : undefined;
}

/** As many days, beginning with another one. */
export function rangeFrom(range: DayRange, from: LocalDate): DayRange {
  return { from, until: addDays(from, Math.max(1, daysIn(range)) - 1) };
}

/** The days before or after it. */
export function nextRange(range: DayRange, direction: 1 | -1): DayRange {
  return rangeFrom(range, addDays(range.from, direction * Math.max(1, daysIn(range))));
}

/** From its first moment in a zone to the first one after it, for the API. */
export function momentsOf({ from, until }: DayRange, zone: string): { from: string; to: string } {
  return {
    from: firstInstantAt(from, 0, zone).toISOString(),
    to: firstInstantAt(addDays(until, 1), 0, zone).toISOString(),
  };
}

export function isDay(text: string | undefined): text is LocalDate {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function daysIn({ from, until }: DayRange): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
}
