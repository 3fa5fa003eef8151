import assert from 'node:assert/strict';
import { AppError } from '../../../core/errors/errors.ts';
import { Booking } from '../../../entities/bookings/booking.entity.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { selectCases } from '../../support/it-in-soak.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { waitUntilBlocked } from '../../support/wait-until-blocked.ts';
import { ALL_DAY, at, buildOwner, connectGoogle } from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';

describe('createBooking, if settings change after the calendar was read,', () => {
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

  /** Prepares a booking at ten in a connected calendar, whose busy times Parley has already read. */
  async function prepareBooking() {
    const { client, orgId, userId, ...owner } = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, { client, orgId, userId, ...owner }), 'connected');
    const changeSettings = async (settings: object) => {
      const { status, body } = await client.patch('/api/calendar/settings', settings);
      assert.equal(status, 200, JSON.stringify(body));
    };
    await changeSettings(ALL_DAY);
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
    const createBooking = () =>
      bookings.create(scope, { accountId: userId, userId }, input, seen).then(
        ({ endsAt }) => endsAt.toISOString(),
        (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : String(error)),
      );
    const countBookings = () => parley.database.repository(Booking).countBy({ orgId });
    return { client, orgId, change: changeSettings, book: createBooking, count: countBookings };
  }

  const CHANGED = 'conflict: The calendar’s settings have just changed; list the slots again.';
  for (const [what, settings, said] of selectCases(
    [
      ['length', { slot_minutes: 30 }, CHANGED],
      ['buffer', { buffer_minutes: 15, business_open_hour: 10 }, CHANGED],
      ['calendar', { booking_calendar_id: 'team' }, CHANGED],
      ['calendars that are read', { calendar_ids: [ACCOUNT, 'team'] }, CHANGED],
      ['hours', { business_open_hour: 11 }, 'validation_error: start must be the start of an offered slot'],
      [
        'pause',
        { is_active: false },
        'conflict: Bookings are paused: set is_active in the calendar’s settings.',
      ],
    ] as const,
    2,
  ))
    it(`returns 409 or 422 after the ${what} has changed`, async () => {
      const { change, book, count } = await prepareBooking();
      await change(settings);
      assert.equal(await book(), said);
      assert.equal(await count(), 0);
    });

  it('returns 409 after the calendar was disconnected', async () => {
    const { client, book, count } = await prepareBooking();
    assert.equal((await client.delete('/api/calendar/connection')).status, 200);
    assert.match(await book(), /^conflict: The workspace has no calendar/);
    assert.equal(await count(), 0);
  });

  it('succeeds if the changed settings do not affect the slot', async () => {
    const { change, book } = await prepareBooking();
    await change({ business_close_hour: 17, weekdays_only: null, timezone: 'UTC' });
    await change({ weekdays_only: false });
    assert.equal(await book(), at(3, 11).toISOString());
  });

  it('blocks a change of settings until the booking has committed', async () => {
    const { change, book, orgId } = await prepareBooking();
    const { database: db } = parley;
    let changing: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      const { slots, calendarConnections } = parley.runtime.services.bookings;
      const connection = await calendarConnections.get({ orgId, db });
      await slots.requireFreeSlot({ orgId, db: tx }, at(3, 10), 'team', { connection, busy: [] });
      changing = change({ slot_minutes: 30 });
      await waitUntilBlocked(db, 'the change');
    });
    await changing;
    assert.equal(await book(), CHANGED);
  });
});
