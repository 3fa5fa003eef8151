import ICAL from 'ical.js';
import { busyMinutes, type Stretch } from '../../../core/bookings/busy-minutes.ts';
import { CalendarRefused, CalendarUnavailable, type TimeRange } from '../calendar-provider.ts';
import { bounded } from './bounded-expansion.ts';
import { stampOf, type CalDavObjects } from './caldav-objects.ts';
import { localOf } from './event-times.ts';

/** Of a calendar that shows when its owner is busy and nothing else. @throws CalendarRefused, CalendarUnavailable */
export async function readFreeBusy({ dav, calendarId }: CalDavObjects, range: TimeRange): Promise<number[]> {
  const { start, end } = range;
  const { status, body } = await dav.send({
    url: calendarId,
    method: 'REPORT',
    headers: { depth: '1', 'content-type': 'application/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?><c:free-busy-query xmlns:c="urn:ietf:params:xml:ns:caldav"><c:time-range start="${stampOf(start)}" end="${stampOf(end)}"/></c:free-busy-query>`,
  });
  if (status >= 300)
    throw new CalendarRefused(`The calendar server does not let us read this calendar (status ${status}).`);
  const within: Stretch = [start.getTime(), end.getTime()];
  try {
    return bounded(() => busyMinutes(periodsIn(body.toString('utf8')), within));
  } catch (error) {
    throw new CalendarUnavailable('The calendar server’s answer could not be read.', { cause: error });
  }
}

/** Tentative ones, too. @throws Error */
function periodsIn(text: string): Stretch[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
  if (calendar.name !== 'vcalendar') throw new Error('It is no calendar.');
  return calendar
    .getAllSubcomponents('vfreebusy')
    .flatMap((each) => each.getAllProperties('freebusy'))
    .filter((property) => property.getFirstParameter('fbtype')?.toUpperCase() !== 'FREE')
    .flatMap((property) => property.getValues() as ICAL.Period[])
    .map((period): Stretch => [localOf(period.start), localOf(period.getEnd())]);
}
