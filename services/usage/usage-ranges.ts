import { invalidField } from '../../core/errors/errors.ts';
import { addDays } from '../../core/local-time.ts';
import { monthOf, type DayRange } from '../../core/months.ts';

/** Of days that a series has at most. */
export const MOST_DAYS = 366;
const USUAL_DAYS = 30;
/** Nothing was used before; databases know no year 0. */
const FIRST_DAY = '2000-01-01';

/** The month that is asked for as YYYY-MM, or the one that today is in. */
export function rangeOfMonth(month: string | undefined, today: string): DayRange {
  if (month !== undefined && `${month}-01` < FIRST_DAY)
    throw invalidField('month', 'must be 2000-01 or later', 'query');
  return monthOf(month ?? today);
}

/**
 * The days from `from` to `to`, both counted; without them, thirty days up to today.
 * @throws AppError `validation_error`
 */
export function rangeOfDays(asked: { from?: string; to?: string }, today: string): DayRange {
  const last = asked.to ?? (asked.from !== undefined && asked.from > today ? asked.from : today);
  const from = asked.from ?? addDays(last, 1 - USUAL_DAYS);
  if (from < FIRST_DAY)
    throw invalidField(asked.from === undefined ? 'to' : 'from', `must be ${FIRST_DAY} or later`, 'query');
  if (from > last) throw invalidField('from', 'must not be after to', 'query');
  const to = addDays(last, 1);
  if (addDays(from, MOST_DAYS) < to)
    throw invalidField('from', `must be at most ${MOST_DAYS} days before to, both counted`, 'query');
  return { from, to };
}

export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day);
  return days;
}
