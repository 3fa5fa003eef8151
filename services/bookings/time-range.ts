import { invalidField } from '../../core/errors/errors.ts';
import { DAY_MS, HOUR_MS } from '../../core/local-clock.ts';

/** Parameters of an API request that give a time range. */
export interface TimeRangeQuery {
  from?: string | undefined;
  to?: string | undefined;
}

export interface RangeBounds {
  defaultDays: number;
  maxDays: number;
}

/**
 * Parses the time range of an API request. It may be an hour longer than `maxDays`, since a day with a clock
 * change can have 25 hours.
 * @throws AppError `validation_error` if the range is empty or too long
 */
export function parseTimeRange(
  { from, to }: TimeRangeQuery,
  now: Date,
  { defaultDays, maxDays }: RangeBounds,
): { start: number; end: number } {
  const start = from === undefined ? now.getTime() : Date.parse(from);
  const end = to === undefined ? start + defaultDays * DAY_MS : Date.parse(to);
  if (Number.isNaN(start)) throw invalidField('from', 'must be a time', 'query');
  if (Number.isNaN(end)) throw invalidField('to', 'must be a time', 'query');
  if (end <= start)
    throw invalidField(
      'to',
      from === undefined ? 'must be later than now, because `from` is omitted' : 'must be later than `from`',
      'query',
    );
  if (end - start > maxDays * DAY_MS + HOUR_MS)
    throw invalidField('to', `must be at most ${maxDays} days and an hour after \`from\``, 'query');
  return { start, end };
}
