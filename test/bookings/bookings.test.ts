import assert from 'node:assert/strict';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestOrg } from '../support/parley.ts';
import { findOutboxEvents } from '../support/widget.ts';
import { buildBookable, readFieldErrors, openCalendar, SetClock, listLocalStarts } from './support.ts';
import { findOpened } from '../support/find-opened.ts';

const MONDAY = '2026-11-23';
const TUESDAY = '2026-11-24';

describe('bookings of the team:', () => {
  const clock = new SetClock(`${MONDAY}T08:00:00.000Z`);
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { clock });
  });
  after(() => parley.stop());
  afterEach(() => void (clock.at = `${MONDAY}T08:00:00.000Z`));

  const book = ({ client }: TestOrg, request: object = {}, headers: Record<string, string> = {}) =>
    client.post('/api/bookings', { start: `${TUESDAY}T10:00:00Z`, summary: 'Viewing', ...request }, headers);
  const createBooking = async (org: TestOrg, request: object = {}) => {
    const { status, body } = await book(org, request);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const findRow = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const findCommands = async (orgId: string) => {
    const where = { orgId, kind: 'command', name: 'booking' } as const;
    const rows = await findOpened(parley.database, OutboxRow, { where, order: { id: 'ASC' } });
    return rows.map(({ payload }) => payload as { action: string; workflowId: string; signal?: string });
  };

  describe('createBooking', () => {
    it('refuses an attendee whose domain has a label of more than 63 octets', async () => {
      const org = await buildBookable(parley);
      const book = (label: string) =>
        org.client.post('/api/bookings', {
          start: `${TUESDAY}T10:00:00Z`,
          summary: 'Viewing',
          attendee_email: `rui@${label}.example`,
        });
      for (const length of [64, 300]) {
        const { status, body } = await book('a'.repeat(length));
        assert.equal(status, 422);
        assert.deepEqual(Object.keys(readFieldErrors({ body })), ['attendee_email']);
      }
      assert.equal((await book('a'.repeat(63))).status, 201);
    });

    it('stores the booking with its attendee, starts its workflow and emits booking.created', async () => {
      const org = await buildBookable(parley, { buffer_minutes: 10, timezone: 'Europe/Lisbon' });
      const { status, body } = await org.client.post('/api/bookings?timezone=Asia/Tokyo', {
        start: `${TUESDAY}T10:00:00Z`,
        summary: ' Viewing ',
        description: 'Second floor',
        attendee_name: 'Rui Costa',
        attendee_email: 'rui@example.com',
      });
      assert.equal(status, 422);
      assert.deepEqual(readFieldErrors({ body }), { start: 'must be the start of an offered slot' });
      const { body: made } = await org.client.post('/api/bookings?timezone=Asia/Tokyo', {
        start: `${TUESDAY}T11:20:00+01:00`,
        summary: ' Viewing ',
        description: 'Second floor',
        attendee_name: 'Rui Costa',
        attendee_email: 'rui@example.com',
      });
      const { id, created_at, updated_at, manage_url, ics_url, ...others } = made;
      assert.deepEqual(others, {
        status: 'confirmed',
        start: `${TUESDAY}T10:20:00.000Z`,
        end: `${TUESDAY}T10:50:00.000Z`,
        timezone: 'Europe/Lisbon',
        attendee_timezone: 'Asia/Tokyo',
        summary: 'Viewing',
        description: 'Second floor',
        attendee_name: 'Rui Costa',
        attendee_email: 'rui@example.com',
        bot_id: null,
        conversation_id: null,
        contact_id: null,
        source: 'team',
        calendar_status: 'none',
        calendar_error: null,
        conflict: false,
        cancelled_at: null,
        cancelled_by: null,
      });
      assert.match(String(manage_url), /\/meetings\/[\w-]+\.[\w-]+$/);
      assert.equal(ics_url, `${manage_url}/meeting.ics`);
      assert.equal(created_at, updated_at);
      assert.deepEqual((await org.client.get(`/api/bookings/${id}`)).body, made);
      const { blockedUntil, sequence } = await findRow(id);
      assert.deepEqual([blockedUntil.toISOString(), sequence], [`${TUESDAY}T11:00:00.000Z`, 0]);
      assert.deepEqual(await findOutboxEvents(parley, org.orgId), ['booking.created']);
      assert.deepEqual(
        (await findCommands(org.orgId)).map(({ action, workflowId }) => [action, workflowId]),
        [['start', `booking/${id}`]],
      );
    });

    it('gives a slot to one of twenty simultaneous callers', async () => {
      const org = await buildBookable(parley);
      const other = await parley.startAnother();
      const clients = [org.client, other.client(org.key)];
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          formatOutcome(await book({ ...org, client: clients[index % 2]! })),
        ),
      );
      assert.deepEqual(outcomes.sort(), ['201', ...Array<string>(19).fill('409 slot_taken')]);
      assert.equal(await parley.database.repository(Booking).countBy({ orgId: org.orgId }), 1);
      assert.deepEqual(await findOutboxEvents(parley, org.orgId), ['booking.created']);
    });

    it('refuses a start in the past, off the grid, outside opening hours or too far ahead, and an empty summary', async () => {
      const org = await buildBookable(parley);
      clock.at = `${TUESDAY}T10:00:00.001Z`;
      for (const start of [
        `${TUESDAY}T10:00:00Z`,
        `${TUESDAY}T10:40:00Z`,
        `${TUESDAY}T10:30:00.001Z`,
        `${TUESDAY}T17:00:00Z`,
        '2026-11-28T10:30:00Z',
        '2027-02-22T10:30:00Z',
        '9999-12-31T10:30:00Z',
      ])
        assert.deepEqual(
          readFieldErrors(await book(org, { start })),
          { start: 'must be the start of an offered slot' },
          start,
        );
      assert.deepEqual(readFieldErrors(await book(org, { summary: ' \u200b' })), {
        summary: 'must contain visible characters',
      });
      const zone = await org.client.post('/api/bookings?timezone=Mars', {
        start: `${TUESDAY}T10:30:00Z`,
        summary: 'Viewing',
      });
      assert.deepEqual(readFieldErrors(zone), { timezone: 'must be a time zone such as Europe/Lisbon' });
      clock.at = `${TUESDAY}T10:30:00.000Z`;
      await createBooking(org, { start: `${TUESDAY}T10:30:00Z` });
    });

    it('returns 409 without a calendar and while bookings are paused', async () => {
      const org = await parley.buildOrg();
      assert.equal(formatOutcome(await book(org)), '409 conflict');
      await openCalendar(org.client, { is_active: false });
      assert.equal(formatOutcome(await book(org)), '409 conflict');
      await openCalendar(org.client, { is_active: null });
      await createBooking(org);
    });

    it('returns the same booking for a repeated idempotency key, and 409 slot_taken for the same slot with another key', async () => {
      const org = await buildBookable(parley);
      const key = { 'idempotency-key': 'first' };
      const [first, again] = [await book(org, {}, key), await book(org, {}, key)];
      assert.deepEqual(again.body, first.body);
      assert.equal(formatOutcome(await book(org, {}, { 'idempotency-key': 'second' })), '409 slot_taken');
    });

    it('keeps the blocked time of existing bookings if the buffer changes', async () => {
      const org = await buildBookable(parley, { buffer_minutes: 30 });
      await createBooking(org, { start: `${TUESDAY}T10:00:00Z` });
      await openCalendar(org.client, { buffer_minutes: 0 });
      const starts = await listLocalStarts(org.client, {
        from: `${TUESDAY}T09:00:00Z`,
        to: `${TUESDAY}T12:00:00Z`,
      });
      assert.deepEqual(
        starts.map((start) => start.slice(11, 16)),
        ['09:00', '09:30', '11:00', '11:30'],
      );
    });
  });

  describe('getBooking', () => {
    it('returns a booking of the caller’s workspace, and 403 for another workspace’s booking', async () => {
      const [org, other] = [await buildBookable(parley), await buildBookable(parley)];
      const made = await createBooking(org);
      assert.deepEqual((await org.client.get(`/api/bookings/${made.id}`)).body, made);
      assert.equal(formatOutcome(await other.client.get(`/api/bookings/${made.id}`)), '403 forbidden');
    });

    it('returns the attendee’s links to callers who may cancel the booking', async () => {
      const org = await buildBookable(parley);
      const made = await createBooking(org);
      const { orgId } = org;
      const readLinks = async (who: Parameters<TestParley['buildOrg']>[0]) => {
        const { client } = await parley.buildOrg({ orgId, ...who });
        const { body } = await client.get(`/api/bookings/${made.id}`);
        return [body.manage_url, body.ics_url];
      };
      const links = [made.manage_url, made.ics_url];
      assert.deepEqual(await readLinks({ role: 'member' }), links);
      assert.deepEqual(await readLinks({ role: 'viewer' }), [null, null]);
      assert.deepEqual(await readLinks({ role: 'admin', scopes: ['bookings:read'] }), [null, null]);
    });
  });

  describe('cancelBooking', () => {
    it('frees the slot, signals the workflow, and returns the same response when repeated', async () => {
      const org = await buildBookable(parley);
      const { id } = await createBooking(org);
      const { status, body } = await org.client.post(`/api/bookings/${id}/cancel`, {});
      assert.equal(status, 200);
      assert.deepEqual([body.status, body.cancelled_by], ['cancelled', 'team']);
      assert.notEqual(body.cancelled_at, null);
      assert.deepEqual((await org.client.post(`/api/bookings/${id}/cancel`, {})).body, body);
      assert.deepEqual(
        (await findCommands(org.orgId)).map(({ action, signal }) => [action, signal]),
        [
          ['start', undefined],
          ['signal', 'cancel'],
        ],
      );
      assert.deepEqual(await findOutboxEvents(parley, org.orgId), ['booking.created', 'booking.cancelled']);
      assert.equal((await findRow(id)).sequence, 1);
      await createBooking(org);
    });

    it('returns 409 once the meeting has begun', async () => {
      const org = await buildBookable(parley);
      const { id } = await createBooking(org);
      clock.at = `${TUESDAY}T10:00:00.000Z`;
      assert.equal(formatOutcome(await org.client.post(`/api/bookings/${id}/cancel`, {})), '409 conflict');
      clock.at = `${TUESDAY}T09:59:59.999Z`;
      assert.equal(formatOutcome(await org.client.post(`/api/bookings/${id}/cancel`, {})), '200');
    });

    it('succeeds while bookings are paused', async () => {
      const org = await buildBookable(parley);
      const { id } = await createBooking(org);
      await openCalendar(org.client, { is_active: false });
      assert.equal(formatOutcome(await org.client.post(`/api/bookings/${id}/cancel`, {})), '200');
    });
  });

  describe('listBookings', () => {
    it('returns bookings that start within the range, ordered by start, filtered by status and bot', async () => {
      const org = await buildBookable(parley);
      const later = await createBooking(org, { start: `${TUESDAY}T11:00:00Z` });
      const sooner = await createBooking(org, { start: `${TUESDAY}T10:00:00Z` });
      await org.client.post(`/api/bookings/${later.id}/cancel`, {});
      const listIds = async (query: Record<string, string>) => {
        const { body, status } = await org.client.get(
          `/api/bookings?${new URLSearchParams(query).toString()}`,
        );
        assert.equal(status, 200, JSON.stringify(body));
        return (body as { id: string }[]).map(({ id }) => id);
      };
      assert.deepEqual(await listIds({}), [sooner.id, later.id]);
      assert.deepEqual(await listIds({ status: 'confirmed' }), [sooner.id]);
      assert.deepEqual(await listIds({ from: sooner.start, to: later.start }), [sooner.id]);
      assert.deepEqual(await listIds({ from: `${TUESDAY}T10:00:00.001Z` }), [later.id]);
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
      assert.deepEqual(await listIds({ bot_id: bot.id }), []);
    });

    it('accepts ranges of up to 92 days and an hour', async () => {
      const org = await buildBookable(parley);
      const findRangeErrors = async (from: string, to: string) =>
        readFieldErrors(await org.client.get(`/api/bookings?from=${from}&to=${to}`));
      assert.deepEqual(await findRangeErrors('2026-01-01T00:00:00Z', '2026-04-03T01:00:00Z'), {});
      assert.deepEqual(await findRangeErrors('2026-01-01T00:00:00Z', '2026-04-03T01:00:00.001Z'), {
        to: 'must be at most 92 days and an hour after `from`',
      });
      assert.deepEqual(await findRangeErrors('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'), {
        to: 'must be later than `from`',
      });
    });

    itInSoak('refuses a range with more than 5,000 bookings', async () => {
      const org = await buildBookable(parley);
      const first = await createBooking(org);
      await parley.database.sql(
        `INSERT INTO bookings (id, org_id, status, source, starts_at, ends_at, blocked_until, timezone, summary)
         SELECT gen_random_uuid(), org_id, 'cancelled', source, starts_at, ends_at, blocked_until, timezone, 'Old'
         FROM bookings, generate_series(2, 5000) WHERE id = $1`,
        [first.id],
      );
      const { body } = await org.client.get('/api/bookings');
      assert.equal((body as unknown[]).length, 5000);
      await createBooking(org, { start: `${TUESDAY}T11:00:00Z` });
      assert.equal(formatOutcome(await org.client.get('/api/bookings')), '422 validation_error');
    });
  });
});
