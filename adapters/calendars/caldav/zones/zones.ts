import ICAL from 'ical.js';
import { LocalClock } from '../../../../core/local-clock.ts';
import { findTimeZone } from '../../../../core/time-zone.ts';
import { cleanZoneName, findDisplayedZone, findZoneName, parseZoneOffset } from './zone-names.ts';

/** Converts between local times of a time zone and instants. */
export interface Zone {
  /** Name of the time zone: `UTC`, an IANA name, or a name that only the iCalendar file defines. */
  name: string;
  toInstant(local: number): number;
  toLocal(instant: number): number;
}

export const utc: Zone = createFixedZone('UTC', 0);

/**
 * Creates a time zone from its IANA name. A local time that daylight saving skips is read with the UTC offset
 * before the change (RFC 5545, 3.3.5).
 * @throws RangeError if the name is unknown
 */
export function createZone(name: string): Zone {
  const clock = new LocalClock(name);
  return {
    name,
    toInstant: (local) => {
      const instant = clock.findFirstInstant(local);
      return clock.toLocalTime(instant) === local ? instant : local - clock.getOffset(instant - 1);
    },
    toLocal: (instant) => clock.toLocalTime(instant),
  };
}

export function createFixedZone(name: string, offsetMs: number): Zone {
  return { name, toInstant: (local) => local - offsetMs, toLocal: (instant) => instant + offsetMs };
}

/**
 * A time zone found by its name. `isKnown` is false if `zone` replaces an unknown zone, from which it may
 * differ by hours.
 */
export interface FoundZone {
  zone: Zone;
  isKnown: boolean;
}

/** The time zones of an iCalendar file, by name. Includes zones that the file defines itself. */
export class Zones {
  /** Time zone of the calendar's all-day events. */
  readonly calendarZone: Zone;
  /** Time zone of event times that name no zone. */
  readonly floatingZone: Zone;
  readonly #definitions: readonly (readonly string[])[];
  readonly #zonesByTzid = new Map<string, FoundZone>();

  /**
   * @param definitions lines of each VTIMEZONE in the iCalendar file
   * @param defaultName name of the file's own zone (X-WR-TIMEZONE); empty to use the calendar's zone
   */
  constructor(definitions: readonly (readonly string[])[], calendarZone: Zone, defaultName = '') {
    this.#definitions = definitions;
    this.calendarZone = calendarZone;
    this.floatingZone = defaultName === '' ? calendarZone : this.find(defaultName).zone;
  }

  /** Finds a time zone by its name in the iCalendar file. Returns the calendar's zone for an unknown name. */
  find(tzid: string): FoundZone {
    const cached = this.#zonesByTzid.get(tzid);
    if (cached) return cached;
    const zone = this.#findNamed(tzid);
    const found = zone ? { zone, isKnown: true } : this.#findByOffset(tzid);
    this.#zonesByTzid.set(tzid, found);
    return found;
  }

  #findNamed(written: string): Zone | undefined {
    const lines = this.#findDefinition(written);
    const named = findZoneName(written);
    const location = lines && readLine(lines, 'X-LIC-LOCATION');
    const name =
      lines && isOtherSpelling(written, named) ? null : (named ?? (location && findTimeZone(location)));
    if (name) return createZone(name);
    const fileZone = lines && buildFileZone(cleanZoneName(written), lines);
    if (fileZone) return fileZone;
    const other = named ?? findDisplayedZone(written);
    return other === null ? undefined : createZone(other);
  }

  /**
   * Finds a time zone with an unknown name by the UTC offset in that name. The result is only certain if the
   * name consists of an offset alone: display names state the offset without daylight saving. Without an
   * offset, uses the only zone that the file defines, or else the calendar's zone.
   */
  #findByOffset(written: string): FoundZone {
    const offset = parseZoneOffset(written);
    return offset === null
      ? { zone: this.#findOnlyDefined() ?? this.calendarZone, isKnown: false }
      : { zone: createFixedZone(written, offset), isKnown: !/[a-z]{4}/i.test(written) };
  }

  #findOnlyDefined(): Zone | undefined {
    const [lines, ...others] = this.#definitions;
    const name = lines && others.length === 0 ? readLine(lines, 'TZID') : undefined;
    return name === undefined ? undefined : this.#findNamed(name);
  }

  #findDefinition(written: string): readonly string[] | undefined {
    const name = cleanZoneName(written);
    const definitions = this.#definitions.map((lines) => ({
      lines,
      tzid: cleanZoneName(readLine(lines, 'TZID') ?? ''),
    }));
    const exact = definitions.find(({ tzid }) => tzid === name);
    return (exact ?? definitions.find(({ tzid }) => tzid.toLowerCase() === name.toLowerCase()))?.lines;
  }
}

/**
 * Returns whether the name of a time zone may mean a zone other than the IANA zone that was found for it: an
 * abbreviation such as EST, or another spelling. The definition in the iCalendar file then applies.
 */
function isOtherSpelling(written: string, found: string | null): boolean {
  const name = cleanZoneName(written);
  if (/^[A-Z\d]{3,7}$/.test(name)) return name !== 'UTC' && name !== 'GMT';
  return found !== null && name.toLowerCase().endsWith(found.toLowerCase()) && !name.endsWith(found);
}

/** Returns the IANA name of the time zone that a VTIMEZONE or its TZID names; null if it names none. */
export function parseZoneName(text: string): string | null {
  const lines = text.split(/[\r\n]+/, 1000).map((line) => line.trim());
  const location = readLine(lines, 'X-LIC-LOCATION');
  const name = readLine(lines, 'TZID');
  return (
    (name === undefined ? null : (findZoneName(name) ?? findDisplayedZone(name))) ??
    (location === undefined ? null : findTimeZone(location))
  );
}

function readLine(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((each) => /^[:;]/.test(each.slice(name.length)) && each.startsWith(name));
  return line?.slice(line.indexOf(':') + 1).trim();
}

/**
 * Builds a time zone from its definition in the iCalendar file. Undefined if the definition cannot be read.
 */
function buildFileZone(name: string, lines: readonly string[]): Zone | undefined {
  try {
    const component = new ICAL.Component(ICAL.parse(lines.join('\r\n')) as [string, unknown[], unknown[]]);
    const zone = new ICAL.Timezone({ component, tzid: name });
    const toInstant = (local: number) => local - zone.utcOffset(toIcalTime(local)) * 1000;
    if (component.getAllSubcomponents().length === 0) return undefined;
    toInstant(Date.now());
    return { name, toInstant, toLocal: (instant) => 2 * instant - toInstant(instant) };
  } catch {
    return undefined;
  }
}

function toIcalTime(local: number): ICAL.Time {
  const at = new Date(local);
  return new ICAL.Time(
    {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
      isDate: false,
    },
    ICAL.Timezone.localTimezone,
  );
}
