import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../core/local-clock.ts';

/** A date or time parsed from an iCalendar text, whose time zone is not resolved yet. */
export interface WrittenTime {
  /** Local time of the parsed text in milliseconds since the epoch, as if it were UTC. */
  local: number;
  isDate: boolean;
  /** UTC offset that the text states, in milliseconds: 0 for `Z`, null if the text states no offset. */
  offsetMs: number | null;
}

/** A length of time in an iCalendar text. Days follow the local clock; the remainder is exact. */
export interface Duration {
  days: number;
  ms: number;
}

const TIME =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:\.\d{1,9})?)?\s?(?:(Z)|([+-])(\d{2}):?(\d{2}))?|T?)$/i;
const DURATION =
  /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;
const MIN_YEAR = 1000;

/**
 * Parses an iCalendar date or time, such as `20261208`, `20261208T110000` or `20261208T110000Z`, also with
 * separators. Undefined if the text is something else, or a day that does not exist.
 * @param isDateValue true if the property is declared as a date: midnight then stands for the day
 */
export function parseWrittenTime(text: string, isDateValue = false): WrittenTime | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, utc, sign, offsetHours, offsetMinutes] = found;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!isDay || Number(year) < MIN_YEAR) return undefined;
  if (hour === undefined) return { local: date.getTime(), isDate: true, offsetMs: null };
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second ?? 0)];
  // Second 60 is valid: a leap second. Some programs write midnight as 24:00.
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined;
  const time = hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000;
  if (time > DAY_MS + 1000) return undefined;
  if (isDateValue && time === 0) return { local: date.getTime(), isDate: true, offsetMs: null };
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
  const offsetMs = utc ? 0 : sign === undefined ? null : sign === '-' ? -offset : offset;
  return { local: date.getTime() + time, isDate: false, offsetMs };
}

/** Parses a duration in the format of RFC 5545, such as `PT1H`. Undefined if the text is something else. */
export function parseDuration(text: string): Duration | undefined {
  const found = DURATION.exec(text.trim());
  if (!found) return undefined;
  const [, sign, ...numbers] = found;
  if (numbers.every((each) => each === undefined)) return undefined;
  const [weeks, days, hours, minutes, seconds] = numbers.map((each) => Number(each ?? 0)) as [
    ...[number, number, number, number, number],
  ];
  const factor = sign === '-' ? -1 : 1;
  return {
    days: factor * (weeks * 7 + days),
    ms: factor * (hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000),
  };
}

/** Replaces the escape sequences in an iCalendar text by their characters. */
export function unescapeText(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, character: string) =>
    character === 'n' || character === 'N' ? '\n' : character,
  );
}
