import assert from 'node:assert/strict';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { newId } from '../../../core/ids.ts';
import { GoogleApi } from '../../../adapters/calendars/google/google-api.ts';
import { GoogleCalendar } from '../../../adapters/calendars/google/google-calendar.ts';
import { CalendarRefused } from '../../../adapters/calendars/calendar-provider.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';

const ACCOUNT = 'ada@example.com';
const LONG = `A\u0000${'x'.repeat(100_000)}`;
const START = new Date('2030-05-06T09:00:00.000Z');
const END = new Date('2030-05-06T10:00:00.000Z');

describe('GoogleCalendar:', () => {
  const outbound = OutboundClient.createTrusted({ userAgent: 'Tests' });
  let google: GoogleCalendarFake;
  let api: GoogleApi;
  let calendar: GoogleCalendar;
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    const { accessToken } = google.issueTokens();
    const access = {
      token: async () => accessToken,
      renew: async () => accessToken,
      revoke: async () => {},
    };
    const http = { outbound, timeoutMs: 5000 };
    api = new GoogleApi(`${google.url}/calendar/v3`, access, http);
    calendar = new GoogleCalendar(api, 'Europe/Berlin');
  });
  afterEach(() => google.clearFaults());
  after(async () => {
    await outbound.close();
    await google.stop();
  });

  it('listCalendars omits calendars whose ids cannot be stored, and truncates long names', async () => {
    const items = [{ id: LONG }, { id: { toString: 1 } }, { id: 'team', summary: LONG, accessRole: 'owner' }];
    google.fail(/calendarList/, { status: 200, body: { items } });
    const calendars = await calendar.listCalendars();
    assert.deepEqual(
      calendars.map(({ id, name }) => [id, name]),
      [['team', `A${'x'.repeat(298)}`]],
    );
  });

  it('writeEvent returns no version if the etag cannot be stored', async () => {
    const bookingId = newId();
    google.fail(/events/, { status: 200, body: { id: toEventId(bookingId), etag: LONG } });
    const event = { bookingId, orgId: newId(), start: START, end: END, timezone: 'UTC' };
    const written = await calendar.writeEvent(ACCOUNT, { ...event, summary: 'Viewing', description: '' });
    assert.ok(written.state === 'written');
    assert.equal(written.version, null);
  });

  it('readBusy truncates Google’s reason for a calendar that cannot be read', async () => {
    google.busyErrors.set(ACCOUNT, LONG);
    const [read] = await calendar.readBusy([ACCOUNT], { start: START, end: END });
    google.busyErrors.clear();
    assert.ok(read && 'error' in read);
    const expected = `Google could not read the calendar ${ACCOUNT} (A${'x'.repeat(98)}).`;
    assert.equal(read.error.message, expected);
  });

  it('readBusy omits all-day events and unanswered invitations if the settings let them not block', async () => {
    const [day, next] = ['2030-05-07', '2030-05-08'];
    const self = { self: true, email: ACCOUNT };
    google.putEvent(ACCOUNT, { id: 'day', start: { date: day }, end: { date: next } });
    google.putEvent(ACCOUNT, {
      id: 'invitation',
      start: { dateTime: START.toISOString() },
      end: { dateTime: END.toISOString() },
      attendees: [{ ...self, responseStatus: 'needsAction' }],
    });
    const range = { start: START, end: new Date(`${next}T00:00:00Z`) };
    const read = async (doAllDayEventsBlock: boolean, doUnansweredInvitationsBlock: boolean) => {
      const kinds = { doAllDayEventsBlock, doUnansweredInvitationsBlock };
      const [busy] = await new GoogleCalendar(api, 'Europe/Berlin', kinds).readBusy([ACCOUNT], range);
      assert.ok(busy && 'busy' in busy);
      return busy.busy.map((minute) => new Date(minute * 60_000).toISOString().slice(5, 16));
    };
    const invitation = ['05-06T09:00', '05-06T10:00'];
    const wholeDay = ['05-06T22:00', '05-07T22:00'];
    assert.deepEqual(await read(true, true), [...invitation, ...wholeDay]);
    assert.deepEqual(await read(false, true), invitation);
    assert.deepEqual(await read(true, false), wholeDay);
    assert.deepEqual(await read(false, false), []);
    google.fail(/events/, { status: 404, body: { error: { message: 'Not Found' } } });
    assert.deepEqual(await read(false, false), [...invitation, ...wholeDay]);
    google.calendars.get(ACCOUNT)!.events.clear();
  });

  it('listCalendars throws CalendarRefused with at most 300 characters of Google’s message, without email addresses', async () => {
    const message = `No\u0000 ${ACCOUNT} ${'x'.repeat(100_000)}`;
    google.fail(/calendarList/, { status: 400, body: { error: { message } } });
    await assert.rejects(calendar.listCalendars(), (error) => {
      assert.ok(error instanceof CalendarRefused);
      assert.match(error.message, /^Google says: No … x+$/);
      assert.equal(error.message.length, 'Google says: '.length + 300);
      return true;
    });
  });

  it('listCalendars refuses a response with 150,000 items, which would take long to parse', async () => {
    const items = Array.from({ length: 150_000 }, () => ({}));
    google.fail(/calendarList/, { status: 200, body: { items } });
    await assert.rejects(calendar.listCalendars(), /Google’s response could not be read/);
  });
});
