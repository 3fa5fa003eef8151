import { invalidField } from './errors/errors.ts';
import { addDays } from './local-time.ts';
import type { DayRange } from './months.ts';

const DEFAULT_DAYS = 30;
/**
 * First and last day that a requested range of days may contain. Both are well within the years 1 to 9999, the
 * only years that PostgreSQL and the date format support.
 */
export const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '9998-12-31';

/**
 * Completes and checks a requested range of days, whose ends are inclusive. The default range is the last
 * thirty days. `to` of the result is the day after the range.
 * @param maxDays maximum number of days
 * @throws AppError `validation_error`
 */
export function toDayRange(
  requested: { from?: string | undefined; to?: string | undefined },
  today: string,
  maxDays: number,
): DayRange {
  for (const field of ['from', 'to'] as const) requireSupportedDay(field, requested[field] ?? FIRST_DAY);
  const last =
    requested.to ?? (requested.from !== undefined && requested.from > today ? requested.from : today);
  const defaultFrom = addDays(last, 1 - DEFAULT_DAYS);
  const from = requested.from ?? (defaultFrom < FIRST_DAY ? FIRST_DAY : defaultFrom);
  if (from > last) throw invalidField('from', 'must not be after "to"', 'query');
  const to = addDays(last, 1);
  if (addDays(from, maxDays) < to)
    throw invalidField('from', `must be at most ${maxDays} days before "to", counting both days`, 'query');
  return { from, to };
}

function requireSupportedDay(field: 'from' | 'to', day: string): void {
  if (day < FIRST_DAY) throw invalidField(field, `must be ${FIRST_DAY} or later`, 'query');
  if (day > LAST_DAY) throw invalidField(field, `must be ${LAST_DAY} or earlier`, 'query');
}

/** Formats the UTC day of a time as YYYY-MM-DD. */
export function formatUtcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
