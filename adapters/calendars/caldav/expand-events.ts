import ICAL from 'ical.js';
import type { Stretch } from '../../../core/bookings/busy-minutes.ts';
import { groupItems } from '../../../core/group-items.ts';
import { DAY_MS } from '../../../core/local-clock.ts';
import {
  computeEventEnd,
  resolveInstant,
  toLocalMs,
  toIcalTime,
  Zones,
  type EventTime,
  type Zone,
} from './event-times.ts';

export interface Expansion {
  /** Start and end of the range to search, in milliseconds since the epoch. */
  within: Stretch;
  /** Time zone of all-day events, and of times without a zone. */
  zone: Zone;
  /**
   * E-mail addresses of the calendar's owner, in lower case. Events that the owner has declined do not count
   * as busy.
   */
  addresses: readonly string[];
  /** UID of an event that does not count as busy. */
  exceptUid?: string | undefined;
}

/** An event that is invalid or exceeds the limits. Its calendar then never counts as free. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}

const MAX_OCCURRENCES = 20_000;
const MAX_INTERVAL = 10_000;
/** Maximum length of an event that can be read. */
const MAX_EVENT_MS = 366 * DAY_MS;

/** A VEVENT: a single event, a recurring event, or an exception of one. */
interface Entry {
  component: ICAL.Component;
  start: EventTime;
  durationMs: number;
  isOpaque: boolean;
}

interface Override extends Entry {
  /** Start of the occurrence that this exception replaces. `isFromThere`: it also replaces all later ones. */
  replaces: number;
  isFromThere: boolean;
}

/**
 * Returns the busy periods in an iCalendar object, including recurrences and their exceptions.
 * @throws UnreadableEvent
 */
export function expandEvents(text: string, expansion: Expansion): Stretch[] {
  const calendar = parseCalendar(text);
  const zones = new Zones(calendar, expansion.zone);
  const events = calendar.getAllSubcomponents('vevent');
  const byUid = groupItems(events, (event) => String(event.getFirstPropertyValue('uid') ?? ''));
  return byUid
    .filter(([uid]) => uid !== expansion.exceptUid)
    .flatMap(([, ofOne]) => expandSeries(ofOne, zones, expansion));
}

/**
 * Returns start and end of the event with this UID, or of its first occurrence. Null if the object has no
 * such event.
 * @throws UnreadableEvent
 */
export function findEventTime(text: string, uid: string, zone: Zone): { start: Date; end: Date } | null {
  const calendar = parseCalendar(text);
  const zones = new Zones(calendar, zone);
  const event = calendar
    .getAllSubcomponents('vevent')
    .find((each) => each.getFirstPropertyValue('uid') === uid && !each.hasProperty('recurrence-id'));
  if (!event || event.getFirstPropertyValue('status') === 'CANCELLED') return null;
  const { start, durationMs } = readEntry(event, zones, []);
  const from = resolveInstant(start);
  return { start: new Date(from), end: new Date(from + durationMs) };
}

function parseCalendar(text: string): ICAL.Component {
  try {
    return new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
  } catch (error) {
    throw new UnreadableEvent('An event cannot be read.', { cause: error });
  }
}

function expandSeries(events: ICAL.Component[], zones: Zones, expansion: Expansion): Stretch[] {
  const { within, addresses } = expansion;
  const overrides: Override[] = [];
  const masters: Entry[] = [];
  for (const component of events) {
    const entry = readEntry(component, zones, addresses);
    const property = component.getFirstProperty('recurrence-id');
    if (!property) masters.push(entry);
    else {
      const replaces = resolveInstant(zones.readEventTime(property));
      overrides.push({
        ...entry,
        replaces,
        isFromThere: property.getFirstParameter('range') === 'THISANDFUTURE',
      });
    }
  }
  overrides.sort((one, other) => one.replaces - other.replaces);
  const stretches = overrides.filter(({ isOpaque }) => isOpaque).map(toStretch);
  for (const master of masters) stretches.push(...listOccurrences(master, overrides, zones, within));
  return stretches.filter(([start, end]) => start < within[1] && end > within[0]);
}

/** Returns the busy periods of all occurrences that no exception replaces. */
function listOccurrences(master: Entry, overrides: Override[], zones: Zones, within: Stretch): Stretch[] {
  const replaced = new Set(overrides.map(({ replaces }) => replaces));
  const changes = overrides.filter(({ isFromThere }) => isFromThere);
  const stretches: Stretch[] = [];
  for (const start of listStarts(master, zones, within)) {
    const instant = resolveInstant(start);
    if (replaced.has(instant)) continue;
    const change = changes.findLast(({ replaces }) => replaces < instant);
    const { isOpaque, durationMs } = change ?? master;
    const shift = change ? resolveInstant(change.start) - change.replaces : 0;
    if (isOpaque) stretches.push([instant + shift, computeOccurrenceEnd(start, durationMs, master) + shift]);
  }
  return stretches;
}

/**
 * Returns the end of an occurrence. All-day events end at midnight, even if daylight saving shortens or
 * extends the day.
 */
function computeOccurrenceEnd(start: EventTime, durationMs: number, master: Entry): number {
  if (!master.start.isDate) return resolveInstant(start) + durationMs;
  return start.zone.toInstant(start.local + Math.max(1, Math.round(durationMs / DAY_MS)) * DAY_MS);
}

function* listStarts({ component, start }: Entry, zones: Zones, within: Stretch): Generator<EventTime> {
  const excluded = new Set(readDates(component, 'exdate', zones).map(resolveInstant));
  const rules = component.getAllProperties('rrule');
  const more = readDates(component, 'rdate', zones);
  const seen = new Set<number>();
  let count = 0;
  for (const time of [start, ...more, ...rules.flatMap((rule) => listRuleStarts(rule, start, within))]) {
    const instant = resolveInstant(time);
    if (seen.has(instant) || excluded.has(instant)) continue;
    seen.add(instant);
    if (++count > MAX_OCCURRENCES) throw new UnreadableEvent('An event repeats too often.');
    yield time;
  }
}

/**
 * Returns the start times that a recurrence rule generates. They are local times, so daylight saving does not
 * shift them.
 */
function listRuleStarts(property: ICAL.Property, start: EventTime, within: Stretch): EventTime[] {
  const rule = property.getFirstValue() as ICAL.Recur;
  if (rule.interval > MAX_INTERVAL) throw new UnreadableEvent('An event repeats in an odd way.');
  const { until } = rule;
  if (until) {
    const local =
      until.zone === ICAL.Timezone.utcTimezone ? start.zone.toLocal(toLocalMs(until)) : toLocalMs(until);
    rule.until = toIcalTime(start.isDate || !until.isDate ? local : local + DAY_MS - 1000, start.isDate);
  }
  const iterator = rule.iterator(toIcalTime(start.local, start.isDate));
  const lastLocal = within[1] + 2 * DAY_MS;
  const firstLocal = within[0] - MAX_EVENT_MS;
  const starts: EventTime[] = [];
  for (let turn = 0; turn < MAX_OCCURRENCES; turn += 1) {
    const next = iterator.next();
    if (!next) return starts;
    const local = toLocalMs(next);
    if (local > lastLocal) return starts;
    if (local >= firstLocal) starts.push({ ...start, local });
  }
  throw new UnreadableEvent('An event repeats too often.');
}

function readDates(component: ICAL.Component, name: 'exdate' | 'rdate', zones: Zones): EventTime[] {
  return component
    .getAllProperties(name)
    .flatMap((property) =>
      property
        .getValues()
        .map((value) =>
          zones.readEventTime(property, value instanceof ICAL.Period ? value.start : (value as ICAL.Time)),
        ),
    );
}

function readEntry(component: ICAL.Component, zones: Zones, addresses: readonly string[]): Entry {
  const property = component.getFirstProperty('dtstart');
  if (!(property?.getFirstValue() instanceof ICAL.Time))
    throw new UnreadableEvent('An event has no beginning.');
  const start = zones.readEventTime(property);
  const end = component.getFirstProperty('dtend');
  if ([property, end].some((each) => each && !isValidTime(each)))
    throw new UnreadableEvent('An event has times that cannot be.');
  const duration = component.getFirstPropertyValue('duration');
  const ends = computeEventEnd(
    start,
    end ? zones.readEventTime(end) : null,
    duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : null,
  );
  const durationMs = Math.max(0, ends - resolveInstant(start));
  if (!Number.isFinite(durationMs)) throw new UnreadableEvent('An event has times that cannot be.');
  return { component, start, durationMs, isOpaque: isOpaque(component, addresses) };
}

/**
 * Returns whether ical.js can use a time. The text is checked, since ical.js would convert month 13 to
 * another month.
 */
function isValidTime({ jCal: [, , , value] }: ICAL.Property): boolean {
  // Second 60 is valid: a leap second.
  return !Number.isNaN(Date.parse(String(value).replace(/:60(Z?)$/, ':59$1')));
}

function isOpaque(component: ICAL.Component, addresses: readonly string[]): boolean {
  const readUpperCase = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  if (readUpperCase('transp') === 'TRANSPARENT' || readUpperCase('status') === 'CANCELLED') return false;
  return !component.getAllProperties('attendee').some((attendee) => {
    const address = String(attendee.getFirstValue())
      .toLowerCase()
      .replace(/^mailto:/, '');
    const answer = attendee.getFirstParameter('partstat')?.toUpperCase();
    return answer === 'DECLINED' && addresses.includes(address);
  });
}

function toStretch({ start, durationMs }: Entry): Stretch {
  const from = resolveInstant(start);
  return [from, from + durationMs];
}
