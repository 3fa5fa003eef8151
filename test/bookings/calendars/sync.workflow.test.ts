import assert from 'node:assert/strict';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { itInSoak } from '../../support/it-in-soak.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { ALL_DAY, at, buildOwner, connectGoogle, type CalendarOwner } from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';

describe('syncCalendar', () => {
  let google: GoogleCalendarFake;
  let parley: TestParleyWithWorker;
  let owner: CalendarOwner;
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    parley = await startParleyWithWorker(google.env);
    owner = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await owner.client.patch('/api/calendar/settings', ALL_DAY);
  });
  after(async () => {
    await parley.stop();
    await google.stop();
  });

  const googleEvents = () => google.calendars.get(ACCOUNT)!.events;

  async function requestSync(): Promise<string> {
    const connection = await parley.database
      .repository(CalendarConnection)
      .findOneByOrFail({ orgId: owner.orgId });
    await parley.runtime.services.bookings.calendarHealth.requestSync(
      { orgId: owner.orgId, db: parley.database },
      connection,
    );
    return connection.id;
  }

  async function book(hour: number): Promise<string> {
    const body = { start: at(4, hour).toISOString(), summary: 'Viewing', attendee_name: 'Rui Costa' };
    const { body: booking, status } = await owner.client.post('/api/bookings', body);
    assert.equal(status, 201, JSON.stringify(booking));
    const { id } = booking;
    await waitUntil(
      async () => (await findBooking(id)).calendarStatus === 'written',
      'the event to be written',
    );
    return id;
  }

  const findBooking = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });

  it('reads busy times once a calendar is connected, and reports healthy', async () => {
    const hasSynced = () =>
      parley.database
        .repository(CalendarConnection)
        .findOneByOrFail({ orgId: owner.orgId })
        .then(({ lastSyncedAt }) => lastSyncedAt !== null);
    await waitUntil(hasSynced, 'the calendar to be read');
    const { body } = await owner.client.get('/api/calendar/connection');
    assert.equal(body.health, 'healthy');
  });

  it('moves a meeting that its owner moved in the calendar', async () => {
    const id = await book(9);
    const event = googleEvents().get(toEventId(id))!;
    assert.deepEqual([event['summary'], event['attendees']], ['Viewing', undefined]);
    const times = {
      start: { dateTime: at(4, 11).toISOString() },
      end: { dateTime: at(4, 12).toISOString() },
    };
    google.putEvent(ACCOUNT, { id: toEventId(id), ...times });
    await requestSync();
    await waitUntil(async () => (await findBooking(id)).sequence === 1, 'the booking to follow');
    const { startsAt, hasConflict } = await findBooking(id);
    assert.deepEqual([startsAt, hasConflict], [at(4, 11), false]);
  });

  itInSoak('cancels a meeting that its owner deleted in the calendar', async () => {
    const id = await book(10);
    google.putEvent(ACCOUNT, { id: toEventId(id), status: 'cancelled' });
    await requestSync();
    await waitUntil(async () => (await findBooking(id)).status === 'cancelled', 'the booking to be canceled');
    assert.equal((await findBooking(id)).cancelledBy, 'calendar');
  });

  itInSoak('retries while Google is unavailable, and reports healthy afterwards', async () => {
    google.fail(/freeBusy/, { status: 503, headers: { 'retry-after': '1' } }, 1);
    const workflowId = `calendar-sync/${await requestSync()}`;
    const { body } = await owner.client.get('/api/calendar/connection');
    assert.ok(['healthy', 'degraded'].includes(body.health));
    const handle = parley.temporal.workflow.getHandle(workflowId);
    await waitUntil(async () => (await handle.describe()).status.name !== 'RUNNING', 'the sync to end');
    assert.equal((await owner.client.get('/api/calendar/connection')).body.health, 'healthy');
  });

  it('marks a new meeting as conflicting if its time is already busy', async () => {
    // Let reads of busy times fail until the meeting is booked, because a sync that still runs may read them
    // too.
    google.fail(/freeBusy/, { status: 503 });
    const times = {
      start: { dateTime: at(4, 12).toISOString() },
      end: { dateTime: at(4, 13).toISOString() },
    };
    google.putEvent(ACCOUNT, { id: 'dentist', ...times });
    const id = await book(12);
    google.clearFaults();
    assert.equal((await findBooking(id)).hasConflict, true);
  });

  itInSoak(
    'revokes the access after disconnectCalendar, and keeps meetings, which can still be canceled',
    async () => {
      const id = await book(9);
      assert.equal((await owner.client.delete('/api/calendar/connection')).status, 200);
      const connections = parley.database.repository(CalendarConnection);
      await waitUntil(
        async () => (await connections.countBy({ orgId: owner.orgId })) === 0,
        'it to be removed',
      );
      assert.equal(google.isRevoked, true);
      assert.equal((await findBooking(id)).status, 'confirmed');
      assert.equal((await owner.client.post(`/api/bookings/${id}/cancel`)).status, 200);
    },
  );
});
