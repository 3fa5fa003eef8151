import type { MsInterval } from '../../../../core/bookings/busy-minutes.ts';
import { groupItems } from '../../../../core/group-items.ts';
import { DAY_MS } from '../../../../core/local-clock.ts';
import type { EventFault, EventProblem } from '../../calendar-provider.ts';
import { Zones, type Zone } from '../zones/zones.ts';
import type { BusyRules } from './busyness.ts';
import { computeBusyInterval, readEntry, readTitle, type EntryContext } from './event-entry.ts';
import { resolveInstant, type EventTime } from './event-times.ts';
import { findProperty, parseIcs, readValue, type IcsComponent, type IcsFile } from './ics-text.ts';
import { expandSeries, isRecurring } from './series.ts';

export interface Expansion extends BusyRules {
  /** Start and end of the range in which to search for events, in milliseconds since the epoch. */
  within: MsInterval;
  /** Time zone of all-day events, and of event times without a zone. */
  zone: Zone;
  /** Callback for each event that cannot be read completely. The event's own time still counts as busy. */
  onProblem?: (problem: EventProblem) => void;
}

/** Thrown for a calendar object that is invalid or exceeds the limits. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent';
}

/**
 * Returns the busy periods of the events in an iCalendar object, including recurrences and their exceptions.
 * @throws UnreadableEvent if the text is not a calendar
 */
export function expandEvents(text: string, expansion: Expansion): MsInterval[] {
  const file = parseCalendar(text);
  const context = createContext(file, expansion);
  // Events without a UID do not belong together, so each gets a key of its own.
  const named = file.events.map((event, index) => ({ event, uid: readValue(event, 'UID') || `\n${index}` }));
  return groupItems(named, ({ uid }) => uid).flatMap(([, group]) =>
    expandSeries(
      group.map(({ event }) => event),
      context,
      expansion.within,
    ),
  );
}

/**
 * Returns the first occurrence of each event in an iCalendar object whose recurrences take too long to
 * expand. Reports all events as incompletely read.
 * @throws UnreadableEvent if the text is not a calendar
 */
export function listFirstTimes(text: string, expansion: Expansion): MsInterval[] {
  const file = parseCalendar(text);
  const context = createContext(file, expansion);
  return file.events.flatMap((event) => {
    const entry = readEntry(event, context);
    if (!entry) return [];
    context.report(event, 'rule', entry.start);
    return entry.isOpaque ? [computeBusyInterval(entry, entry.start)] : [];
  });
}

/**
 * Returns start and end of the event with this UID, or of its first occurrence. Null if the iCalendar text
 * has no such event.
 * @throws UnreadableEvent if the event has no valid times
 */
export function findEventTime(text: string, uid: string, zone: Zone): { start: Date; end: Date } | null {
  const file = parseCalendar(text);
  const event = file.events.find(
    (each) => readValue(each, 'UID') === uid && !findProperty(each, 'RECURRENCE-ID'),
  );
  if (!event || readValue(event, 'STATUS').toUpperCase() === 'CANCELLED') return null;
  const entry = readEntry(event, {
    zones: new Zones(file.zones, zone),
    rules: { addresses: [] },
    method: '',
    report: () => {
      throw new UnreadableEvent('The event has times that cannot be read.');
    },
  });
  const [start, end] = computeBusyInterval(entry!, entry!.start);
  return { start: new Date(start), end: new Date(end) };
}

function parseCalendar(text: string): IcsFile {
  const file = parseIcs(text);
  if (file.isCalendar) return file;
  throw new UnreadableEvent('The calendar object is not in iCalendar format.');
}

function createContext(file: IcsFile, { within, zone, onProblem, ...rules }: Expansion): EntryContext {
  const reported = new Set<IcsComponent>();
  const zones = new Zones(file.zones, zone, readValue(file, 'X-WR-TIMEZONE'));
  const report = (component: IcsComponent, fault: EventFault, start: EventTime | null): void => {
    if (reported.has(component)) return;
    const at = start && resolveInstant(start);
    const isOutsideRange = at !== null && (at >= within[1] || at < within[0] - DAY_MS);
    if (isOutsideRange && !isRecurring(component)) return;
    reported.add(component);
    onProblem?.({
      title: readTitle(component),
      start: at === null ? null : new Date(at),
      isAllDay: start?.isDate ?? false,
      fault,
    });
  };
  return { zones, rules, method: readValue(file, 'METHOD').toUpperCase(), report };
}
