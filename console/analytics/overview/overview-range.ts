import { addDays, type LocalDate } from '../../../core/local-time.ts';
import { isDay, momentsOf, type DayRange } from '../../bookings/day-range.ts';

export const USUAL_DAYS = '30';
export const CUSTOM = 'custom';

/** As many days as the API has figures for at once, and as it has figures of each for. */
const MOST_DAYS = 366;
const MOST_SHOWN_DAYS = 92;
const DAY_MS = 86_400_000;

/** What an address names: the last days, or those from one to another. */
export function rangeIn(
  { days = USUAL_DAYS, from, until }: Record<string, string>,
  today: LocalDate,
): DayRange {
  if (days === CUSTOM)
    return { from: isDay(from) ? from : addDays(today, -29), until: isDay(until) ? until : today };
  const count = Math.min(Math.max(Number(days) || 1, 1), MOST_DAYS);
  return { from: addDays(today, 1 - Math.floor(count)), until: today };
}

export function problemWith(range: DayRange): string | undefined {
  const days = countOf(range);
  if (days < 1) return 'The last day is before the first one.';
  return days > MOST_DAYS ? `Choose ${MOST_DAYS} days at most.` : undefined;
}

/** Parts of it that the API has figures of each day for, as what to ask it. */
export function partsOf({ from, until }: DayRange, zone: string): { from: string; to: string }[] {
  const parts = [];
  for (let start = from; start <= until; start = addDays(start, MOST_SHOWN_DAYS)) {
    const last = addDays(start, MOST_SHOWN_DAYS - 1);
    parts.push(momentsOf({ from: start, until: last < until ? last : until }, zone));
  }
  return parts;
}

function countOf({ from, until }: DayRange): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
}
