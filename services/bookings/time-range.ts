import { invalidField } from '../../core/errors/errors.ts';
import { DAY_MS, HOUR_MS } from '../../core/local-clock.ts';

/** As callers give it. */
export interface AskedRange {
  from?: string | undefined;
  to?: string | undefined;
}

export interface RangeBounds {
  usualDays: number;
  mostDays: number;
}

/**
 * Days of a local calendar may have an hour more than so many times 24.
 * @throws AppError `validation_error` for a range that is empty or too long
 */
export function rangeOf(
  { from, to }: AskedRange,
  now: Date,
  { usualDays, mostDays }: RangeBounds,
): { start: number; end: number } {
  const start = from === undefined ? now.getTime() : Date.parse(from);
  const end = to === undefined ? start + usualDays * DAY_MS : Date.parse(to);
  if (Number.isNaN(start)) throw invalidField('from', 'must be a time', 'query');
  if (Number.isNaN(end)) throw invalidField('to', 'must be a time', 'query');
  if (end <= start)
    throw invalidField(
      'to',
      from === undefined ? 'must be later than now, as from is left out' : 'must be later than from',
      'query',
    );
  if (end - start > mostDays * DAY_MS + HOUR_MS)
    throw invalidField('to', `must be at most ${mostDays} days and an hour after from`, 'query');
  return { start, end };
}
