import type {
  CalendarBusy,
  EventFault,
  EventProblem,
} from '../../../adapters/calendars/calendar-provider.ts';

/** Maximum number of unreadable calendar events that a message to the owner names. */
const MAX_NAMED = 3;

const FAULTS: Readonly<Record<EventFault, string>> = {
  start: 'its time cannot be read, so it blocks nothing',
  end: 'its end cannot be read, so it blocks one hour or its whole day',
  order: 'it ends before it begins, so the time in between is blocked',
  rule: 'its repetition cannot be read, so some of its dates block nothing',
  dates: 'some dates of its repetition cannot be read',
  zone: 'its time zone is unknown, so the calendar’s time zone applies',
  truncated: 'the server sent only a part of it',
};

/**
 * Describes the calendar events that could not be read completely, for the owner of the calendar. Null if all
 * were read.
 * @param timezone time zone in which the owner sees the calendar
 */
export function describeEventProblems(calendars: readonly CalendarBusy[], timezone: string): string | null {
  const problems = calendars.flatMap((calendar) => ('busy' in calendar ? (calendar.problems ?? []) : []));
  if (problems.length === 0) return null;
  const descriptions = problems.slice(0, MAX_NAMED).map((problem) => describeProblem(problem, timezone));
  const othersText = problems.length > MAX_NAMED ? ` Other events: ${problems.length - MAX_NAMED}.` : '';
  return `Please correct these events in the calendar: ${descriptions.join('; ')}.${othersText}`;
}

function describeProblem({ title, start, isAllDay, fault }: EventProblem, timezone: string): string {
  const name = title === null ? 'an event without a title' : `“${title}”`;
  const time = start && ` on ${formatStart(start, isAllDay, timezone)}`;
  return `${name}${time ?? ''} (${FAULTS[fault]})`;
}

function formatStart(start: Date, isAllDay: boolean, timeZone: string): string {
  const form = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    ...(!isAllDay && { timeStyle: 'short' }),
    timeZone,
  });
  return form.format(start);
}
