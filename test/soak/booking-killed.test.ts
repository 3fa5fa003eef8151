import assert from 'node:assert/strict';
import { at } from '../bookings/calendars/calendar-scene.ts';
import { CalendarGate, type GatedRequest } from '../bookings/calendars/calendar-gate.ts';
import { buildDavOwner } from '../bookings/calendars/connect-caldav.ts';
import { HeldMails, mailMoments, type MailMoment } from '../bookings/calendars/held-mails.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { newId } from '../../core/ids.ts';
import { startApiProcess } from '../support/api-process.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { Radicale } from '../support/radicale.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';
import type { TestSettings } from '../support/test-settings.ts';

/** Key of the database lock whose holder blocks commits of bookings; the number is arbitrary. */
const GATE = 12;
const UNCOMMITTED = 'Just before the commit';

/** Step at which the worker is killed while it handles a booking. */
type Moment = 'request' | 'response' | 'conflict' | 'record' | MailMoment;

interface Held {
  id: string;
  hour: number;
  moment: Moment;
  address: string;
}

describe('a booking whose process is killed', function () {
  let parley: TestParley;
  let radicale: Radicale | undefined;
  let gate: CalendarGate;
  let mails: HeldMails;
  let env: TestSettings;
  let calendars = 0;
  before(async function () {
    radicale = await Radicale.start();
    // Skip the tests: their CalDAV server needs Python.
    if (!radicale) return this.skip();
    gate = await CalendarGate.open(radicale.url);
    mails = await HeldMails.start();
    env = { ...mails.env, mailRetrySchedule: '0,1,1,1', calendarTimeoutMs: 60000 };
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000', ...env });
    await parley.database.sql(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`,
    );
    await parley.database.sql(
      `CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON bookings DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.summary = '${UNCOMMITTED}') EXECUTE FUNCTION wait()`,
    );
  });
  after(async () => {
    if (!radicale) return;
    await parley.stop();
    await gate.close();
    await mails.close();
    await radicale.stop();
  });

  const followedByAnother = useSuccessor(() => parley);

  /** Creates a workspace with its own calendar on the CalDAV server. */
  async function build() {
    const calendar = await radicale!.addCalendar(`c${(calendars += 1)}`);
    const owner = await buildDavOwner(parley, gate.url);
    const [chosen] = (await owner.client.get('/api/calendar/calendars')).body.filter(({ id }) =>
      id.endsWith(new URL(calendar).pathname),
    );
    const { status } = await owner.client.patch('/api/calendar/settings', {
      booking_calendar_id: chosen!.id,
    });
    assert.equal(status, 200);
    return { ...owner, calendar };
  }

  const findBooking = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const buildAddress = (hour: number, name: string) => `${name}-${hour}@example.com`;

  async function book({ client }: TestOrg, hour: number, name: string): Promise<string> {
    const { status, body } = await client.post('/api/bookings', {
      start: at(3, hour).toISOString(),
      summary: 'Viewing',
      attendee_email: buildAddress(hour, name),
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  /** Reads the UIDs of all events in the calendar. */
  async function readCalendarUids(calendar: string): Promise<string[]> {
    const text = (await radicale!.get(calendar)) ?? '';
    return [...text.matchAll(/^UID:(.+)$/gm)].map(([, uid]) => uid!.trim()).toSorted();
  }

  /**
   * Returns whether a request to the calendar is about the booking: its event, or the query for conflicts,
   * which starts a day before the booking.
   */
  const isAbout = ({ path, body }: GatedRequest, { id, hour }: { id: string; hour: number }) => {
    const stamp = `${at(2, hour).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    return path.includes(id) || body.includes(`start="${stamp}"`);
  };

  /** Counts the SQL statements that wait for a lock in this database. */
  async function countLockWaits(): Promise<number> {
    const waits = await parley.database.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waits.length;
  }

  /** Blocks the worker at the chosen step of each booking, then kills the worker. */
  async function killWorkerAt(
    held: Held[],
    method: 'PUT' | 'DELETE',
    begin: () => Promise<unknown>,
  ): Promise<void> {
    const doomed = new WorkerProcess(parley.runtime.settings, env);
    for (const { moment, address } of held) {
      const ofMail = mailMoments.find((each) => each === moment);
      if (ofMail) mails.holds.set(address, ofMail);
    }
    const recorded = held.find(({ moment }) => moment === 'record')!;
    let unlock!: () => void;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    let locked: Promise<unknown> | undefined;
    const lock = () =>
      new Promise<void>((resolve, reject) => {
        locked = parley.database.transaction(async (db) => {
          await db.sql('SELECT FROM bookings WHERE id = $1 FOR UPDATE', [recorded.id]);
          resolve();
          await unlocked;
        });
        locked.catch(reject);
      });
    gate.detour = (request) => {
      const found = held.find((each) => isAbout(request, each));
      if (!found) return undefined;
      if (request.method === 'REPORT') return found.moment === 'conflict' ? 'hold' : undefined;
      if (request.method !== method) return undefined;
      if (found.moment === 'request') return 'hold';
      if (found.moment === 'response') return request.path.includes(found.id) ? 'hold response' : undefined;
      return found.moment === 'record' ? lock() : undefined;
    };
    await begin();
    const inCalendar = held.filter(({ moment, address }) => !mails.holds.has(address) && moment !== 'record');
    await waitUntil(() => gate.held >= inCalendar.length, 'the calendar to be waited for');
    await waitUntil(() => mails.held >= mails.holds.size, 'the mail server to be waited for');
    await waitUntil(
      async () => locked !== undefined && (await countLockWaits()) > 0,
      'the record to be waited for',
    );
    await doomed.end('SIGKILL');
    unlock();
    await locked;
    gate.reset();
    mails.release();
    await followedByAnother();
  }

  async function assertMailed(held: readonly Held[], subject: RegExp, isKilledThen = true): Promise<void> {
    await waitUntil(
      () => held.every(({ address }) => mails.findMessageIds(address, subject).length > 0),
      'the emails',
    );
    for (const { address, moment } of held) {
      const ids = mails.findMessageIds(address, subject);
      assert.equal(new Set(ids).size, 1, address);
      // An email may arrive twice: the worker cannot know that it was accepted. The repeat has the same
      // Message-ID.
      assert.equal(ids.length, isKilledThen && moment === 'taken' ? 2 : 1, `${address} ${moment}`);
    }
  }

  const bookAll = (org: TestOrg, name: string, moments: readonly Moment[]) =>
    Promise.all(
      moments.map(async (moment, hour): Promise<Held> => {
        const id = await book(org, hour, name);
        return { id, hour, moment, address: buildAddress(hour, name) };
      }),
    );

  const areAll = (held: readonly Held[], isSo: (row: Booking) => boolean) =>
    waitUntil(
      async () => (await Promise.all(held.map(({ id }) => findBooking(id)))).every(isSo),
      'all to be done',
    );

  it('has one event and one email if the worker is killed while the event or email is written or sent', async () => {
    const org = await build();
    const held = await bookAll(org, 'rui', ['request', 'response', 'conflict', 'record', ...mailMoments]);
    await killWorkerAt(held, 'PUT', () => Promise.resolve());
    await areAll(
      held,
      ({ calendarStatus, invitedSequence }) => calendarStatus === 'written' && invitedSequence === 0,
    );
    assert.deepEqual(await readCalendarUids(org.calendar), held.map(({ id }) => id).toSorted());
    await assertMailed(held, /^Confirmed/);
    for (const { id } of held) {
      const { status, hasConflict, sequence, eventId } = await findBooking(id);
      assert.deepEqual([status, hasConflict, sequence, eventId?.includes(id)], ['confirmed', false, 0, true]);
    }
  });

  it('has no event and one email if the worker is killed while the booking is canceled', async () => {
    const org = await build();
    const first = new WorkerProcess(parley.runtime.settings, env);
    const held = await bookAll(org, 'zoe', ['request', 'response', 'record', ...mailMoments]);
    await areAll(
      held,
      ({ calendarStatus, invitedSequence }) => calendarStatus === 'written' && invitedSequence === 0,
    );
    await first.end('SIGTERM');
    await killWorkerAt(held, 'DELETE', () =>
      Promise.all(held.map(({ id }) => org.client.post(`/api/bookings/${id}/cancel`, {}))),
    );
    await areAll(held, ({ calendarStatus }) => calendarStatus === 'removed');
    assert.deepEqual(await readCalendarUids(org.calendar), []);
    await assertMailed(held, /^Canceled/);
    await assertMailed(held, /^Confirmed/, false);
  });

  it('is created once by a retry if the API is killed while it creates the booking', async () => {
    const org = await build();
    const doomed = await startApiProcess(parley.runtime.settings);
    const requests = ['While the calendar is looked at', UNCOMMITTED].map((summary, hour) => ({
      key: newId(),
      hour,
      body: { start: at(3, hour).toISOString(), summary, attendee_email: buildAddress(hour, 'kai') },
    }));
    gate.detour = (request) =>
      request.method === 'REPORT' && isAbout(request, { id: '-', hour: 0 }) ? 'hold' : undefined;
    await parley.database.transaction(async (db) => {
      await db.sql(`SELECT pg_advisory_xact_lock(${GATE})`);
      const lost = requests.map(({ key, body }) =>
        assert.rejects(
          fetch(`${doomed.baseUrl}/api/bookings`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${org.key}`,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
            body: JSON.stringify(body),
          }),
        ),
      );
      const waiters = () =>
        parley.database.sql(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
      await waitUntil(async () => gate.held === 1 && (await waiters()).length === 1, 'both to wait');
      await doomed.stop('SIGKILL');
      await Promise.all(lost);
    });
    gate.reset();
    await followedByAnother();
    for (const { key, body } of requests) {
      let id = '';
      await waitUntil(async () => {
        const response = await org.client.post('/api/bookings', body, { 'idempotency-key': key });
        if (response.status === 201) id = response.body.id;
        return response.status !== 409;
      }, 'the key to be free');
      assert.notEqual(id, '');
      await waitUntil(async () => (await findBooking(id)).calendarStatus === 'written', 'its event');
      await waitUntil(() => mails.findMessageIds(body.attendee_email, /^Confirmed/).length > 0, 'its email');
      assert.equal(mails.findMessageIds(body.attendee_email, /^Confirmed/).length, 1);
    }
    assert.equal((await readCalendarUids(org.calendar)).length, 2);
    assert.equal(await parley.database.repository(Booking).countBy({ orgId: org.orgId }), 2);
  });
});
