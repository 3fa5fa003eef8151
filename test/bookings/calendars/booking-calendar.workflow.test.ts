import assert from 'node:assert/strict';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { bookingWorkflowId } from '../../../core/workflows/commands.ts';
import { GoogleCalendarFake, type Fault } from '../../support/google-calendar.ts';
import { itInSoak } from '../../support/it-in-soak.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { listAttendeeMails } from '../booking-scene.ts';
import { ALL_DAY, at, buildOwner, connectGoogle, type CalendarOwner } from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';
const EVENTS = /\/events/;

describe('the workflow booking', () => {
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
    google.clearFaults();
    for (const { events } of google.calendars.values()) events.clear();
  });

  async function connectOwner(): Promise<CalendarOwner> {
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

  const findBooking = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  /**
   * Day of the next booking, in days from today. All workspaces here share one Google account, so each test
   * books a different day.
   */
  let day = 3;
  const getHandle = (id: string) => parley.temporal.workflow.getHandle(bookingWorkflowId(id));
  const findEvent = (id: string) => google.calendars.get(ACCOUNT)!.events.get(toEventId(id));

  async function waitForState(id: string, state: string): Promise<void> {
    await waitUntil(async () => {
      const { typedSearchAttributes } = await getHandle(id)
        .describe()
        .catch(() => ({ typedSearchAttributes: null }));
      const found = typedSearchAttributes?.getAll().find(({ key }) => key.name === 'BookingState');
      return JSON.stringify(found?.value) === JSON.stringify([state]);
    }, `it to be ${state}`);
  }

  const waitForCalendarStatus = (id: string, status: Booking['calendarStatus']) =>
    waitUntil(async () => (await findBooking(id)).calendarStatus === status, `the calendar to be ${status}`);

  async function cancel({ client }: CalendarOwner, id: string): Promise<void> {
    assert.equal((await client.post(`/api/bookings/${id}/cancel`)).status, 200);
    assert.equal(await getHandle(id).result(), 'cancelled');
  }

  /**
   * A fault of the fake Google: a web page instead of the API's response, such as the sign-in page of a
   * hotel's network.
   */
  const page: Fault = { status: 200, headers: { 'content-type': 'text/html' } };

  it('retries while the calendar is unreachable or responds with a web page, and immediately on retryNow', async () => {
    const owner = await connectOwner();
    google.fail(EVENTS, page, 1);
    google.fail(EVENTS, { status: 503, headers: { 'retry-after': '60' } });
    const id = await book(owner);
    await waitForState(id, 'retrying');
    await waitUntil(() => google.count(EVENTS, 'POST') >= 2, 'two attempts');
    const { calendarStatus, calendarError } = await findBooking(id);
    assert.deepEqual([calendarStatus, findEvent(id)], ['pending', undefined]);
    assert.match(calendarError!, /^Google/);
    await waitUntil(async () => (await listAttendeeMails(parley, id)).length === 1, 'the confirmation');
    google.clearFaults();
    await getHandle(id).signal('retryNow');
    await waitForCalendarStatus(id, 'written');
    assert.equal((await findBooking(id)).calendarError, null);
    await waitForState(id, 'confirmed');
    await cancel(owner, id);
    assert.equal(findEvent(id)!.status, 'cancelled');
  });

  itInSoak('fails if the calendar refuses the event, and retries on retryNow', async () => {
    const owner = await connectOwner();
    google.fail(EVENTS, { status: 400, body: { error: { message: 'Bad time' } } });
    const id = await book(owner);
    await waitForState(id, 'failed');
    assert.equal((await findBooking(id)).calendarError, 'Google rejected the request: Bad time');
    google.clearFaults();
    await getHandle(id).signal('retryNow');
    await waitForCalendarStatus(id, 'written');
    assert.equal(findEvent(id)!.status, 'confirmed');
  });

  itInSoak('waits for another connection after the access was revoked, and then continues', async () => {
    const owner = await connectOwner();
    const { orgId } = owner;
    const id = await book(owner);
    await waitForCalendarStatus(id, 'written');
    const other = await book(owner, 10);
    await waitForCalendarStatus(other, 'written');
    google.revokeAccess();
    await owner.client.post(`/api/bookings/${other}/cancel`);
    await waitForState(other, 'reconnect_needed');
    const { health } = (await owner.client.get('/api/calendar/connection')).body;
    assert.equal(health, 'reconnect_needed');
    const mails = await parley.database.repository(MailRow).findBy({ orgId, template: 'calendar_failing' });
    assert.equal(mails.length, 1);
    assert.equal((await owner.client.get('/api/bookings/slots')).status, 409);
    // The scheduled sweep does not start the booking's workflow again, because it is still running.
    assert.ok((await findBooking(other)).followDueAt! > at(day - 2, 0));
    assert.equal(await connectGoogle(parley, owner), 'connected');
    assert.equal(await getHandle(other).result(), 'cancelled');
    assert.deepEqual([findEvent(other)!.status, findEvent(id)!.status], ['cancelled', 'confirmed']);
    assert.equal((await owner.client.get('/api/bookings/slots')).status, 200);
  });

  itInSoak(
    'confirms the booking without an event after giveUp, and the booking can still be canceled',
    async () => {
      const owner = await connectOwner();
      google.fail(EVENTS, { status: 503 });
      const id = await book(owner);
      await waitForState(id, 'retrying');
      await getHandle(id).signal('giveUp');
      await waitForState(id, 'failed');
      const { status, calendarStatus, calendarError } = await findBooking(id);
      assert.deepEqual(
        [status, calendarStatus, calendarError],
        ['confirmed', 'failed', 'An operator canceled the calendar update.'],
      );
      google.clearFaults();
      await cancel(owner, id);
      assert.equal((await findBooking(id)).calendarStatus, 'removed');
    },
  );

  itInSoak('stops waiting for a calendar that is disconnected', async () => {
    const owner = await connectOwner();
    google.fail(EVENTS, { status: 503, headers: { 'retry-after': '600' } });
    const id = await book(owner);
    await waitForState(id, 'retrying');
    assert.equal((await owner.client.delete('/api/calendar/connection')).status, 200);
    await waitForCalendarStatus(id, 'none');
    await waitForState(id, 'confirmed');
  });

  itInSoak('writes the event to a calendar that is connected or reconnected later', async () => {
    const owner = await buildOwner(parley);
    day += 1;
    await owner.client.patch('/api/calendar/settings', ALL_DAY);
    const id = await book(owner);
    assert.equal((await findBooking(id)).calendarStatus, 'none');
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await waitForCalendarStatus(id, 'written');
    assert.equal((await owner.client.delete('/api/calendar/connection')).status, 200);
    const rows = parley.database.repository(CalendarConnection);
    await waitUntil(async () => (await rows.countBy({ orgId: owner.orgId })) === 0, 'it to be removed');
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await waitUntil(
      async () => (await findBooking(id)).connectionId !== null,
      'the booking to be of the calendar again',
    );
    await waitForCalendarStatus(id, 'written');
    assert.equal(google.calendars.get(ACCOUNT)!.events.size, 1);
  });

  itInSoak(
    'moves the booking to the whole day of an all-day event, in the calendar’s time zone',
    async () => {
      const owner = await connectOwner();
      const dateIn = (days: number) => at(days, 0).toISOString().slice(0, 10);
      await owner.client.patch('/api/calendar/settings', { booking_calendar_id: 'new-york' });
      const id = await book(owner);
      await waitForCalendarStatus(id, 'written');
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
      const { startsAt, endsAt } = await findBooking(id);
      assert.deepEqual(
        [startsAt, endsAt].map((time) => format.format(time)),
        [`${dateIn(20)}, 00:00`, `${dateIn(21)}, 00:00`],
      );
    },
  );
});
