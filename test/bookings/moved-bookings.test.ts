import assert from 'node:assert/strict';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { findOutboxEvents } from '../support/widget.ts';
import { buildBookable, SetClock } from './support.ts';

const TUESDAY = '2026-11-24';
const onTuesday = (time: string) => new Date(`${TUESDAY}T${time}:00Z`);

describe('bookings whose event the calendar’s owner changes', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { clock: new SetClock('2026-11-23T08:00:00.000Z') });
  });
  after(() => parley.stop());

  const scopeFor = ({ orgId }: TestOrg) => ({ orgId, db: parley.database });
  const book = async ({ client }: TestOrg, time: string) => {
    const start = onTuesday(time).toISOString();
    const { status, body } = await client.post('/api/bookings', { start, summary: 'Viewing' });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const tryBooking = async ({ client }: TestOrg, time: string) =>
    formatOutcome(
      await client.post('/api/bookings', { start: onTuesday(time).toISOString(), summary: 'Viewing' }),
    );
  const findRow = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const findSignals = async (orgId: string) => {
    const rows = await parley.database
      .repository(OutboxRow)
      .find({ where: { orgId, kind: 'command', name: 'booking' }, order: { id: 'ASC' } });
    return rows.flatMap(({ payload }) => (payload as { signal?: string }).signal ?? []);
  };
  /** Marks the booking as if its event were in the calendar of a provider. */
  const markWritten = (id: string) =>
    parley.database.repository(Booking).update(id, { calendarStatus: 'written', eventId: 'e-1' });
  const { applyMove, applyRemoval, noteConflict } = {
    applyMove: (org: TestOrg, id: string, start: string, end: string) =>
      parley.runtime.services.bookings.bookings.applyMove(scopeFor(org), id, {
        start: onTuesday(start),
        end: onTuesday(end),
      }),
    applyRemoval: (org: TestOrg, id: string) =>
      parley.runtime.services.bookings.bookings.applyRemoval(scopeFor(org), id),
    noteConflict: (org: TestOrg, id: string) =>
      parley.runtime.services.bookings.bookings.noteConflict(scopeFor(org), id),
  };

  it('move to the new time with their buffer, and free the old time', async () => {
    const org = await buildBookable(parley, { buffer_minutes: 30 });
    const id = await book(org, '10:00');
    await applyMove(org, id, '12:10', '13:00');
    const { startsAt, endsAt, blockedUntil, sequence, isExclusive, hasConflict } = await findRow(id);
    assert.deepEqual(
      [startsAt, endsAt, blockedUntil],
      [onTuesday('12:10'), onTuesday('13:00'), onTuesday('13:30')],
    );
    assert.deepEqual([sequence, isExclusive, hasConflict], [1, true, false]);
    assert.equal(await tryBooking(org, '10:00'), '201');
    assert.equal(await tryBooking(org, '12:00'), '409 slot_taken');
    assert.equal(await tryBooking(org, '13:00'), '409 slot_taken');
    assert.equal(await tryBooking(org, '14:00'), '201');
    assert.deepEqual(await findSignals(org.orgId), ['changed']);
  });

  itInSoak('do not change if the event’s time is unchanged', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await applyMove(org, id, '10:00', '10:30');
    assert.equal((await findRow(id)).sequence, 0);
    assert.deepEqual(await findSignals(org.orgId), []);
  });

  it('keep a time that overlaps another booking, and report the conflict until they are moved again', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    const other = await book(org, '11:00');
    await applyMove(org, id, '11:15', '11:45');
    const moved = await findRow(id);
    assert.deepEqual(
      [moved.isExclusive, moved.hasConflict, moved.startsAt],
      [false, true, onTuesday('11:15')],
    );
    assert.equal((await findRow(other)).isExclusive, true);
    const events = ['booking.created', 'booking.created', 'booking.conflict'];
    assert.deepEqual(await findOutboxEvents(parley, org.orgId), events);
    assert.equal(await tryBooking(org, '11:30'), '409 slot_taken');
    await applyMove(org, id, '14:00', '14:30');
    const again = await findRow(id);
    assert.deepEqual([again.isExclusive, again.hasConflict, again.sequence], [true, false, 2]);
    assert.equal(await tryBooking(org, '11:30'), '201');
  });

  it('are canceled once if the event is deleted', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await markWritten(id);
    await Promise.all([applyRemoval(org, id), applyRemoval(org, id)]);
    const { status, cancelledBy, calendarStatus, sequence } = await findRow(id);
    assert.deepEqual(
      [status, cancelledBy, calendarStatus, sequence],
      ['cancelled', 'calendar', 'removed', 1],
    );
    await applyMove(org, id, '12:00', '12:30');
    await noteConflict(org, id);
    assert.deepEqual(await findOutboxEvents(parley, org.orgId), ['booking.created', 'booking.cancelled']);
    assert.deepEqual(await findSignals(org.orgId), ['cancel']);
    assert.equal(await tryBooking(org, '10:00'), '201');
  });

  itInSoak('report once that their time conflicts', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await noteConflict(org, id);
    await noteConflict(org, id);
    const { body } = await org.client.get(`/api/bookings/${id}`);
    assert.equal(body.conflict, true);
    assert.equal((await findRow(id)).sequence, 0);
    assert.deepEqual(await findOutboxEvents(parley, org.orgId), ['booking.created', 'booking.conflict']);
    assert.deepEqual(await findSignals(org.orgId), ['changed']);
  });

  itInSoak('have the calendar_status pending after the team cancels them', async () => {
    const org = await buildBookable(parley);
    const id = await book(org, '10:00');
    await markWritten(id);
    const { body } = await org.client.post(`/api/bookings/${id}/cancel`, {});
    assert.equal(body.calendar_status, 'pending');
  });
});
