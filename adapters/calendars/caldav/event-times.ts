import ICAL from 'ical.js';
import { DAY_MS, LocalClock } from '../../../core/local-clock.ts';
import { timeZoneNamed } from '../../../core/time-zone.ts';

/** Start or end of an event: a local time and its time zone. */
export interface EventTime {
  /** Local time in milliseconds since the epoch, as if it were UTC. */
  local: number;
  isDate: boolean;
  zone: Zone;
}

/** Converts between local times of a time zone and instants. */
export interface Zone {
  /** `UTC`, an IANA name, or a name that only the iCalendar file defines. */
  name: string;
  toInstant(local: number): number;
  toLocal(instant: number): number;
}

const utc: Zone = { name: 'UTC', toInstant: (local) => local, toLocal: (instant) => instant };

/** The time zones of an iCalendar file, by name. Includes those that the file defines itself. */
export class Zones {
  readonly #component: ICAL.Component;
  readonly #calendarZone: Zone;
  readonly #known = new Map<string, Zone>([['UTC', utc]]);

  /** @param calendarZone time zone of all-day events, and of times without a zone */
  constructor(component: ICAL.Component, calendarZone: Zone) {
    this.#component = component;
    this.#calendarZone = calendarZone;
  }

  readEventTime(
    property: ICAL.Property,
    value: ICAL.Time = property.getFirstValue() as ICAL.Time,
  ): EventTime {
    const name = property.getFirstParameter('tzid');
    const isUtc = value.zone === ICAL.Timezone.utcTimezone;
    const zone = isUtc ? utc : value.isDate || !name ? this.#calendarZone : this.#findZone(name);
    return { local: toLocalMs(value), isDate: value.isDate, zone };
  }

  #findZone(name: string): Zone {
    const known = this.#known.get(name);
    if (known) return known;
    const iana = findIanaName(name);
    const own = iana ? createZone(iana) : (this.#buildFileZone(name) ?? this.#calendarZone);
    this.#known.set(name, own);
    return own;
  }

  /** Builds a time zone from its VTIMEZONE definition in the file. */
  #buildFileZone(name: string): Zone | undefined {
    const described = this.#component
      .getAllSubcomponents('vtimezone')
      .find((each) => each.getFirstPropertyValue('tzid') === name);
    if (!described) return undefined;
    const zone = new ICAL.Timezone({ component: described, tzid: name });
    const toInstant = (local: number) => local - zone.utcOffset(toIcalTime(local)) * 1000;
    return { name, toInstant, toLocal: (instant) => 2 * instant - toInstant(instant) };
  }
}

/**
 * Creates a time zone from its IANA name.
 * @throws RangeError if the name is unknown
 */
export function createZone(name: string): Zone {
  const clock = new LocalClock(name);
  return {
    name,
    toInstant: (local) => clock.findFirstInstant(local),
    toLocal: (instant) => clock.toLocalTime(instant),
  };
}

/**
 * Extracts the IANA name from `Europe/Berlin` or `/mozilla.org/20050126_1/Europe/Berlin`; null if there is
 * none.
 */
function findIanaName(text: string): string | null {
  const steps = text.split('/').filter(Boolean);
  const candidates = [text, steps.slice(-2).join('/'), steps.slice(-3).join('/')];
  for (const candidate of candidates) {
    const name = timeZoneNamed(candidate);
    if (name !== null) return name;
  }
  return null;
}

/** Extracts the IANA name from the text of a VTIMEZONE; null for any other text. */
export function parseZoneName(text: string): string | null {
  const [, name] = /^TZID(?:;[^:\r\n]*)?:([^\r\n]{1,255})/m.exec(text) ?? [];
  return name === undefined ? null : findIanaName(name.trim());
}

export function resolveInstant({ local, zone }: EventTime): number {
  return zone.toInstant(local);
}

/** Returns the end of an event, computed from its end, its duration or, without both, its start. */
export function computeEventEnd(start: EventTime, end: EventTime | null, durationMs: number | null): number {
  if (end) return resolveInstant(end);
  if (durationMs === null)
    return start.isDate ? start.zone.toInstant(start.local + DAY_MS) : resolveInstant(start);
  // RFC 5545: whole days of a duration follow the local clock, the remainder is exact time.
  const days = Math.floor(durationMs / DAY_MS) * DAY_MS;
  return start.zone.toInstant(start.local + days) + (durationMs - days);
}

export function toLocalMs(value: ICAL.Time): number {
  const { year, month, day, hour, minute, second } = value;
  return Date.UTC(
    year,
    month - 1,
    day,
    value.isDate ? 0 : hour,
    value.isDate ? 0 : minute,
    value.isDate ? 0 : second,
  );
}

/** Converts a local time to ical.js, as a floating time without a zone. */
export function toIcalTime(local: number, isDate = false): ICAL.Time {
  const at = new Date(local);
  return new ICAL.Time(
    {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
      isDate,
    },
    ICAL.Timezone.localTimezone,
  );
}
