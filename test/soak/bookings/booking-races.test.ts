import assert from 'node:assert/strict';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../../support/parley.ts';
import { buildBookable, buildBookableBot, SetClock } from '../../bookings/support.ts';

const onTuesday = (time: string) => new Date(`2026-11-24T${time}:00Z`);

describe('bookings in two processes:', () => {
  let parley: TestParley;
  let other: TestProcess;
  before(async () => {
    parley = await startParley({}, { clock: new SetClock('2026-11-23T08:00:00.000Z') });
    other = await parley.startAnother();
  });
  after(() => parley.stop());

  it('createWidgetBooking gives a slot to one of twenty simultaneous visitors', async () => {
    const { bot, orgId } = await buildBookableBot(parley);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const process = index % 2 ? parley : other;
        const { body } = await process.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
        const request = {
          start: onTuesday('10:00').toISOString(),
          summary: 'Viewing',
          attendee_email: `v${index}@example.com`,
        };
        const path = `/api/public/sessions/${body.session_id}/bookings` as const;
        return formatOutcome(await process.client(body.visitor_token).post(path, request));
      }),
    );
    assert.deepEqual(outcomes.sort(), ['201', ...Array<string>(19).fill('409 slot_taken')]);
    assert.equal(await parley.database.repository(Booking).countBy({ orgId }), 1);
  });

  it('bookings follow a move in the calendar while another booking takes the new time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const org = await buildBookable(parley);
      const scope = { orgId: org.orgId, db: parley.database };
      const book = (time: string, client = org.client) =>
        client.post('/api/bookings', { start: onTuesday(time).toISOString(), summary: 'Viewing' });
      const { id } = (await book('10:00')).body;
      const moveInCalendar = () =>
        parley.runtime.services.bookings.bookings.applyMove(scope, id, {
          start: onTuesday('12:00'),
          end: onTuesday('12:30'),
        });
      const [booked] = await Promise.all([
        book('12:00', other.client(org.key)),
        // Repeat a failed move once, because the calendar sync does so, too.
        moveInCalendar().catch(moveInCalendar),
      ]);
      const { startsAt, hasConflict, isExclusive } = await parley.database
        .repository(Booking)
        .findOneByOrFail({ id });
      assert.deepEqual(startsAt, onTuesday('12:00'));
      const isBeside = booked.status === 201;
      assert.equal(formatOutcome(booked), isBeside ? '201' : '409 slot_taken');
      assert.deepEqual([hasConflict, isExclusive], [isBeside, !isBeside]);
    }
  });

  it('cancelBooking frees a slot for exactly one of the bookings that compete for it', async () => {
    for (let round = 0; round < 8; round += 1) {
      const org = await buildBookable(parley);
      const second = other.client(org.key);
      const book = (client = org.client) =>
        client.post('/api/bookings', { start: onTuesday('10:00').toISOString(), summary: 'Viewing' });
      const { id } = (await book()).body;
      const cancel = (client = org.client) => client.post(`/api/bookings/${id}/cancel`, {});
      const [booked, , , bookedElsewhere] = await Promise.all([
        book(),
        cancel(),
        cancel(second),
        book(second),
      ]);
      const later = await book();
      const outcomes = [booked, bookedElsewhere, later].map(formatOutcome).sort();
      assert.deepEqual(outcomes, ['201', '409 slot_taken', '409 slot_taken']);
      const rows = await parley.database.repository(Booking).findBy({ orgId: org.orgId });
      assert.deepEqual(rows.map(({ status }) => status).sort(), ['cancelled', 'confirmed']);
    }
  });
});
