import ICAL from 'ical.js';
import { busyMinutes, type Stretch } from '../../../core/bookings/busy-minutes.ts';
import { CalendarRefused, CalendarUnavailable, type TimeRange } from '../calendar-provider.ts';
import type { ReadingBudget } from './bounded-expansion.ts';
import { formatUtcStamp, type CalDavObjects } from './caldav-objects.ts';
import { toLocalMs } from './event-times.ts';
import { UnreadableEvent } from './expand-events.ts';

/**
 * Reads busy times by a free-busy query, for a calendar that does not share its events.
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function readFreeBusy(
  { dav, calendarId }: CalDavObjects,
  range: TimeRange,
  budget: ReadingBudget,
): Promise<number[]> {
  const { start, end } = range;
  const { status, body } = await dav.sendXml({
    url: calendarId,
    method: 'REPORT',
    depth: '1',
    body: `<c:free-busy-query xmlns:c="urn:ietf:params:xml:ns:caldav"><c:time-range start="${formatUtcStamp(start)}" end="${formatUtcStamp(end)}"/></c:free-busy-query>`,
  });
  if (status >= 300)
    throw new CalendarRefused(`The calendar server does not let us read this calendar (status ${status}).`);
  const within: Stretch = [start.getTime(), end.getTime()];
  try {
    return await budget.run(() => busyMinutes(readBusyPeriods(new TextDecoder().decode(body)), within));
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    throw new CalendarUnavailable('The calendar server’s answer could not be read.', { cause: error });
  }
}

/**
 * Parses the busy periods in an iCalendar text, including tentative ones.
 * @throws Error if the text is not a calendar
 */
function readBusyPeriods(text: string): Stretch[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
  if (calendar.name !== 'vcalendar') throw new Error('It is no calendar.');
  return calendar
    .getAllSubcomponents('vfreebusy')
    .flatMap((each) => each.getAllProperties('freebusy'))
    .filter((property) => property.getFirstParameter('fbtype')?.toUpperCase() !== 'FREE')
    .flatMap((property) => property.getValues() as ICAL.Period[])
    .map((period): Stretch => [toLocalMs(period.start), toLocalMs(period.getEnd())]);
}
