import assert from 'node:assert/strict';
import { CalDavCalendar, discoverCalDav } from '../../../adapters/calendars/caldav/caldav-calendar.ts';
import type { CalDavCredentials } from '../../../adapters/calendars/caldav/discover.ts';
import { CalendarReconnect, CalendarRefused } from '../../../adapters/calendars/calendar-provider.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { newId } from '../../../core/ids.ts';
import { buildEventText } from '../../support/dav-server.ts';
import { DAV_PASSWORD, DAV_USER, Radicale } from '../../support/radicale.ts';

const WITHIN = { start: new Date('2026-12-01T00:00:00Z'), end: new Date('2026-12-31T00:00:00Z') };

describe('CalDAV:', function () {
  let radicale: Radicale | undefined;
  let calendar: string;
  const outbound = new OutboundClient({
    allow: ['127.0.0.0/8'],
    requireHttpsUnlessAllowed: true,
    userAgent: 'Test',
  });
  const http = { outbound, timeoutMs: 5000 };
  let credentials: CalDavCredentials;
  let account: CalDavCalendar;
  before(async function () {
    radicale = await Radicale.start();
    // Skip the test: its CalDAV server needs Python, which this machine lacks.
    if (!radicale) return this.skip();
    calendar = await radicale.addCalendar('work');
    credentials = await discoverCalDav(
      { serverUrl: radicale.url, username: DAV_USER, password: DAV_PASSWORD },
      http,
    );
    account = new CalDavCalendar(credentials, http, { timezone: 'Europe/Berlin' });
  });
  after(async () => {
    await radicale?.stop();
    await outbound.close();
  });

  const readBusyTimes = async (): Promise<string[]> => {
    const [read] = await account.readBusy([calendar], WITHIN);
    assert.ok(read && 'busy' in read, JSON.stringify(read));
    return Array.from({ length: read.busy.length / 2 }, (_, index) =>
      [read.busy[2 * index]!, read.busy[2 * index + 1]!]
        .map((minute) => new Date(minute * 60_000).toISOString().slice(5, 16))
        .join(' '),
    );
  };
  const putEvent = (name: string, ...events: string[][]) =>
    radicale!.put(calendar, name, buildEventText(name, ...events));
  const removeEvent = (name: string) => radicale!.send('DELETE', `${calendar}${name}.ics`);
  const buildEvent = (hour: number) => {
    const start = new Date(Date.UTC(2026, 11, 10, hour));
    return {
      bookingId: newId(),
      orgId: newId(),
      start,
      end: new Date(start.getTime() + 3_600_000),
      timezone: 'Europe/Berlin',
      summary: 'Viewing; with, a \\ and 🏠',
      description: `Two lines\nof it, ${'long '.repeat(30)}`,
    };
  };

  it('an account is discovered from its server’s address, with its calendars', async () => {
    const [first, ...others] = await account.listCalendars();
    assert.deepEqual(others, []);
    assert.deepEqual(first, {
      id: calendar,
      name: first!.name,
      timezone: null,
      isPrimary: true,
      canWrite: true,
    });
    assert.deepEqual(credentials.addresses, [DAV_USER]);
  });

  it('an account is refused with a wrong password', async () => {
    const login = { serverUrl: radicale!.url, username: DAV_USER, password: 'wrong' };
    await assert.rejects(discoverCalDav(login, http), CalendarReconnect);
  });

  describe('busy times', () => {
    it('exclude free, canceled and declined events; all-day events last a day in the calendar’s zone', async () => {
      await putEvent('day', ['DTSTART;VALUE=DATE:20261202', 'DTEND;VALUE=DATE:20261203']);
      await putEvent('free', ['DTSTART:20261203T100000Z', 'DTEND:20261203T110000Z', 'TRANSP:TRANSPARENT']);
      await putEvent('cancelled', ['DTSTART:20261203T120000Z', 'DTEND:20261203T130000Z', 'STATUS:CANCELLED']);
      await putEvent('declined', [
        'DTSTART:20261203T140000Z',
        'DTEND:20261203T150000Z',
        'ORGANIZER:mailto:x@example.com',
        `ATTENDEE;PARTSTAT=DECLINED:mailto:${DAV_USER}`,
      ]);
      await putEvent('tentative', ['DTSTART:20261203T160000Z', 'DURATION:PT30M', 'STATUS:TENTATIVE']);
      assert.deepEqual(await readBusyTimes(), ['12-01T23:00 12-02T23:00', '12-03T16:00 12-03T16:30']);
      for (const name of ['day', 'free', 'cancelled', 'declined', 'tentative']) await removeEvent(name);
    });

    it('include recurrences with exceptions and moved occurrences, in local time', async () => {
      await putEvent(
        'weekly',
        [
          'DTSTART;TZID=Europe/Berlin:20261001T090000',
          'DTEND;TZID=Europe/Berlin:20261001T100000',
          'RRULE:FREQ=WEEKLY;UNTIL=20261224T080000Z',
          'EXDATE;TZID=Europe/Berlin:20261210T090000',
        ],
        [
          'RECURRENCE-ID;TZID=Europe/Berlin:20261217T090000',
          'DTSTART;TZID=Europe/Berlin:20261218T140000',
          'DTEND;TZID=Europe/Berlin:20261218T150000',
        ],
      );
      assert.deepEqual(await readBusyTimes(), [
        '12-03T08:00 12-03T09:00',
        '12-18T13:00 12-18T14:00',
        '12-24T08:00 12-24T09:00',
      ]);
      await removeEvent('weekly');
    });
  });

  describe('an event', () => {
    it('is written once by several simultaneous calls', async () => {
      const booked = buildEvent(9);
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => account.writeEvent(calendar, booked)),
      );
      const href = `${calendar}${booked.bookingId}.ics`;
      for (const outcome of outcomes)
        assert.deepEqual([outcome.state, 'eventId' in outcome && outcome.eventId], ['written', href]);
      assert.deepEqual(await readBusyTimes(), ['12-10T09:00 12-10T10:00']);
      assert.deepEqual(await account.readBusyExcept({ calendarId: calendar, eventId: href }, booked), []);
      const text = (await radicale!.get(href))!.replaceAll('\r\n ', '');
      assert.match(text, /SUMMARY:Viewing\\; with\\, a \\\\ and 🏠/);
      assert.doesNotMatch(text, /ATTENDEE|ORGANIZER/);
      await account.removeEvent(calendar, { bookingId: booked.bookingId, eventId: href });
      await account.removeEvent(calendar, { bookingId: booked.bookingId, eventId: null });
      assert.equal(await radicale!.get(href), null);
    });

    it('is not rewritten after its owner deleted it, and a stale version does not overwrite a change', async () => {
      const booked = buildEvent(11);
      const written = await account.writeEvent(calendar, booked);
      assert.ok(written.state === 'written');
      const before = { eventId: written.eventId, version: written.version };
      const later = {
        ...booked,
        start: new Date(booked.start.getTime() + 1_800_000),
        end: new Date(booked.end.getTime() + 1_800_000),
      };
      assert.equal(
        (await account.writeEvent(calendar, later, { ...before, version: '"other"' })).state,
        'written',
      );
      const ref = { bookingId: booked.bookingId, eventId: written.eventId };
      const [unchanged] = await account.readOwnEvents(calendar, [ref], booked.orgId);
      assert.deepEqual(unchanged?.state === 'there' && unchanged.start, booked.start);
      await account.writeEvent(calendar, later, {
        ...before,
        version: unchanged!.state === 'there' ? unchanged!.version : null,
      });
      const [moved] = await account.readOwnEvents(calendar, [ref], booked.orgId);
      assert.deepEqual(moved?.state === 'there' && moved.start, later.start);
      await radicale!.send('DELETE', written.eventId);
      assert.deepEqual(await account.readOwnEvents(calendar, [ref], booked.orgId), [
        { bookingId: booked.bookingId, state: 'gone' },
      ]);
      assert.deepEqual(await account.writeEvent(calendar, booked, before), { state: 'deleted' });
    });

    it('is refused by a calendar that was deleted', async () => {
      await assert.rejects(
        account.writeEvent(`${radicale!.url}/nobody/none/`, buildEvent(9)),
        CalendarRefused,
      );
    });
  });
});
