import { expandEvents, type Expansion } from '../../../adapters/calendars/caldav/events/expand-events.ts';
import { createZone } from '../../../adapters/calendars/caldav/zones/zones.ts';
import type { EventProblem } from '../../../adapters/calendars/calendar-provider.ts';

/** Email address of the owner of the test's calendars. */
export const OWNER = 'ada@example.com';

export interface ReadingOptions extends Partial<
  Pick<Expansion, 'doAllDayEventsBlock' | 'doUnansweredInvitationsBlock'>
> {
  /** Time zone of the calendar that is read. */
  zone?: string;
  from?: string;
  until?: string;
}

/** Builds an iCalendar text of components such as events, each given by its lines. */
export function buildCalendar(...events: (readonly string[])[]): string {
  const components = events.flatMap((lines, index) => [
    'BEGIN:VEVENT',
    ...(lines.some((line) => line.startsWith('UID')) ? [] : [`UID:u${index}`]),
    'DTSTAMP:20261101T000000Z',
    ...lines,
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//t//EN', ...components, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

/** Reads an iCalendar text. Returns busy times such as `2026-12-08 11:00-12:00` in UTC, and the reported problems. */
export function readBusy(
  text: string,
  {
    zone = 'America/New_York',
    from = '2026-10-01T00:00:00Z',
    until = '2027-04-01T00:00:00Z',
    ...kinds
  }: ReadingOptions = {},
): { busy: string[]; problems: EventProblem[] } {
  const problems: EventProblem[] = [];
  const intervals = expandEvents(text, {
    within: [Date.parse(from), Date.parse(until)],
    zone: createZone(zone),
    addresses: [OWNER],
    onProblem: (problem) => void problems.push(problem),
    ...kinds,
  });
  const busy = intervals
    .filter(([start, end]) => end > start)
    .toSorted(([one], [other]) => one - other)
    .map(([start, end]) => formatInterval(start, end));
  return { busy, problems };
}

/** Reads the busy times of calendar events, each given by its lines. */
export function readEvents(events: readonly (readonly string[])[], options: ReadingOptions = {}): string[] {
  return readBusy(buildCalendar(...events), options).busy;
}

function formatInterval(start: number, end: number): string {
  const [from, to] = [start, end].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')) as [
    string,
    string,
  ];
  return from.slice(0, 10) === to.slice(0, 10) ? `${from}-${to.slice(11)}` : `${from}-${to}`;
}
