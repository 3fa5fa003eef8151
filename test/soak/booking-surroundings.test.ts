import assert from 'node:assert/strict';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { bookingWorkflowId } from '../../core/workflows/commands.ts';
import { listAttendeeMails } from '../bookings/booking-scene.ts';
import { CalendarGate } from '../bookings/calendars/calendar-gate.ts';
import { at, listSlotHours, type CalendarOwner } from '../bookings/calendars/calendar-scene.ts';
import { connectCalDav } from '../bookings/calendars/connect-caldav.ts';
import { buildBookableBot } from '../bookings/support.ts';
import { Radicale } from '../support/radicale.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

const ALL_HOURS = {
  timezone: 'UTC',
  weekdays_only: false,
  slot_minutes: 60,
  business_open_hour: 0,
  business_close_hour: 24,
};

describe('a booking while its contact, bot or calendar changes', function () {
  let parley: TestParleyWithWorker;
  let radicale: Radicale | undefined;
  let gate: CalendarGate;
  let calendars = 0;
  before(async function () {
    radicale = await Radicale.start();
    // Skip the tests: their CalDAV server needs Python.
    if (!radicale) return this.skip();
    gate = await CalendarGate.open(radicale.url);
    parley = await startParleyWithWorker({ bookingsPerHour: 0 });
  });
  after(async () => {
    if (!radicale) return;
    await parley.stop();
    await gate.close();
    await radicale.stop();
  });
  afterEach(() => gate.reset());

  /** Creates a bot whose bookings go to its own calendar on the CalDAV server. */
  async function build() {
    const [calendar, other] = [await addCalendar(), await addCalendar()];
    const built = await buildBookableBot(parley, ALL_HOURS);
    const owner: CalendarOwner = { ...built, signedIn: (await parley.signIn(built)).client };
    assert.equal(await connectCalDav(parley, owner, gate.url), 'connected');
    const listed = (await built.client.get('/api/calendar/calendars')).body;
    const findCalendarId = (url: string) => listed.find(({ id }) => id.endsWith(new URL(url).pathname))!.id;
    await set(owner, { ...ALL_HOURS, booking_calendar_id: findCalendarId(calendar) });
    const { book } = await built.visit();
    const bookAsVisitor = async (hour: number): Promise<string> => {
      const start = at(3, hour).toISOString();
      const person = { attendee_name: 'Rui Costa', attendee_email: 'rui@example.com' };
      const { status, body } = await book({ start, summary: 'Viewing', ...person });
      assert.equal(status, 201, JSON.stringify(body));
      return body.id as string;
    };
    return { ...built, owner, calendar, other, findCalendarId, bookAsVisitor };
  }

  const addCalendar = () => radicale!.addCalendar(`s${(calendars += 1)}`);
  const set = async ({ client }: Pick<CalendarOwner, 'client'>, settings: object) => {
    const { status, body } = await client.patch('/api/calendar/settings', settings);
    assert.equal(status, 200, JSON.stringify(body));
  };
  const findBookingRow = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const isWritten = (id: string) =>
    waitUntil(async () => (await findBookingRow(id)).calendarStatus === 'written', 'its event');
  const readCalendarText = async (calendar: string) => (await radicale!.get(calendar)) ?? '';
  const readUids = async (calendar: string) =>
    [...(await readCalendarText(calendar)).matchAll(/^UID:(.+)$/gm)].map(([, uid]) => uid!.trim());
  const waitForBookingResult = (id: string) =>
    parley.temporal.workflow.getHandle(bookingWorkflowId(id)).result();

  /** Lets the calendar server write the next event, and delays its response until `work` is done. */
  async function runWhileWritten(begin: () => Promise<string>, work: (id: string) => Promise<void>) {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    gate.detour = ({ method }) => {
      if (method !== 'PUT' || isHeld) return undefined;
      isHeld = true;
      return released;
    };
    const id = await begin();
    await waitUntil(() => isHeld, 'the event to be written');
    await work(id);
    release();
    return id;
  }

  async function eraseAttendee(client: CalendarOwner['client'], id: string): Promise<void> {
    const { contactId } = await findBookingRow(id);
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 202);
  }

  it('has no calendar event and no email if eraseContact runs while the calendar event is being created', async () => {
    const { client, calendar, bookAsVisitor } = await build();
    const id = await runWhileWritten(
      () => bookAsVisitor(1),
      (booked) => eraseAttendee(client, booked),
    );
    assert.equal(await waitForBookingResult(id), 'cancelled');
    const { calendarStatus, cancelledBy, attendeeEmail } = await findBookingRow(id);
    assert.deepEqual([calendarStatus, cancelledBy, attendeeEmail], ['removed', 'erasure', null]);
    assert.deepEqual(await readUids(calendar), []);
    assert.deepEqual(await listAttendeeMails(parley, id), []);
  });

  it('loses its calendar event without an email if eraseContact runs afterwards', async () => {
    const { client, calendar, bookAsVisitor } = await build();
    const id = await bookAsVisitor(2);
    await isWritten(id);
    await waitUntil(async () => (await listAttendeeMails(parley, id)).length === 1, 'the confirmation');
    await eraseAttendee(client, id);
    assert.equal(await waitForBookingResult(id), 'cancelled');
    assert.deepEqual(await readUids(calendar), []);
    assert.ok(!(await listAttendeeMails(parley, id)).some((mail) => mail.includes('cancelled')));
    assert.doesNotMatch(await readCalendarText(calendar), /Rui|rui@/);
  });

  it('keeps its calendar event if its bot is deleted, and can still be canceled', async () => {
    const { client, bot, calendar, bookAsVisitor } = await build();
    const id = await runWhileWritten(
      () => bookAsVisitor(3),
      async () => assert.equal((await client.delete(`/api/bots/${bot.id}`)).status, 200),
    );
    await isWritten(id);
    await waitUntil(
      async () => (await parley.database.sql('SELECT FROM bots WHERE id = $1', [bot.id])).length === 0,
      'the bot to be gone',
    );
    const { status, botId, contactId } = await findBookingRow(id);
    assert.deepEqual([status, botId, contactId], ['confirmed', null, null]);
    assert.deepEqual(await readUids(calendar), [id]);
    assert.equal((await client.post(`/api/bookings/${id}/cancel`, {})).status, 200);
    assert.equal(await waitForBookingResult(id), 'cancelled');
    assert.deepEqual(await readUids(calendar), []);
  });

  it('has one event, in the calendar that was chosen when the event was written', async () => {
    const { owner, calendar, other, findCalendarId, bookAsVisitor } = await build();
    const id = await runWhileWritten(
      () => bookAsVisitor(4),
      () => set(owner, { booking_calendar_id: findCalendarId(other) }),
    );
    await isWritten(id);
    assert.deepEqual([await readUids(calendar), await readUids(other)], [[id], []]);
    const later = await bookAsVisitor(6);
    await isWritten(later);
    assert.deepEqual([await readUids(calendar), await readUids(other)], [[id], [later]]);
  });

  it('follows the settings at the time of booking, not those when the slot was shown', async () => {
    const { owner, client } = await build();
    assert.equal((await listSlotHours(owner, 3)).length, 24);
    const book = async (hour: number, minute = 0) => {
      const start = at(3, hour, minute).toISOString();
      const { status, body } = await client.post('/api/bookings', { start, summary: 'Viewing' });
      return status === 201 ? Date.parse(body.end) - Date.parse(start) : status;
    };
    await set(owner, { slot_minutes: 45 });
    assert.equal(await book(1), 422);
    assert.equal(await book(3), 45 * 60_000);
    await set(owner, { slot_minutes: 60, business_open_hour: 9 });
    assert.equal(await book(5), 422);
    await set(owner, { is_active: false });
    assert.equal(await book(10), 409);
    await set(owner, { is_active: true });
    assert.equal(await book(10), 60 * 60_000);
  });
});
