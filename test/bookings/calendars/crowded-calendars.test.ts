import assert from 'node:assert/strict';
import { CalDavCalendar } from '../../../adapters/calendars/caldav/caldav-calendar.ts';
import { MAX_BUSY_PERIODS, limitBusyPeriods } from '../../../adapters/calendars/limit-busy-periods.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { buildBusyPeriods } from '../../support/busy-periods.ts';
import { buildDavAnswer, DavServer } from '../../support/dav-server.ts';

const START = new Date('2026-12-01T00:00:00Z');
const WITHIN = { start: START, end: new Date('2026-12-31T00:00:00Z') };

describe('an account with too many busy periods', () => {
  it('has the busy times of all calendars that are within the limit together', () => {
    const busy = buildBusyPeriods(MAX_BUSY_PERIODS / 2);
    const calendars = ['a', 'b'].map((calendarId) => ({ calendarId, busy }));
    assert.deepEqual(limitBusyPeriods(calendars), calendars);
  });

  it('has an error for each calendar that exceeds the limit with those before it', () => {
    const counts = [MAX_BUSY_PERIODS - 1, 2, 1];
    const calendars = counts.map((count) => ({ calendarId: `${count}`, busy: buildBusyPeriods(count) }));
    const outcomes = limitBusyPeriods(calendars).map((each) => ('busy' in each ? 'busy' : each.error.name));
    assert.deepEqual(outcomes, ['busy', 'CalendarRefused', 'busy']);
  });

  it('is refused if its server only answers free-busy queries', async () => {
    const server = await DavServer.start();
    const outbound = new OutboundClient({
      allow: ['127.0.0.0/8'],
      requireHttpsUnlessAllowed: true,
      userAgent: 'Test',
    });
    const refuse = buildDavAnswer(403, 'text/plain', '');
    const answer = buildDavAnswer(200, 'text/calendar', renderFreeBusy(MAX_BUSY_PERIODS + 1));
    let reports = 0;
    // The first request asks the CalDAV server for events, the second one for busy times.
    server.report = (res, req) => ((reports += 1) === 1 ? refuse(res, req) : answer(res, req));
    const login = { username: 'ada', password: 'secret', homeUrl: server.homeUrl, addresses: [] };
    const account = new CalDavCalendar(login, { outbound, timeoutMs: 20_000 });
    const [read] = await account.readBusy([server.calendarId], WITHIN);
    await server.stop();
    await outbound.close();
    assert.equal('error' in read! && read.error.name, 'CalendarRefused');
  });
});

function renderFreeBusy(count: number): string {
  const periods = Array.from({ length: count }, (_, index) => {
    const start = new Date(START.getTime() + index * 120_000).toISOString();
    return `FREEBUSY:${start.slice(0, 19).replaceAll(/[-:]/g, '')}Z/PT1M`;
  });
  return ['BEGIN:VCALENDAR', 'BEGIN:VFREEBUSY', ...periods, 'END:VFREEBUSY', 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}
