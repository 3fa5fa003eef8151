import { invalidField } from './errors/errors.ts';
import { DAY_MS } from './local-clock.ts';

/** Days as YYYY-MM-DD, in UTC, the last included. */
export interface DayRange {
  from: string;
  to: string;
}

/** Years before the first have no form that databases read. */
const EARLIEST = '1900-01-01';

/**
 * The range that a query asks for; where it says nothing, so many days that end with the one it names, or today.
 * @throws AppError where the first day is after the last, they are more than may be asked for, or of another age
 */
export function daysAsked(
  asked: { from?: string | undefined; to?: string | undefined },
  { now, byDefault, most }: { now: Date; byDefault: number; most: number },
): DayRange {
  for (const field of ['from', 'to'] as const)
    if (asked[field] !== undefined && asked[field] < EARLIEST)
      throw invalidField(field, `must not be before ${EARLIEST}`, 'query');
  const today = dayOf(now);
  const to = asked.to ?? (asked.from !== undefined && asked.from > today ? asked.from : today);
  const from = asked.from ?? daysBefore(to, byDefault - 1);
  if (from > to) throw invalidField('to', 'must not be before from', 'query');
  if (from < daysBefore(to, most - 1))
    throw invalidField('from', `must be one of the ${most} days that end with to`, 'query');
  return { from, to };
}

/** The day of a time in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function daysBefore(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) - days * DAY_MS));
}
