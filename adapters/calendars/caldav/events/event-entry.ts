import type { MsInterval } from '../../../../core/bookings/busy-minutes.ts';
import { DAY_MS, HOUR_MS } from '../../../../core/local-clock.ts';
import { readTextValue } from '../../../http/response-values.ts';
import type { EventFault } from '../../calendar-provider.ts';
import type { Zones } from '../zones/zones.ts';
import { isOpaque, type BusyRules } from './busyness.ts';
import { computeEnd, readEventTime, resolveInstant, type EventTime } from './event-times.ts';
import { findProperty, readValue, type IcsComponent } from './ics-text.ts';
import { parseDuration, unescapeText, type Duration } from './ics-values.ts';

/** A VEVENT of a calendar: a single event, a recurring event, or an exception of one. */
export interface Entry {
  component: IcsComponent;
  start: EventTime;
  /** Length of the calendar event from its start. */
  length: Duration;
  /** Milliseconds of busy time before the start: 0, unless the event ends before it starts. */
  leadMs: number;
  isOpaque: boolean;
  /** Revision of the event. A higher revision replaces lower revisions. */
  sequence: number;
}

/** Settings and time zones that all events of a calendar object share. */
export interface EntryContext {
  zones: Zones;
  rules: BusyRules;
  /** Property METHOD of the calendar object (such as CANCEL), in upper case. */
  method: string;
  /** Callback for each event that cannot be read completely. */
  report(component: IcsComponent, fault: EventFault, start: EventTime | null): void;
}

const MAX_TITLE_LENGTH = 80;
/** Length that is assumed for an event whose end cannot be read. */
const ASSUMED_LENGTH: Duration = { days: 0, ms: HOUR_MS };
const ONE_DAY: Duration = { days: 1, ms: 0 };

/** Reads a calendar event. Returns null, and reports the event, if its start cannot be read. */
export function readEntry(component: IcsComponent, context: EntryContext): Entry | null {
  const { zones, rules, method } = context;
  const id = findProperty(component, 'RECURRENCE-ID');
  const startProperty = findProperty(component, 'DTSTART') ?? id;
  const written = readEventTime(startProperty, zones);
  if (!written) {
    context.report(component, 'start', null);
    return null;
  }
  const endProperty = findProperty(component, 'DTEND');
  const end = readEventTime(endProperty, zones, written.zone);
  const start = takeZone(written, end);
  const { length, leadMs, fault } = readLength(component, start, end);
  if (!component.isComplete) context.report(component, 'truncated', start);
  else if (fault) context.report(component, fault, start);
  else if (start.unknownZone !== undefined) context.report(component, 'zone', start);
  return {
    component,
    start,
    length,
    leadMs,
    isOpaque: isOpaque(component, start.isDate, method, rules),
    sequence: Number(/^\d{1,9}$/.exec(readValue(component, 'SEQUENCE'))?.[0] ?? 0),
  };
}

/** Returns the busy period of an event, or of one of its occurrences. */
export function computeBusyInterval({ length, leadMs }: Entry, start: EventTime): MsInterval {
  return [resolveInstant(start) - leadMs, computeEnd(start, length)];
}

/** Returns the title of a calendar event for its owner; null if the event is private or has no title. */
export function readTitle(component: IcsComponent): string | null {
  if (/^(?:PRIVATE|CONFIDENTIAL)$/i.test(readValue(component, 'CLASS'))) return null;
  const title = unescapeText(readValue(component, 'SUMMARY').slice(0, 4 * MAX_TITLE_LENGTH));
  return readTextValue(title.replaceAll(/\s+/g, ' ').trim(), MAX_TITLE_LENGTH) || null;
}

/** Returns the start of an event. A start without a time zone gets the time zone of the event's end. */
function takeZone(start: EventTime, end: EventTime | undefined): EventTime {
  const adoptsZone = start.isFloating && !start.isDate && end && !end.isFloating;
  return adoptsZone ? { ...start, zone: end.zone } : start;
}

interface ReadLength extends Pick<Entry, 'length' | 'leadMs'> {
  fault?: EventFault;
}

function readLength(component: IcsComponent, start: EventTime, end: EventTime | undefined): ReadLength {
  if (end) return measureLength(start, end);
  const duration = parseDuration(readValue(component, 'DURATION'));
  if (duration) return toLength(resolveInstant(start), computeEnd(start, duration), duration);
  const isUnreadable = ['DTEND', 'DURATION'].some((name) => readValue(component, name) !== '');
  if (isUnreadable) return { length: start.isDate ? ONE_DAY : ASSUMED_LENGTH, leadMs: 0, fault: 'end' };
  return { length: start.isDate ? ONE_DAY : { days: 0, ms: 0 }, leadMs: 0 };
}

/**
 * Returns the length of an event from its start to its end. If the end is only a date, and the start is on
 * that day, the event ends with the day.
 */
function measureLength(start: EventTime, end: EventTime): ReadLength {
  const days = (end.local - start.local) / DAY_MS;
  if (start.isDate && end.isDate && days >= 0)
    return { length: { days: Math.max(1, days), ms: 0 }, leadMs: 0 };
  const endsToday = end.isDate && !start.isDate && days <= 0 && days > -1;
  const to = endsToday ? end.zone.toInstant(end.local + DAY_MS) : resolveInstant(end);
  return toLength(resolveInstant(start), to);
}

/** @param duration the event's length as its text states it; by default the time from start to end */
function toLength(from: number, to: number, duration: Duration = { days: 0, ms: to - from }): ReadLength {
  if (to >= from) return { length: duration, leadMs: 0 };
  return { length: { days: 0, ms: 0 }, leadMs: from - to, fault: 'order' };
}
