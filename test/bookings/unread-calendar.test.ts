import assert from 'node:assert/strict';
import { CalendarBusy, CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildBookableBot, SetClock, listLocalStarts } from './support.ts';

const start = '2026-11-24T10:00:00.000Z';

describe('a calendar whose provider is unavailable', () => {
  const clock = new SetClock('2026-11-23T08:00:00.000Z');
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { clock });
  });
  after(() => parley.stop());

  /** @param readMinutesAgo minutes since Parley last read the calendar, which had a meeting from 11 to 12 */
  async function build(readMinutesAgo: number) {
    const built = await buildBookableBot(parley);
    const { orgId } = built;
    const connections = parley.database.repository(CalendarConnection);
    const { id } = await connections.findOneByOrFail({ orgId });
    await connections.update(id, { provider: 'google', primaryCalendarId: 'primary' });
    const busy = [Date.parse(start) / 60_000 + 60, Date.parse(start) / 60_000 + 120];
    await parley.database.repository(CalendarBusy).insert({
      connectionId: id,
      calendarId: 'primary',
      orgId,
      busy,
      coversFrom: new Date('2026-11-23T00:00:00Z'),
      coversUntil: new Date('2027-02-28T00:00:00Z'),
      syncedAt: () => `now() - make_interval(mins => ${readMinutesAgo})`,
    });
    return built;
  }

  it('is trusted for an hour: listBookingSlots excludes the busy times of the last read', async () => {
    const { client } = await build(55);
    const range = { from: start, to: '2026-11-24T13:00:00Z' };
    assert.deepEqual(
      (await listLocalStarts(client, range)).map((each) => each.slice(11, 16)),
      ['10:00', '10:30', '12:00', '12:30'],
    );
    const book = (at: string) => client.post('/api/bookings', { start: at, summary: 'Viewing' });
    assert.equal(formatOutcome(await book('2026-11-24T11:00:00Z')), '409 slot_taken');
    const { status, body } = await book(start);
    assert.deepEqual([status, body.calendar_status], [201, 'pending']);
  });

  it('is not trusted after an hour: listing slots and booking return 503', async () => {
    const { client, bot, visit } = await build(61);
    const { book } = await visit();
    const request = { start, summary: 'Viewing', attendee_email: 'rui@example.com' };
    const responses = [
      await client.get('/api/bookings/slots'),
      await parley.client().get(`/api/public/bots/${bot.public_key}/slots`),
      await client.post('/api/bookings', request),
      await book(request),
    ];
    assert.deepEqual(responses.map(formatOutcome), Array<string>(4).fill('503 not_ready'));
    for (const { headers } of responses) assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  });
});
