import { mergeBusyMinutes, type MsInterval } from '../../../core/bookings/busy-minutes.ts';
import { CalendarRefused, CalendarUnavailable, type TimeRange } from '../calendar-provider.ts';
import type { ReadingBudget } from './bounded-expansion.ts';
import { formatUtcStamp, type CalDavObjects } from './caldav-objects.ts';
import { readAddedTimes, resolveInstant } from './events/event-times.ts';
import { UnreadableEvent } from './events/expand-events.ts';
import { listProperties, parseIcs, readParameter } from './events/ics-text.ts';
import { utc, Zones } from './zones/zones.ts';

/**
 * Reads busy times by a free-busy query, for a CalDAV calendar that does not share its events.
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
    throw new CalendarRefused(
      `The calendar server does not permit reading this calendar (status ${status}).`,
    );
  const within: MsInterval = [start.getTime(), end.getTime()];
  try {
    return await budget.run(() => mergeBusyMinutes(readBusyPeriods(new TextDecoder().decode(body)), within));
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    throw new CalendarUnavailable('The calendar server’s response could not be read.', { cause: error });
  }
}

/**
 * Parses the busy periods in an iCalendar text, including tentative periods.
 * @throws UnreadableEvent if the text is not a calendar, or a period is invalid
 */
function readBusyPeriods(text: string): MsInterval[] {
  const file = parseIcs(text);
  if (!file.isCalendar) throw new UnreadableEvent('The response is not in iCalendar format.');
  const zones = new Zones(file.zones, utc);
  return file.freeBusy
    .flatMap((each) => listProperties(each, 'FREEBUSY'))
    .filter((property) => readParameter(property, 'FBTYPE')?.toUpperCase() !== 'FREE')
    .flatMap((property) => readAddedTimes(property, zones))
    .map((period): MsInterval => {
      if (!period || period.end === null) throw new UnreadableEvent('A busy period is invalid.');
      return [resolveInstant(period.start), period.end];
    });
}
