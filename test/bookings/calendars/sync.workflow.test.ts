import assert from 'node:assert/strict';
import { toEventId } from '../../../core/bookings/event-id.ts';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { until } from '../../support/until.ts';
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

  const events = () => google.calendars.get(ACCOUNT)!.events;

  async function sync(): Promise<string> {
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
    await until(async () => (await bookingOf(id)).calendarStatus === 'written', 'the event to be written');
    return id;
  }

  const bookingOf = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });

  it('reads busy times when a calendar is connected, and says how it went', async () => {
    const synced = () =>
      parley.database
        .repository(CalendarConnection)
        .findOneByOrFail({ orgId: owner.orgId })
        .then(({ lastSyncedAt }) => lastSyncedAt !== null);
    await until(synced, 'the calendar to be read');
    const { body } = await owner.client.get('/api/calendar/connection');
    assert.equal(body.health, 'healthy');
  });

  it('follows a meeting that its owner has moved', async () => {
    const id = await book(9);
    const event = events().get(toEventId(id))!;
    assert.deepEqual([event['summary'], event['attendees']], ['Viewing', undefined]);
    const times = {
      start: { dateTime: at(4, 11).toISOString() },
      end: { dateTime: at(4, 12).toISOString() },
    };
    google.putEvent(ACCOUNT, { id: toEventId(id), ...times });
    await sync();
    await until(async () => (await bookingOf(id)).sequence === 1, 'the booking to follow');
    const { startsAt, hasConflict } = await bookingOf(id);
    assert.deepEqual([startsAt, hasConflict], [at(4, 11), false]);
  });

  it('follows a meeting that its owner has deleted', async () => {
    const id = await book(10);
    google.putEvent(ACCOUNT, { id: toEventId(id), status: 'cancelled' });
    await sync();
    await until(async () => (await bookingOf(id)).status === 'cancelled', 'the booking to be cancelled');
    assert.equal((await bookingOf(id)).cancelledBy, 'calendar');
  });

  it('tries again while Google is away, and is degraded meanwhile', async () => {
    google.fail(/freeBusy/, { status: 503, headers: { 'retry-after': '1' } }, 1);
    const workflowId = `calendar-sync/${await sync()}`;
    const { body } = await owner.client.get('/api/calendar/connection');
    assert.ok(['healthy', 'degraded'].includes(body.health));
    const handle = parley.temporal.workflow.getHandle(workflowId);
    await until(async () => (await handle.describe()).status.name !== 'RUNNING', 'the sync to end');
    assert.equal((await owner.client.get('/api/calendar/connection')).body.health, 'healthy');
  });

  it('has something else at the time of a new meeting noted as a conflict', async () => {
    google.fail(/freeBusy/, { status: 503 }, 1);
    const times = {
      start: { dateTime: at(4, 12).toISOString() },
      end: { dateTime: at(4, 13).toISOString() },
    };
    google.putEvent(ACCOUNT, { id: 'dentist', ...times });
    const id = await book(12);
    assert.equal((await bookingOf(id)).hasConflict, true);
  });

  it('disconnectCalendar gives the access up; meetings stay and can be cancelled', async () => {
    const id = await book(9);
    assert.equal((await owner.client.delete('/api/calendar/connection')).status, 200);
    const connections = parley.database.repository(CalendarConnection);
    await until(async () => (await connections.countBy({ orgId: owner.orgId })) === 0, 'it to be removed');
    assert.equal(google.isRevoked, true);
    assert.equal((await bookingOf(id)).status, 'confirmed');
    assert.equal((await owner.client.post(`/api/bookings/${id}/cancel`)).status, 200);
  });
});
