import ICAL from 'ical.js';
import type { Stretch } from '../../../core/bookings/busy-minutes.ts';
import { groupedBy } from '../../../core/grouped.ts';
import { DAY_MS } from '../../../core/local-clock.ts';
import { endOf, instantOf, localOf, timeOf, Zones, type EventTime, type Zone } from './event-times.ts';

export interface Expansion {
  /** Start and end of the range, in milliseconds. */
  within: Stretch;
  /** Zone of whole days, and of times without a zone. */
  zone: Zone;
  /** Addresses of the owner, in lower case. Events that the owner has declined take no time. */
  addresses: readonly string[];
  /** UID of an event to ignore. */
  exceptUid?: string | undefined;
}

/** An event that is invalid or exceeds the limits. It never counts as free time. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}

const MOST_OCCURRENCES = 20_000;
const MOST_INTERVAL = 10_000;
/** Longest event; longer ones are useless for bookings. */
const LONGEST_MS = 366 * DAY_MS;

/** A VEVENT: a single event, the rule of a series, or an occurrence that differs from its rule. */
interface Entry {
  component: ICAL.Component;
  start: EventTime;
  durationMs: number;
  isOpaque: boolean;
}

interface Override extends Entry {
  /** The occurrence that it replaces, and whether it replaces all later ones as well. */
  replaces: number;
  isFromThere: boolean;
}

/**
 * Returns when an iCalendar object takes its owner's time, with recurrences, exceptions and overrides.
 * @throws UnreadableEvent
 */
export function stretchesOf(text: string, expansion: Expansion): Stretch[] {
  const calendar = parsed(text);
  const zones = new Zones(calendar, expansion.zone);
  const events = calendar.getAllSubcomponents('vevent');
  const byUid = groupedBy(events, (event) => String(event.getFirstPropertyValue('uid') ?? ''));
  return byUid
    .filter(([uid]) => uid !== expansion.exceptUid)
    .flatMap(([, ofOne]) => stretchesOfSeries(ofOne, zones, expansion));
}

/**
 * Returns the time of the event with this UID, or of its first occurrence. Null if the object has none.
 * @throws UnreadableEvent
 */
export function timeOfEvent(text: string, uid: string, zone: Zone): { start: Date; end: Date } | null {
  const calendar = parsed(text);
  const zones = new Zones(calendar, zone);
  const event = calendar
    .getAllSubcomponents('vevent')
    .find((each) => each.getFirstPropertyValue('uid') === uid && !each.hasProperty('recurrence-id'));
  if (!event || event.getFirstPropertyValue('status') === 'CANCELLED') return null;
  const { start, durationMs } = entryOf(event, zones, []);
  const from = instantOf(start);
  return { start: new Date(from), end: new Date(from + durationMs) };
}

function parsed(text: string): ICAL.Component {
  try {
    return new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
  } catch (error) {
    throw new UnreadableEvent('An event cannot be read.', { cause: error });
  }
}

function stretchesOfSeries(events: ICAL.Component[], zones: Zones, expansion: Expansion): Stretch[] {
  const { within, addresses } = expansion;
  const overrides: Override[] = [];
  const masters: Entry[] = [];
  for (const component of events) {
    const entry = entryOf(component, zones, addresses);
    const property = component.getFirstProperty('recurrence-id');
    if (!property) masters.push(entry);
    else {
      const replaces = instantOf(zones.timeOf(property));
      overrides.push({
        ...entry,
        replaces,
        isFromThere: property.getFirstParameter('range') === 'THISANDFUTURE',
      });
    }
  }
  overrides.sort((one, other) => one.replaces - other.replaces);
  const stretches = overrides.filter(({ isOpaque }) => isOpaque).map(stretchOf);
  for (const master of masters) stretches.push(...occurrencesOf(master, overrides, zones, within));
  return stretches.filter(([start, end]) => start < within[1] && end > within[0]);
}

/** Returns the occurrences that no override replaces. */
function occurrencesOf(master: Entry, overrides: Override[], zones: Zones, within: Stretch): Stretch[] {
  const replaced = new Set(overrides.map(({ replaces }) => replaces));
  const changes = overrides.filter(({ isFromThere }) => isFromThere);
  const stretches: Stretch[] = [];
  for (const start of startsOf(master, zones, within)) {
    const instant = instantOf(start);
    if (replaced.has(instant)) continue;
    const change = changes.findLast(({ replaces }) => replaces < instant);
    const { isOpaque, durationMs } = change ?? master;
    const shift = change ? instantOf(change.start) - change.replaces : 0;
    if (isOpaque) stretches.push([instant + shift, lastOf(start, durationMs, master) + shift]);
  }
  return stretches;
}

/** Returns the end of an occurrence. A whole day has as many hours as its clock shows. */
function lastOf(start: EventTime, durationMs: number, master: Entry): number {
  if (!master.start.isDate) return instantOf(start) + durationMs;
  return start.zone.toInstant(start.local + Math.max(1, Math.round(durationMs / DAY_MS)) * DAY_MS);
}

function* startsOf({ component, start }: Entry, zones: Zones, within: Stretch): Generator<EventTime> {
  const excluded = new Set(datesIn(component, 'exdate', zones).map(instantOf));
  const rules = component.getAllProperties('rrule');
  const more = datesIn(component, 'rdate', zones);
  const seen = new Set<number>();
  let count = 0;
  for (const time of [start, ...more, ...rules.flatMap((rule) => startsByRule(rule, start, within))]) {
    const instant = instantOf(time);
    if (seen.has(instant) || excluded.has(instant)) continue;
    seen.add(instant);
    if (++count > MOST_OCCURRENCES) throw new UnreadableEvent('An event repeats too often.');
    yield time;
  }
}

/** Returns the starts that a rule yields, in clock time, so that daylight saving moves none. */
function startsByRule(property: ICAL.Property, start: EventTime, within: Stretch): EventTime[] {
  const rule = property.getFirstValue() as ICAL.Recur;
  if (rule.interval > MOST_INTERVAL) throw new UnreadableEvent('An event repeats in an odd way.');
  const { until } = rule;
  if (until) {
    const local =
      until.zone === ICAL.Timezone.utcTimezone ? start.zone.toLocal(localOf(until)) : localOf(until);
    rule.until = timeOf(start.isDate || !until.isDate ? local : local + DAY_MS - 1000, start.isDate);
  }
  const iterator = rule.iterator(timeOf(start.local, start.isDate));
  const lastLocal = within[1] + 2 * DAY_MS;
  const firstLocal = within[0] - LONGEST_MS;
  const starts: EventTime[] = [];
  for (let turn = 0; turn < MOST_OCCURRENCES; turn += 1) {
    const next = iterator.next();
    if (!next) return starts;
    const local = localOf(next);
    if (local > lastLocal) return starts;
    if (local >= firstLocal) starts.push({ ...start, local });
  }
  throw new UnreadableEvent('An event repeats too often.');
}

function datesIn(component: ICAL.Component, name: 'exdate' | 'rdate', zones: Zones): EventTime[] {
  return component
    .getAllProperties(name)
    .flatMap((property) =>
      property
        .getValues()
        .map((value) =>
          zones.timeOf(property, value instanceof ICAL.Period ? value.start : (value as ICAL.Time)),
        ),
    );
}

function entryOf(component: ICAL.Component, zones: Zones, addresses: readonly string[]): Entry {
  const property = component.getFirstProperty('dtstart');
  if (!(property?.getFirstValue() instanceof ICAL.Time))
    throw new UnreadableEvent('An event has no beginning.');
  const start = zones.timeOf(property);
  const end = component.getFirstProperty('dtend');
  if ([property, end].some((each) => each && !isTime(each)))
    throw new UnreadableEvent('An event has times that cannot be.');
  const duration = component.getFirstPropertyValue('duration');
  const ends = endOf(
    start,
    end ? zones.timeOf(end) : null,
    duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : null,
  );
  const durationMs = Math.max(0, ends - instantOf(start));
  if (!Number.isFinite(durationMs)) throw new UnreadableEvent('An event has times that cannot be.');
  return { component, start, durationMs, isOpaque: isOpaque(component, addresses) };
}

/** Checks the value, because ical.js turns a month 13 into another month. */
function isTime({ jCal: [, , , value] }: ICAL.Property): boolean {
  // A leap second is valid.
  return !Number.isNaN(Date.parse(String(value).replace(/:60(Z?)$/, ':59$1')));
}

function isOpaque(component: ICAL.Component, addresses: readonly string[]): boolean {
  const textOf = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  if (textOf('transp') === 'TRANSPARENT' || textOf('status') === 'CANCELLED') return false;
  return !component.getAllProperties('attendee').some((attendee) => {
    const address = String(attendee.getFirstValue())
      .toLowerCase()
      .replace(/^mailto:/, '');
    const answer = attendee.getFirstParameter('partstat')?.toUpperCase();
    return answer === 'DECLINED' && addresses.includes(address);
  });
}

function stretchOf({ start, durationMs }: Entry): Stretch {
  const from = instantOf(start);
  return [from, from + durationMs];
}
