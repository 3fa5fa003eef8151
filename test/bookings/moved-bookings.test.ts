import assert from 'node:assert/strict';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { outcomeOf } from '../support/outcome.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { eventsOf } from '../support/widget.ts';
import { buildBookable, SetClock } from './support.ts';

const TUESDAY = '2026-11-24';
const at = (time: string) => new Date(`${TUESDAY}T${time}:00Z`);

describe('bookings that the calendar’s owner changes', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { clock: new SetClock('2026-11-23T08:00:00.000Z') });
  });
  after(() => parley.stop());

  const scopeOf = ({ orgId }: TestOrg) => ({ orgId, db: parley.database });
  const book = async ({ client }: TestOrg, time: string) => {
    const start = at(time).toISOString();
    const { status, body } = await client.post('/api/bookings', { start, summary: 'Viewing' });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const outcomeOfBooking = async ({ client }: TestOrg, time: string) =>
    outcomeOf(await client.post('/api/bookings', { start: at(time).toISOString(), summary: 'Viewing' }));
  const rowOf = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const signalsOf = async (orgId: string) => {
    const rows = await parley.database
      .repository(OutboxRow)
      .find({ where: { orgId, kind: 'command', name: 'booking' }, order: { id: 'ASC' } });
    return rows.flatMap(({ payload }) => (payload as { signal?: string }).signal ?? []);
  };
  /** As if the event were at a provider. */
  const markWritten = (id: string) =>
    parley.database.repository(Booking).update(id, { calendarStatus: 'written', eventId: 'e-1' });
  const { followMove, followRemoval, noteConflict } = {
    followMove: (org: TestOrg, id: string, start: string, end: string) =>
      parley.runtime.services.bookings.bookings.followMove(scopeOf(org), id, {
        start: at(start),
        end: at(end),
      }),
    followRemoval: (org: TestOrg, id: string) =>
      parley.runtime.services.bookings.bookings.followRemoval(scopeOf(org), id),
    noteConflict: (org: TestOrg, id: string) =>
      parley.runtime.services.bookings.bookings.noteConflict(scopeOf(org), id),
  };

  it('follow to the new time, with the pause that they had, and free the old one', async () => {
    const org = await buildBookable(parley, { buffer_minutes: 30 });
    const id = await book(org, '10:00');
    await followMove(org, id, '12:10', '13:00');
    const { startsAt, endsAt, blockedUntil, sequence, isExclusive, hasConflict } = await rowOf(id);
    assert.deepEqual([startsAt, endsAt, blockedUntil], [at('12:10'), at('13:00'), at('13:30')]);
    assert.deepEqual([sequence, isExclusive, hasConflict], [1, true, false]);
    assert.equal(await outcomeOfBooking(org, '10:00'), '201');
    assert.equal(await outcomeOfBooking(org, '12:00'), '409 slot_taken');
    assert.equal(await outcomeOfBooking(org, '13:00'), '409 slot_taken');
    assert.equal(await outcomeOfBooking(org, '14:00'), '201');
    assert.deepEqual(await signalsOf(org.orgId), ['changed']);
  });

  it('stay as they are where the event is where it was', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await followMove(org, id, '10:00', '10:30');
    assert.equal((await rowOf(id)).sequence, 0);
    assert.deepEqual(await signalsOf(org.orgId), []);
  });

  it('keep a time that overlaps with another one, and tell of the conflict until they are moved on', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    const other = await book(org, '11:00');
    await followMove(org, id, '11:15', '11:45');
    const moved = await rowOf(id);
    assert.deepEqual([moved.isExclusive, moved.hasConflict, moved.startsAt], [false, true, at('11:15')]);
    assert.equal((await rowOf(other)).isExclusive, true);
    const events = ['booking.created', 'booking.created', 'booking.conflict'];
    assert.deepEqual(await eventsOf(parley, org.orgId), events);
    assert.equal(await outcomeOfBooking(org, '11:30'), '409 slot_taken');
    await followMove(org, id, '14:00', '14:30');
    const again = await rowOf(id);
    assert.deepEqual([again.isExclusive, again.hasConflict, again.sequence], [true, false, 2]);
    assert.equal(await outcomeOfBooking(org, '11:30'), '201');
  });

  it('end in a cancellation where the event is deleted, once', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await markWritten(id);
    await Promise.all([followRemoval(org, id), followRemoval(org, id)]);
    const { status, cancelledBy, calendarStatus, sequence } = await rowOf(id);
    assert.deepEqual(
      [status, cancelledBy, calendarStatus, sequence],
      ['cancelled', 'calendar', 'removed', 1],
    );
    await followMove(org, id, '12:00', '12:30');
    await noteConflict(org, id);
    assert.deepEqual(await eventsOf(parley, org.orgId), ['booking.created', 'booking.cancelled']);
    assert.deepEqual(await signalsOf(org.orgId), ['cancel']);
    assert.equal(await outcomeOfBooking(org, '10:00'), '201');
  });

  it('tell once that something else is at their time', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await noteConflict(org, id);
    await noteConflict(org, id);
    const { body } = await org.client.get(`/api/bookings/${id}`);
    assert.equal(body.conflict, true);
    assert.equal((await rowOf(id)).sequence, 0);
    assert.deepEqual(await eventsOf(parley, org.orgId), ['booking.created', 'booking.conflict']);
    assert.deepEqual(await signalsOf(org.orgId), ['changed']);
  });

  it('have the event removed that the calendar has when the team cancels', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await markWritten(id);
    const { body } = await org.client.post(`/api/bookings/${id}/cancel`, {});
    assert.equal(body.calendar_status, 'pending');
  });
});
