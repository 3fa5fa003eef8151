import { FIRST_DAY, LAST_DAY } from '../../core/day-range.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { addDays } from '../../core/local-time.ts';
import { toMonthRange, type DayRange } from '../../core/months.ts';

/** Maximum number of days that a request for daily usage may cover. */
export const MAX_SERIES_DAYS = 366;

/**
 * Returns the range of days of a month.
 * @param month month as YYYY-MM; undefined for the current month
 */
export function resolveMonth(month: string | undefined, today: string): DayRange {
  if (month !== undefined && `${month}-01` < FIRST_DAY)
    throw invalidField('month', 'must be 2000-01 or later', 'query');
  if (month !== undefined && `${month}-01` > LAST_DAY)
    throw invalidField('month', 'must be 9998-12 or earlier', 'query');
  return toMonthRange(month ?? today);
}

export function listDays({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day);
  return days;
}
