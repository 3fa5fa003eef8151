// oxlint-disable-next-line import/default -- Node imports the CommonJS build, whose exports it does not detect.
import rrule from 'rrule';
import { DAY_MS } from '../../../../core/local-clock.ts';
import { resolveInstant, type EventTime } from './event-times.ts';
import { parseWrittenTime, type WrittenTime } from './ics-values.ts';

/**
 * Recurrence rule of a calendar event. `listRuleTimes` checks the rule's end instead of the library, since
 * rules state the end in UTC.
 */
export interface Rule {
  /** Text of the recurrence rule for the library, without COUNT and UNTIL. */
  text: string;
  count: number | null;
  until: WrittenTime | null;
  /** True if a part of the recurrence rule is unknown, so that the event may take place less often. */
  hasUnknownPart: boolean;
}

/** Thrown for a recurrence rule that is invalid. */
export class UnreadableRule extends Error {
  override name = 'UnreadableRule';
}

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'];
const LISTS = 'BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS'.split(' ');
const WEEKDAY = /^[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU)$/;
const NUMBER = /^[+-]?\d{1,3}$/;
/** Maximum number of times that a recurrence rule may generate within the range that is read. */
const MAX_TIMES = 20_000;

/**
 * Parses the recurrence rule of a calendar event.
 * @throws UnreadableRule
 */
export function parseRule(value: string): Rule {
  const rule: Rule = { text: '', count: null, until: null, hasUnknownPart: false };
  const ruleParts: string[] = [];
  const parts = value
    .replace(/^\s*(?:EX)?RRULE:/i, '')
    .replaceAll(/\s/g, '')
    .toUpperCase()
    .split(';');
  for (const part of parts) {
    const [name = '', text = ''] = part.split('=', 2);
    if (text === '') continue;
    if (name === 'UNTIL') rule.until = parseUntil(text);
    else if (name === 'COUNT') rule.count = parseCount(text);
    else if (isSupportedPart(name, text)) ruleParts.push(`${name}=${text}`);
    else if (!isNeutralPart(name, text)) rule.hasUnknownPart = true;
  }
  if (!ruleParts.some((part) => part.startsWith('FREQ=')))
    throw new UnreadableRule('The recurrence rule has no frequency.');
  return { ...rule, text: ruleParts.join(';') };
}

/**
 * Returns the start times that a recurrence rule generates within a range of local times. The rule follows
 * the local clock, so daylight saving does not shift the start times. `isComplete` is false if the rule
 * generates too many times.
 * @throws UnreadableRule
 */
export function listRuleTimes(
  rule: Rule,
  start: EventTime,
  [from, to]: readonly [number, number],
): { times: EventTime[]; isComplete: boolean } {
  const until = rule.until && resolveUntil(rule.until, start);
  const times: EventTime[] = [];
  let count = 0;
  let last: number | undefined;
  createRule(rule, start).all((date) => {
    const local = date.getTime();
    // The recurrence library repeats a time that BYSETPOS selects twice.
    if (local === last) return true;
    last = local;
    count += 1;
    if (local > to || (rule.count !== null && count > rule.count)) return false;
    const time = { ...start, local };
    if (until && local > until.lastLocal) return false;
    if (until && resolveInstant(time) > until.lastInstant) return true;
    if (local >= from) times.push(time);
    return times.length < MAX_TIMES;
  });
  return { times, isComplete: times.length < MAX_TIMES };
}

/**
 * Returns whether a recurrence rule ends before its event begins. Some programs delete an event in this way.
 */
export function endsBeforeStart({ until }: Rule, start: EventTime): boolean {
  return until !== null && resolveInstant(start) > resolveUntil(until, start).lastInstant;
}

/** Creates the recurrence rule for the library. RFC 5545 ignores times of day in rules of all-day events. */
function createRule({ text }: Rule, { local, isDate }: EventTime) {
  const dayText = isDate ? text.replaceAll(/;?BY(?:HOUR|MINUTE|SECOND)=[^;]*/g, '') : text;
  try {
    return new rrule.RRule({ ...rrule.RRule.parseString(dayText), dtstart: new Date(local) }, true);
  } catch (error) {
    throw new UnreadableRule('The recurrence rule is invalid.', { cause: error });
  }
}

/**
 * Returns the last instant of a recurrence rule, and an upper bound for the local times of its occurrences.
 * If UNTIL is a date, that day is included. For an all-day event, UNTIL as a time means its day.
 */
function resolveUntil(
  { local, isDate, offsetMs }: WrittenTime,
  { zone, isDate: isAllDay }: EventTime,
): { lastInstant: number; lastLocal: number } {
  const zoned = isDate || offsetMs === null ? local : zone.toLocal(local - offsetMs);
  const isLocalMidnight = zoned % DAY_MS === 0;
  const day = Math.floor((isAllDay && !isLocalMidnight ? local : zoned) / DAY_MS) * DAY_MS;
  const lastLocal = isDate || isAllDay ? day + DAY_MS - 1000 : zoned;
  const isExact = offsetMs !== null && !isDate && !isAllDay;
  return {
    lastInstant: isExact ? local - offsetMs : zone.toInstant(lastLocal),
    lastLocal: lastLocal + DAY_MS,
  };
}

function parseUntil(text: string): WrittenTime {
  const until = parseWrittenTime(text);
  if (until) return until;
  throw new UnreadableRule('The end of the recurrence rule is invalid.');
}

/** Ignore a COUNT of zero or less in a recurrence rule: some programs write -1 if the event never ends. */
function parseCount(text: string): number | null {
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new UnreadableRule('The number of repetitions in the recurrence rule is invalid.');
  return Number(text) > 0 ? Number(text) : null;
}

/** @throws UnreadableRule if the part of the recurrence rule is known, but its value is invalid */
function isSupportedPart(name: string, text: string): boolean {
  const isList = LISTS.includes(name);
  const isValid =
    (name === 'FREQ' && FREQUENCIES.includes(text)) ||
    (name === 'INTERVAL' && /^0{0,5}[1-9]\d{0,3}$/.test(text)) ||
    (name === 'WKST' && /^[A-Z]{2}$/.test(text) && WEEKDAY.test(text)) ||
    (isList && text.split(',').every((each) => (name === 'BYDAY' ? WEEKDAY : NUMBER).test(each)));
  if (!isValid && (isList || ['FREQ', 'INTERVAL', 'WKST'].includes(name)))
    throw new UnreadableRule(`The recurrence rule has an invalid ${name}.`);
  return isValid;
}

/** Returns whether a part of a recurrence rule has no effect on the event's times (RFC 7529). */
function isNeutralPart(name: string, text: string): boolean {
  return (
    name.startsWith('X-') ||
    (name === 'RSCALE' && text === 'GREGORIAN') ||
    (name === 'SKIP' && text === 'OMIT')
  );
}
