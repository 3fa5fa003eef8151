import assert from 'node:assert/strict';
import { AppError } from '../../../core/errors/errors.ts';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { untilBlocked } from '../../support/until-blocked.ts';
import { ALL_DAY, at, buildOwner, connectGoogle } from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';

describe('createBooking, when settings change after the calendar was looked at', () => {
  let google: GoogleCalendarFake;
  let parley: TestParley;
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    google.addCalendar('team');
    parley = await startParley(google.env);
  });
  after(async () => {
    await parley.stop();
    await google.stop();
  });

  /** Somebody who is about to book at ten, and whose calendar was just looked at. */
  async function lookedAt() {
    const { client, orgId, userId, ...owner } = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, { client, orgId, userId, ...owner }), 'connected');
    const change = async (settings: object) => {
      const { status, body } = await client.patch('/api/calendar/settings', settings);
      assert.equal(status, 200, JSON.stringify(body));
    };
    await change(ALL_DAY);
    const { bookings } = parley.runtime.services.bookings;
    const scope = { orgId, db: parley.database };
    const input = {
      start: at(3, 10),
      summary: 'Viewing',
      description: null,
      attendeeName: null,
      attendeeEmail: 'rui@example.com',
      attendeeTimezone: null,
    };
    const seen = await bookings.prepare(scope, input);
    const book = () =>
      bookings.create(scope, { accountId: userId, userId }, input, seen).then(
        ({ endsAt }) => endsAt.toISOString(),
        (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : String(error)),
      );
    const count = () => parley.database.repository(Booking).countBy({ orgId });
    return { client, orgId, change, book, count };
  }

  const CHANGED = 'conflict: The calendar’s settings were changed at this moment: look at its slots again.';
  for (const [what, settings, said] of [
    ['length', { slot_minutes: 30 }, CHANGED],
    ['buffer', { buffer_minutes: 15, business_open_hour: 10 }, CHANGED],
    ['calendar', { booking_calendar_id: 'team' }, CHANGED],
    ['calendars that are read', { calendar_ids: [ACCOUNT, 'team'] }, CHANGED],
    [
      'hours',
      { business_open_hour: 11 },
      'validation_error: start must be the start of a slot that is offered',
    ],
    [
      'pause',
      { is_active: false },
      'conflict: Bookings are paused: set is_active in the calendar’s settings.',
    ],
  ] as const)
    it(`is refused for another ${what}`, async () => {
      const { change, book, count } = await lookedAt();
      await change(settings);
      assert.equal(await book(), said);
      assert.equal(await count(), 0);
    });

  it('is refused once the calendar is disconnected', async () => {
    const { client, book, count } = await lookedAt();
    assert.equal((await client.delete('/api/calendar/connection')).status, 200);
    assert.match(await book(), /^conflict: The workspace has no calendar/);
    assert.equal(await count(), 0);
  });

  it('takes place where what has changed says nothing of it', async () => {
    const { change, book } = await lookedAt();
    await change({ business_close_hour: 17, weekdays_only: null, timezone: 'UTC' });
    await change({ weekdays_only: false });
    assert.equal(await book(), at(3, 11).toISOString());
  });

  it('is waited for by settings that change while it commits', async () => {
    const { change, book, orgId } = await lookedAt();
    const { database: db } = parley;
    let changing: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      const { slots, calendarConnections } = parley.runtime.services.bookings;
      const connection = await calendarConnections.get({ orgId, db });
      await slots.requireFreeSlot({ orgId, db: tx }, at(3, 10), 'team', { connection, busy: [] });
      changing = change({ slot_minutes: 30 });
      await untilBlocked(db, 'the change');
    });
    await changing;
    assert.equal(await book(), CHANGED);
  });
});
