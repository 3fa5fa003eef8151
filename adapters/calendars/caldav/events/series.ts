import type { MsInterval } from '../../../../core/bookings/busy-minutes.ts';
import { DAY_MS } from '../../../../core/local-clock.ts';
import type { Zone } from '../zones/zones.ts';
import { computeBusyInterval, readEntry, type Entry, type EntryContext } from './event-entry.ts';
import {
  readAddedTimes,
  readEventTime,
  readTimes,
  resolveInstant,
  type EventTime,
  type Occurrence,
} from './event-times.ts';
import {
  findProperty,
  listProperties,
  readParameter,
  readValue,
  type IcsComponent,
  type IcsProperty,
} from './ics-text.ts';
import { endsBeforeStart, listRuleTimes, parseRule, UnreadableRule, type Rule } from './recurrence.ts';

/** An exception of a recurring event, with the occurrences that it replaces. */
interface Override extends Entry {
  id: EventTime;
  /** True if the exception also replaces all later occurrences. */
  includesLater: boolean;
}

/**
 * Returns the busy periods of the events with one UID: an event or a series, with its exceptions.
 * @param within range in which busy periods are searched, in milliseconds since the epoch
 */
export function expandSeries(
  components: IcsComponent[],
  context: EntryContext,
  within: MsInterval,
): MsInterval[] {
  const masters: Entry[] = [];
  const overrides: Override[] = [];
  for (const component of components) {
    const entry = readEntry(component, context);
    if (!entry) continue;
    const property = findProperty(component, 'RECURRENCE-ID');
    if (property) overrides.push({ ...entry, id: entry.start, includesLater: replacesLater(property) });
    else masters.push(entry);
  }
  const series = keepNewest(masters, () => '').map((master) => new Series(master, context, within));
  for (const override of overrides) override.id = readId(override, series[0], context);
  overrides.sort((one, other) => resolveInstant(one.id) - resolveInstant(other.id));
  const exceptions = keepNewest(overrides, ({ id }) => String(resolveInstant(id)));
  const intervals = exceptions
    .filter((override) => override.isOpaque && !series.some((each) => each.hasDropped(override)))
    .map((override) => computeBusyInterval(override, override.start));
  for (const each of series) intervals.push(...each.listBusy(exceptions));
  return intervals.filter(([start, end]) => start < within[1] && end > within[0]);
}

/**
 * Returns whether an exception of a recurring event with this RECURRENCE-ID replaces all later occurrences as
 * well.
 */
function replacesLater(recurrenceId: IcsProperty): boolean {
  return readParameter(recurrenceId, 'RANGE')?.toUpperCase() === 'THISANDFUTURE';
}

/**
 * Returns the start of the occurrence that an exception replaces. If that time cannot be read, returns the
 * exception's own start.
 */
function readId({ component, start }: Entry, series: Series | undefined, context: EntryContext): EventTime {
  const property = findProperty(component, 'RECURRENCE-ID');
  const id = readEventTime(property, context.zones, series?.zone ?? start.zone);
  if (!id) context.report(component, 'dates', start);
  return id ?? start;
}

/** Returns, for each key, the event entries with the highest revision. */
function keepNewest<T extends Entry>(entries: T[], toKey: (entry: T) => string): T[] {
  const newest = new Map<string, number>();
  const keyed = entries.map((entry) => ({ entry, key: toKey(entry) }));
  for (const { entry, key } of keyed) newest.set(key, Math.max(newest.get(key) ?? 0, entry.sequence));
  return keyed.filter(({ entry, key }) => entry.sequence === newest.get(key)).map(({ entry }) => entry);
}

/** A set of event times, some of which are dates that stand for their whole day. */
class TimeSet {
  readonly #instants = new Set<number>();
  readonly #days = new Set<number>();
  readonly #series: EventTime;

  /** @param series start of the recurring event to which the times belong */
  constructor(series: EventTime) {
    this.#series = series;
  }

  add(time: EventTime): void {
    if (time.isDate || this.#series.isDate) this.#days.add(this.#toDayInZone(time));
    else this.#instants.add(resolveInstant(time));
  }

  /** Returns whether the set contains an occurrence of the recurring event. */
  has(occurrence: EventTime): boolean {
    return this.#days.has(toDayNumber(occurrence.local)) || this.#instants.has(resolveInstant(occurrence));
  }

  /**
   * Returns the day of a time. Midnight in UTC means the day in the text; any other time means its day in the
   * time zone of the recurring event.
   */
  #toDayInZone(time: EventTime): number {
    const { zone } = this.#series;
    const isOther = !time.isDate && time.zone.name === 'UTC' && time.local % DAY_MS !== 0;
    return toDayNumber(isOther ? zone.toLocal(resolveInstant(time)) : time.local);
  }
}

function toDayNumber(local: number): number {
  return Math.floor(local / DAY_MS);
}

/** A single event, or a recurring event (series) without its exceptions. */
class Series {
  readonly #master: Entry;
  readonly #context: EntryContext;
  readonly #within: MsInterval;
  readonly #rules: Rule[];
  readonly #exclusions: Rule[];
  readonly #excluded: TimeSet;
  readonly #added: Occurrence[];

  constructor(master: Entry, context: EntryContext, within: MsInterval) {
    this.#master = master;
    this.#context = context;
    this.#within = within;
    this.#rules = this.#readRules('RRULE');
    this.#exclusions = this.#readRules('EXRULE');
    this.#excluded = new TimeSet(master.start);
    for (const property of listProperties(master.component, 'EXDATE'))
      for (const time of readTimes(property, context.zones, this.zone))
        if (time) this.#excluded.add(time);
        else this.#report('dates');
    this.#added = listProperties(master.component, 'RDATE').flatMap((property) =>
      readAddedTimes(property, context.zones, this.zone).flatMap((occurrence) =>
        occurrence ? this.#withTimeOfDay(occurrence) : this.#report('dates'),
      ),
    );
  }

  /** Time zone for the dates of a recurring event that name no zone. */
  get zone(): Zone {
    return this.#master.start.zone;
  }

  /** Returns the busy periods of all occurrences of the event that no exception replaces. */
  listBusy(overrides: readonly Override[]): MsInterval[] {
    const replaced = new TimeSet(this.#master.start);
    for (const { id } of overrides) replaced.add(id);
    const changes = overrides.filter((override) => override.includesLater);
    return this.#listOccurrences(this.#widen(changes)).flatMap(({ start, end }): MsInterval[] => {
      if (replaced.has(start)) return [];
      const change = changes.findLast(({ id }) => resolveInstant(id) < resolveInstant(start));
      if (!(change ?? this.#master).isOpaque) return [];
      if (change) return [computeBusyInterval(change, moveOccurrence(start, change))];
      return [end === null ? computeBusyInterval(this.#master, start) : [resolveInstant(start), end]];
    });
  }

  /** Returns whether a later revision of the recurring event no longer contains the exception. */
  hasDropped({ id, sequence, component }: Override): boolean {
    const { start, sequence: latest } = this.#master;
    const isOwnRule = ['RRULE', 'RDATE', 'EXDATE'].some((name) => findProperty(component, name));
    if (sequence > latest) return false;
    const time = { ...start, local: start.zone.toLocal(resolveInstant(id)) };
    if (this.#excluded.has(id.isDate ? id : time)) return true;
    if (sequence === latest || !isOwnRule) return false;
    const around = [time.local - DAY_MS, time.local + DAY_MS] as const;
    const replaced = new TimeSet(start);
    replaced.add(id);
    return !this.#listOccurrences(around).some((occurrence) => replaced.has(occurrence.start));
  }

  /**
   * Gives an added date (RDATE) the time of day of the recurring event, unless the event consists of whole
   * days.
   */
  #withTimeOfDay(occurrence: Occurrence): Occurrence {
    const { start } = this.#master;
    if (!occurrence.start.isDate || start.isDate) return occurrence;
    const timeOfDay = start.local - toDayNumber(start.local) * DAY_MS;
    return { ...occurrence, start: { ...start, local: occurrence.start.local + timeOfDay } };
  }

  /**
   * Returns the range of local times in which an occurrence must begin so that it overlaps the range to read.
   */
  #widen(changes: readonly Override[]): readonly [number, number] {
    const entries = [this.#master, ...changes];
    const lengths = entries.map(({ length, leadMs }) => Math.abs(length.days) * DAY_MS + length.ms + leadMs);
    const moves = changes.map(({ id, start }) => Math.abs(resolveInstant(start) - resolveInstant(id)));
    const margin = 2 * DAY_MS + Math.max(0, ...moves);
    return [this.#within[0] - Math.max(...lengths) - margin, this.#within[1] + margin];
  }

  #listOccurrences(range: readonly [number, number]): Occurrence[] {
    const { start } = this.#master;
    const dropped = new Set(
      this.#exclusions.flatMap((rule) => this.#listTimes(rule, range)).map(resolveInstant),
    );
    const isFirst = this.#rules.length === 0 || !this.#rules.every((rule) => endsBeforeStart(rule, start));
    const occurrences = [
      ...this.#added,
      ...(isFirst ? [{ start, end: null }] : []),
      ...this.#rules
        .flatMap((rule) => this.#listTimes(rule, range))
        .map((time) => ({ start: time, end: null })),
    ];
    const seen = new Set<number>();
    return occurrences.filter((occurrence) => {
      const instant = resolveInstant(occurrence.start);
      if (seen.has(instant) || dropped.has(instant) || this.#excluded.has(occurrence.start)) return false;
      seen.add(instant);
      return true;
    });
  }

  /**
   * Returns the start times that a recurrence rule generates. Reports a rule that is invalid or repeats too
   * often.
   */
  #listTimes(rule: Rule, range: readonly [number, number]): EventTime[] {
    try {
      const { times, isComplete } = listRuleTimes(rule, this.#master.start, range);
      if (!isComplete) this.#report('rule');
      return times;
    } catch (error) {
      if (!(error instanceof UnreadableRule)) throw error;
      this.#report('rule');
      return [];
    }
  }

  #readRules(name: 'RRULE' | 'EXRULE'): Rule[] {
    const written = listProperties(this.#master.component, name).map(({ value }) => value.trim());
    return [...new Set(written.filter(Boolean))].flatMap((value) => {
      try {
        const rule = parseRule(value);
        if (rule.hasUnknownPart) this.#report('rule');
        return rule;
      } catch (error) {
        if (!(error instanceof UnreadableRule)) throw error;
        return this.#report('rule');
      }
    });
  }

  #report(fault: 'rule' | 'dates'): [] {
    this.#context.report(this.#master.component, fault, this.#master.start);
    return [];
  }
}

/**
 * Shifts a later occurrence of a recurring event by the same local time as the exception shifts the
 * occurrence that it replaces.
 */
function moveOccurrence(occurrence: EventTime, { id, start }: Override): EventTime {
  const { zone } = start;
  const toLocal = (time: EventTime) => (time.isDate ? time.local : zone.toLocal(resolveInstant(time)));
  return { ...start, local: toLocal(occurrence) + start.local - toLocal(id) };
}

/** Returns whether an iCalendar event has a recurrence rule or additional dates. */
export function isRecurring(component: IcsComponent): boolean {
  return readValue(component, 'RRULE') !== '' || readValue(component, 'RDATE') !== '';
}
