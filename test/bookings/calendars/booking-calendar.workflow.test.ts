import assert from 'node:assert/strict';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { bookingWorkflowId } from '../../../core/workflows/commands.ts';
import { GoogleCalendarFake, type Fault } from '../../support/google-calendar.ts';
import { until } from '../../support/until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { attendeeMails } from '../booking-scene.ts';
import { ALL_DAY, at, buildOwner, connectGoogle, type CalendarOwner } from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';
const EVENTS = /\/events/;

describe('booking, while its calendar', () => {
  let google: GoogleCalendarFake;
  let parley: TestParleyWithWorker;
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    google.addCalendar('new-york', { timeZone: 'America/New_York' });
    parley = await startParleyWithWorker(google.env);
  });
  after(async () => {
    await parley.stop();
    await google.stop();
  });
  beforeEach(() => {
    google.heal();
    for (const { events } of google.calendars.values()) events.clear();
  });

  async function build(): Promise<CalendarOwner> {
    const owner = await buildOwner(parley);
    day += 1;
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await owner.client.patch('/api/calendar/settings', ALL_DAY);
    return owner;
  }

  async function book({ client }: CalendarOwner, hour = 9): Promise<string> {
    const { status, body } = await client.post('/api/bookings', {
      start: at(day, hour).toISOString(),
      summary: 'Viewing',
      attendee_email: 'rui@example.com',
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  const rowOf = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  /** The events of all workspaces here are in one account. */
  let day = 3;
  const handleOf = (id: string) => parley.temporal.workflow.getHandle(bookingWorkflowId(id));
  const eventOf = (id: string) => google.calendars.get(ACCOUNT)!.events.get(toEventId(id));

  async function isIn(id: string, state: string): Promise<void> {
    await until(async () => {
      const { typedSearchAttributes } = await handleOf(id)
        .describe()
        .catch(() => ({ typedSearchAttributes: null }));
      const found = typedSearchAttributes?.getAll().find(({ key }) => key.name === 'BookingState');
      return JSON.stringify(found?.value) === JSON.stringify([state]);
    }, `it to be ${state}`);
  }

  const hasCalendar = (id: string, status: Booking['calendarStatus']) =>
    until(async () => (await rowOf(id)).calendarStatus === status, `the calendar to be ${status}`);

  async function cancel({ client }: CalendarOwner, id: string): Promise<void> {
    assert.equal((await client.post(`/api/bookings/${id}/cancel`)).status, 200);
    assert.equal(await handleOf(id).result(), 'cancelled');
  }

  /** Reports that something is wrong, in the way of a network that asks people to sign in. */
  const page: Fault = { status: 200, headers: { 'content-type': 'text/html' } };

  it('is away, or says nothing that can be, is tried again, at once when an operator says so', async () => {
    const owner = await build();
    google.fail(EVENTS, page, 1);
    google.fail(EVENTS, { status: 503, headers: { 'retry-after': '60' } });
    const id = await book(owner);
    await isIn(id, 'retrying');
    await until(() => google.count(EVENTS, 'POST') >= 2, 'two attempts');
    const { calendarStatus, calendarError } = await rowOf(id);
    assert.deepEqual([calendarStatus, eventOf(id)], ['pending', undefined]);
    assert.match(calendarError!, /^Google/);
    await until(async () => (await attendeeMails(parley, id)).length === 1, 'the confirmation');
    google.heal();
    await handleOf(id).signal('retryNow');
    await hasCalendar(id, 'written');
    assert.equal((await rowOf(id)).calendarError, null);
    await isIn(id, 'confirmed');
    await cancel(owner, id);
    assert.equal(eventOf(id)!.status, 'cancelled');
  });

  it('refuses it is tried no more, until an operator says so', async () => {
    const owner = await build();
    google.fail(EVENTS, { status: 400, body: { error: { message: 'Bad time' } } });
    const id = await book(owner);
    await isIn(id, 'failed');
    assert.equal((await rowOf(id)).calendarError, 'Google refused it: Bad time');
    google.heal();
    await handleOf(id).signal('retryNow');
    await hasCalendar(id, 'written');
    assert.equal(eventOf(id)!.status, 'confirmed');
  });

  it('takes the access no more waits for another one, and goes on by itself', async () => {
    const owner = await build();
    const { orgId } = owner;
    const id = await book(owner);
    await hasCalendar(id, 'written');
    const other = await book(owner, 10);
    await hasCalendar(other, 'written');
    google.withdraw();
    await owner.client.post(`/api/bookings/${other}/cancel`);
    await isIn(other, 'reconnect_needed');
    const { health } = (await owner.client.get('/api/calendar/connection')).body;
    assert.equal(health, 'reconnect_needed');
    const mails = await parley.database.repository(MailRow).findBy({ orgId, template: 'calendar_failing' });
    assert.equal(mails.length, 1);
    assert.equal((await owner.client.get('/api/bookings/slots')).status, 409);
    // It is not taken for one that nobody follows.
    assert.ok((await rowOf(other)).followDueAt! > at(day - 2, 0));
    assert.equal(await connectGoogle(parley, owner), 'connected');
    assert.equal(await handleOf(other).result(), 'cancelled');
    assert.deepEqual([eventOf(other)!.status, eventOf(id)!.status], ['cancelled', 'confirmed']);
    assert.equal((await owner.client.get('/api/bookings/slots')).status, 200);
  });

  it('is given up takes place all the same, and is cancelled like any other', async () => {
    const owner = await build();
    google.fail(EVENTS, { status: 503 });
    const id = await book(owner);
    await isIn(id, 'retrying');
    await handleOf(id).signal('giveUp');
    await isIn(id, 'failed');
    const { status, calendarStatus, calendarError } = await rowOf(id);
    assert.deepEqual(
      [status, calendarStatus, calendarError],
      ['confirmed', 'failed', 'An operator gave it up.'],
    );
    google.heal();
    await cancel(owner, id);
    assert.equal((await rowOf(id)).calendarStatus, 'removed');
  });

  it('is disconnected waits for it no more', async () => {
    const owner = await build();
    google.fail(EVENTS, { status: 503, headers: { 'retry-after': '600' } });
    const id = await book(owner);
    await isIn(id, 'retrying');
    assert.equal((await owner.client.delete('/api/calendar/connection')).status, 200);
    await hasCalendar(id, 'none');
    await isIn(id, 'confirmed');
  });

  it('is only connected afterwards, or again, is written to it then', async () => {
    const owner = await buildOwner(parley);
    day += 1;
    await owner.client.patch('/api/calendar/settings', ALL_DAY);
    const id = await book(owner);
    assert.equal((await rowOf(id)).calendarStatus, 'none');
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await hasCalendar(id, 'written');
    assert.equal((await owner.client.delete('/api/calendar/connection')).status, 200);
    const rows = parley.database.repository(CalendarConnection);
    await until(async () => (await rows.countBy({ orgId: owner.orgId })) === 0, 'it to be removed');
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await until(
      async () => (await rowOf(id)).connectionId !== null,
      'the booking to be of the calendar again',
    );
    await hasCalendar(id, 'written');
    assert.equal(google.calendars.get(ACCOUNT)!.events.size, 1);
  });

  it('shows it as a whole day has it from midnight to midnight of the calendar’s clock', async () => {
    const owner = await build();
    const dateIn = (days: number) => at(days, 0).toISOString().slice(0, 10);
    await owner.client.patch('/api/calendar/settings', { booking_calendar_id: 'new-york' });
    const id = await book(owner);
    await hasCalendar(id, 'written');
    const times = { start: { date: dateIn(20) }, end: { date: dateIn(21) } };
    google.putEvent('new-york', { id: toEventId(id), ...times });
    const { orgId } = owner;
    const connection = await parley.database.repository(CalendarConnection).findOneByOrFail({ orgId });
    await parley.runtime.services.bookings.calendarSync.followEvents(
      { orgId, db: parley.database },
      connection.id,
    );
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    const { startsAt, endsAt } = await rowOf(id);
    assert.deepEqual(
      [startsAt, endsAt].map((time) => format.format(time)),
      [`${dateIn(20)}, 00:00`, `${dateIn(21)}, 00:00`],
    );
  });
});
