import { invalidField } from '../errors/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../local-clock.ts';
import { FIRST_DAY, LAST_DAY } from '../day-range.ts';
import { addDays, firstInstantAt, localTimeAt, type LocalDate } from '../local-time.ts';

/**
 * Length in milliseconds of the shortest intervals for which analytics figures are stored. A quarter of an
 * hour divides the UTC offsets of all time zones.
 */
const QUARTER_MS = 15 * MINUTE_MS;

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** Maximum length, in days, of a range for which the analytics API also returns figures per day. */
const MAX_SERIES_DAYS = 92;

const BEGINNING = Date.parse(FIRST_DAY);
const END = Date.parse(addDays(LAST_DAY, 1));

/** The range of time for which a caller requests analytics figures. */
export interface RequestedAnalyticsRange {
  from?: string | undefined;
  to?: string | undefined;
}

export interface MsRange {
  start: number;
  /** Exclusive end of the range, in milliseconds since the epoch. */
  end: number;
}

/** A range of time whose analytics figures are stored in rollups of the same length. */
export interface RollupRange extends MsRange {
  span: 'quarter_hour' | 'day' | 'month';
}

export interface LocalDay extends MsRange {
  date: LocalDate;
}

/**
 * Converts a requested range of analytics to whole quarter hours. Rounds a given end down; without an end,
 * includes the current quarter hour. Accepts an hour more than the maximum, because a range may contain a
 * change of clocks.
 * @throws AppError `validation_error` if the range is empty or too long
 */
export function toAnalyticsRange({ from, to }: RequestedAnalyticsRange, now: Date): MsRange {
  const end =
    to === undefined
      ? floorToQuarterHour(now.getTime()) + QUARTER_MS
      : floorToQuarterHour(parseTime('to', to));
  const defaultStart = Math.max(BEGINNING, end - DEFAULT_DAYS * DAY_MS);
  const start = from === undefined ? defaultStart : floorToQuarterHour(parseTime('from', from));
  if (start >= end)
    throw invalidField(
      to === undefined ? 'from' : 'to',
      to === undefined
        ? 'must not be later than now, which is the default of "to"'
        : 'must be at least a quarter of an hour later than "from"',
      'query',
    );
  if (end - start > MAX_DAYS * DAY_MS + HOUR_MS)
    throw invalidField(
      from === undefined ? 'to' : 'from',
      `must be at most ${MAX_DAYS} days and an hour before ${to === undefined ? 'now, which is the default of "to"' : '"to"'}`,
      'query',
    );
  return { start, end };
}

/**
 * Rounds a time down to a full quarter hour.
 * @param instant milliseconds since the epoch
 */
export function floorToQuarterHour(instant: number): number {
  return Math.floor(instant / QUARTER_MS) * QUARTER_MS;
}

/**
 * Lengths of the analytics rollups, longest first. `floor` returns the start of the month or day around a
 * time; `next` returns the start of the following month or day.
 */
const LONG_SPANS = [
  { span: 'month', floor: floorToMonth, next: (start: number) => floorToMonth(start + 31 * DAY_MS) },
  { span: 'day', floor: floorToDay, next: (start: number) => start + DAY_MS },
] as const;

/**
 * Splits a range of time into as few analytics rollups as possible: whole months (UTC), then whole days, then
 * quarter hours.
 */
export function splitIntoSpans(range: MsRange): RollupRange[] {
  return listSpansWithin(range, LONG_SPANS);
}

/**
 * Splits a range of time into the rollups for figures per local day: UTC days if local days coincide with
 * them, and quarter hours if not.
 */
export function splitIntoSeriesSpans(range: MsRange, days: readonly LocalDay[]): RollupRange[] {
  if (days.length === 0) return [];
  const matchesUtcDays = days.slice(1).every(({ start }) => floorToDay(start) === start);
  return listSpansWithin(range, matchesUtcDays ? LONG_SPANS.slice(1) : []);
}

function listSpansWithin(
  { start, end }: MsRange,
  [longest, ...others]: readonly (typeof LONG_SPANS)[number][],
): RollupRange[] {
  if (start >= end) return [];
  if (longest === undefined) return [{ span: 'quarter_hour', start, end }];
  const { span, floor, next } = longest;
  const first = floor(start) === start ? start : next(floor(start));
  const last = floor(end);
  if (first >= last) return listSpansWithin({ start, end }, others);
  return [
    ...listSpansWithin({ start, end: first }, others),
    { span, start: first, end: last },
    ...listSpansWithin({ start: last, end }, others),
  ];
}

function floorToDay(instant: number): number {
  return Math.floor(instant / DAY_MS) * DAY_MS;
}

function floorToMonth(instant: number): number {
  const day = new Date(instant);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth());
}

/**
 * Returns the local days that a range of time overlaps; the first and last day may be incomplete. Returns null
 * if the range is too long for figures per day.
 */
export function listLocalDays(range: MsRange, zone: string): LocalDay[] | null {
  if (range.end - range.start > MAX_SERIES_DAYS * DAY_MS + HOUR_MS) return null;
  const days: LocalDay[] = [];
  let { start } = range;
  while (start < range.end) {
    const { date } = localTimeAt(new Date(start), zone);
    const midnight = floorToQuarterHour(firstInstantAt(addDays(date, 1), 0, zone).getTime());
    const end = Math.min(range.end, Math.max(midnight, start + QUARTER_MS));
    days.push({ date, start, end });
    start = end;
  }
  return days;
}

function parseTime(field: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidField(field, 'must be a time', 'query');
  if (time < BEGINNING) throw invalidField(field, `must be ${FIRST_DAY} (UTC) or later`, 'query');
  if (time >= END) throw invalidField(field, `must be ${LAST_DAY} (UTC) or earlier`, 'query');
  return time;
}
