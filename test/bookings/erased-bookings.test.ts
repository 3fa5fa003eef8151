import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { DAY_MS } from '../../core/local-clock.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { signIdentityToken } from '../support/identity-token.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { createSessionStarter, findOutboxEvents } from '../support/widget.ts';
import { buildBookableBot, SetClock } from './support.ts';

const RUI = { summary: 'Viewing of the flat', attendee_name: 'Rui Costa', attendee_email: 'rui@example.com' };
const MONDAY = '2026-11-23';

describe('bookings of a contact:', () => {
  const clock = new SetClock(`${MONDAY}T08:00:00.000Z`);
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ bookingsPerHour: 0 }, { clock });
  });
  after(() => parley.stop());
  afterEach(() => void (clock.at = `${MONDAY}T08:00:00.000Z`));

  const findBookings = (orgId: string) =>
    parley.database.repository(Booking).find({ where: { orgId }, order: { startsAt: 'ASC' } });

  describe('eraseContact', () => {
    it('cancels upcoming bookings, and removes everything but the times from all bookings', async () => {
      const { visit, client, orgId, bot } = await buildBookableBot(parley);
      const { book } = await visit();
      const request = { ...RUI, description: 'Rui has a dog' };
      await book({ ...request, start: `${MONDAY}T10:00:00Z` }, {}, '?timezone=Europe/Lisbon');
      await book({ ...request, start: `${MONDAY}T15:00:00Z` }, {}, '?timezone=Europe/Lisbon');
      const other = await visit();
      await other.book({ ...RUI, attendee_email: 'ines@example.com', start: `${MONDAY}T16:00:00Z` });
      clock.at = `${MONDAY}T12:00:00.000Z`;
      const [first] = await findBookings(orgId);
      const { status } = await client.post(`/api/contacts/${first!.contactId}/erase`);
      assert.equal(status, 202);
      const rows = await findBookings(orgId);
      assert.deepEqual(
        rows.map(({ startsAt, status: now, cancelledBy }) => [startsAt.getUTCHours(), now, cancelledBy]),
        [
          [10, 'confirmed', null],
          [15, 'cancelled', 'erasure'],
          [16, 'confirmed', null],
        ],
      );
      for (const row of rows.slice(0, 2)) {
        assert.doesNotMatch(JSON.stringify(row), /Rui|rui@|Lisbon/);
        assert.deepEqual([row.contactId, row.conversationId, row.botId], [null, null, bot.id]);
      }
      assert.equal(rows[2]?.attendeeEmail, 'ines@example.com');
      const events = (await findOutboxEvents(parley, orgId)).filter((name) => name === 'booking.cancelled');
      assert.deepEqual(events, ['booking.cancelled']);
      const { body } = await client.get(`/api/bookings/${rows[1]!.id}`);
      assert.deepEqual(
        [body.summary, body.attendee_name, body.contact_id, body.cancelled_by],
        ['', null, null, 'erasure'],
      );
    });
  });

  describe('exportContacts', () => {
    it('returns all bookings of the contact', async () => {
      const { visit, client } = await buildBookableBot(parley);
      const { book } = await visit();
      const { body: first } = await book({ ...RUI, start: `${MONDAY}T10:00:00Z` });
      const { body: second } = await book({ ...RUI, start: `${MONDAY}T11:00:00Z`, description: 'Again' });
      await client.post(`/api/bookings/${second.id}/cancel`, {});
      for (const query of ['', '?q=Rui']) {
        const text = await (await client.fetch(`/api/contacts/export${query}`)).text();
        const [row] = parse<Record<string, string>>(text, { columns: true });
        const common = {
          summary: RUI.summary,
          attendee_name: 'Rui Costa',
          attendee_email: 'rui@example.com',
        };
        assert.deepEqual(JSON.parse(row!['bookings']!), [
          {
            id: first.id,
            status: 'confirmed',
            start: first.start,
            end: first.end,
            description: null,
            ...common,
          },
          {
            id: second.id,
            status: 'cancelled',
            start: second.start,
            end: second.end,
            description: 'Again',
            ...common,
          },
        ]);
      }
    });
  });

  it('bookings move to the identified contact if the visitor signs in later', async () => {
    // Set the clock to the present, because identity tokens must be issued at the current time.
    clock.at = new Date().toISOString();
    const { bot, client, orgId } = await buildBookableBot(parley, { weekdays_only: false });
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    const secret = (await client.get(`/api/bots/${bot.id}/embed`)).body.identity_secret!;
    const token = signIdentityToken(secret, { sub: 'user-17', email: 'rui@example.com' });
    const browse = createSessionStarter(parley);
    const start = async (visitor_id: string, identity_token?: string) => {
      const request = { visitor_id, ...(identity_token && { identity_token }) };
      const { body, status } = await browse(bot.public_key, request);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    await start('phone', token);
    const anonymous = await start('laptop');
    const { status, body: made } = await parley
      .client(anonymous.visitor_token)
      .post(`/api/public/sessions/${anonymous.session_id}/bookings`, {
        ...RUI,
        start: `${tomorrow}T10:00:00Z`,
      });
    assert.equal(status, 201, JSON.stringify(made));
    const [before] = await findBookings(orgId);
    await start('laptop', token);
    const [after] = await findBookings(orgId);
    const { body: contacts } = await client.get('/api/contacts');
    assert.equal(contacts.items.length, 1);
    assert.notEqual(before?.contactId, after?.contactId);
    assert.equal(after?.contactId, contacts.items[0]?.id);
  });
});
