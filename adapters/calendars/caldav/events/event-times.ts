import { DAY_MS } from '../../../../core/local-clock.ts';
import { createFixedZone, utc, type Zone, type Zones } from '../zones/zones.ts';
import { readParameter, type IcsProperty } from './ics-text.ts';
import { parseDuration, parseWrittenTime, type Duration } from './ics-values.ts';

/** Start or end of an event: a local time and its time zone. */
export interface EventTime {
  /** Local time of the event in milliseconds since the epoch, as if it were UTC. */
  local: number;
  isDate: boolean;
  zone: Zone;
  /** True if the text of the event's time names no time zone. */
  isFloating: boolean;
  /** Name of a time zone that Parley does not know. The calendar's time zone is used instead. */
  unknownZone?: string;
}

/**
 * An occurrence of a recurring event. `end` is the occurrence's end if the occurrence has a length of its
 * own.
 */
export interface Occurrence {
  start: EventTime;
  end: number | null;
}

export function resolveInstant({ local, zone }: EventTime): number {
  return zone.toInstant(local);
}

/**
 * Reads the first time in an event's property, such as DTSTART.
 * @param fallback zone of a time that names no zone; by default the file's zone
 * @returns undefined if the property has no valid time
 */
export function readEventTime(
  property: IcsProperty | undefined,
  zones: Zones,
  fallback?: Zone,
): EventTime | undefined {
  return property && readTimes(property, zones, fallback)[0];
}

/** Reads all times in an event's property, such as EXDATE. An invalid time is undefined. */
export function readTimes(property: IcsProperty, zones: Zones, fallback?: Zone): (EventTime | undefined)[] {
  return listValues(property).map((text) => readTime(text, property, zones, fallback));
}

/**
 * Reads the times and periods of an event's RDATE property, which adds occurrences. An invalid time or period
 * is undefined.
 */
export function readAddedTimes(
  property: IcsProperty,
  zones: Zones,
  fallback?: Zone,
): (Occurrence | undefined)[] {
  return listValues(property).map((text) => {
    const [from = '', to] = text.split('/');
    const start = readTime(from, property, zones, fallback);
    if (!start || to === undefined) return start && { start, end: null };
    const duration = parseDuration(to);
    if (duration) return { start, end: computeEnd(start, duration) };
    const end = readTime(to, property, zones, fallback);
    return end && { start, end: resolveInstant(end) };
  });
}

/**
 * Returns the end of an event by its start and its duration. Days follow the local clock, the remainder is
 * exact (RFC 5545, 3.3.6).
 */
export function computeEnd({ zone, local }: EventTime, { days, ms }: Duration): number {
  return zone.toInstant(local + days * DAY_MS) + ms;
}

function listValues({ value }: IcsProperty): string[] {
  return value.split(',').filter((text) => text.trim() !== '');
}

function readTime(
  text: string,
  property: IcsProperty,
  zones: Zones,
  fallback: Zone = zones.floatingZone,
): EventTime | undefined {
  const isDateValue = readParameter(property, 'VALUE')?.toUpperCase() === 'DATE';
  const written = parseWrittenTime(text, isDateValue);
  if (!written) return undefined;
  const { local, isDate, offsetMs } = written;
  if (offsetMs !== null)
    return {
      local,
      isDate,
      zone: offsetMs === 0 ? utc : createFixedZone(text, offsetMs),
      isFloating: false,
    };
  const name = isDate ? undefined : readParameter(property, 'TZID');
  if (!name) return { local, isDate, zone: isDate ? zones.calendarZone : fallback, isFloating: true };
  const { zone, isKnown } = zones.find(name);
  return { local, isDate, zone, isFloating: false, ...(!isKnown && { unknownZone: name }) };
}
