import assert from 'node:assert/strict';
import { buildBookable, buildBookableBot, SetClock } from '../../bookings/support.ts';
import { signMeetingToken } from '../../../services/bookings/meeting-links.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const MONDAY = '2026-09-07';
const at = (time: string) => `${MONDAY}T${time}:00.000Z`;
const MEETING = {
  start: at('09:00'),
  summary: 'Leasing of twelve cargo bikes',
  description: 'They come with two trailers',
  attendee_name: 'Zoë Quist',
  attendee_email: 'zoe@quist.example',
};

describe('encrypted bookings', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    const clock = new SetClock('2026-09-06T06:00:00Z');
    parley = await startParley({ PARLEY_SEAL_CONTENT: 'true', bookingsPerAttendee: 2 }, { clock });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  const findBookingColumns = async (id: string) => {
    const [row] = await parley.database.sql<Record<string, unknown>>('SELECT * FROM bookings WHERE id = $1', [
      id,
    ]);
    return row!;
  };

  async function build() {
    const org = await buildBookable(parley);
    await keys.seal(org);
    const { status, body } = await org.client.post('/api/bookings', MEETING);
    assert.equal(status, 201, JSON.stringify(body));
    return { ...org, booking: body, own: `/api/bookings/${body.id}` as const };
  }

  it('are stored encrypted, and returned unchanged by getBooking and listBookings', async () => {
    const { client, booking, own } = await build();
    const row = await findBookingColumns(booking.id);
    assert.ok(row['key_id']);
    const secretTexts = [MEETING.summary, MEETING.description, 'Quist', 'quist.example'];
    assert.deepEqual(
      secretTexts.filter((words) => JSON.stringify(row).includes(words)),
      [],
    );
    const { start: _, ...said } = MEETING;
    const { body } = await client.get(own);
    assert.deepEqual({ ...body, ...said }, body);
    const range = new URLSearchParams({ from: at('00:00'), to: at('23:00') }).toString();
    const [listed] = (await client.get(`/api/bookings?${range}`)).body;
    assert.deepEqual({ ...listed, ...said }, listed);
  });

  it('count for their attendee in createWidgetBooking, whatever the spelling of the address', async () => {
    const { visit, ...org } = await buildBookableBot(parley);
    await keys.seal(org);
    const book = async (time: string, attendee_email: string) => {
      const visitor = await visit();
      return formatOutcome(await visitor.book({ ...MEETING, start: at(time), attendee_email }));
    };
    assert.equal(await book('09:00', 'Zoe@Quist.example'), '201');
    assert.equal(await book('10:00', 'zoe@quist.example'), '201');
    assert.equal(await book('11:00', 'ZOE@quist.example'), '429 rate_limited');
    assert.equal(await book('11:00', 'ada@example.com'), '201');
  });

  it('are refused with 423, without any write, while their key is unavailable', async () => {
    const { client, booking, own, ...org } = await build();
    const before = await findBookingColumns(booking.id);
    keys.withdraw(org);
    const refused = [
      await client.get(own),
      await client.get('/api/bookings'),
      await client.post('/api/bookings', { ...MEETING, start: at('10:00') }),
      await client.post(`${own}/cancel`),
    ];
    assert.deepEqual(refused.map(formatOutcome), Array(4).fill('423 key_unavailable'));
    const link = `${parley.baseUrl}/meetings/${signMeetingToken(parley.runtime.keyring, booking.id)}`;
    const pages = ['text/html', 'application/json'].map((accept) => fetch(link, { headers: { accept } }));
    for (const response of await Promise.all(pages)) {
      assert.equal(response.status, 423);
      const text = await response.text();
      assert.match(text, /This is not available right now\. Try again later\./);
      assert.doesNotMatch(text, /key service|encrypt/i);
    }
    assert.deepEqual(await findBookingColumns(booking.id), before);
    keys.restore(org);
    assert.equal((await client.post(`${own}/cancel`)).body.summary, MEETING.summary);
  });

  it('lose their attendee by eraseContact while their key is unavailable, and are canceled', async () => {
    const { visit, ...org } = await buildBookableBot(parley);
    await keys.seal(org);
    const { book } = await visit();
    const { body: booking } = await book(MEETING);
    keys.withdraw(org);
    const contactId = (await findBookingColumns(booking.id as string))['contact_id'] as string;
    assert.equal((await org.client.post(`/api/contacts/${contactId}/erase`)).status, 202);
    const { status, summary, attendee_email: email } = await findBookingColumns(booking.id as string);
    assert.deepEqual([status, summary, email], ['cancelled', '', null]);
    keys.restore(org);
  });
});
