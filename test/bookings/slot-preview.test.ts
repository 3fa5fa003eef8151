import assert from 'node:assert/strict';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { buildBookable, readFieldErrors, openCalendar, SetClock, listLocalStarts } from './support.ts';

const TUESDAY = { from: '2026-03-03T00:00:00Z', to: '2026-03-04T00:00:00Z' };

describe('listBookingSlots with unsaved settings', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { clock: new SetClock('2026-03-02T00:00:00.000Z') });
  });
  after(() => parley.stop());

  /** Returns the start times of the bookable slots of a Tuesday as HH:MM. */
  async function listSlots(client: ApiClient, proposed: Record<string, string> = {}): Promise<string[]> {
    const starts = await listLocalStarts(client, { ...TUESDAY, ...proposed });
    return starts.map((start) => start.slice(11, 16));
  }

  it('returns the slots that those settings would leave free between existing bookings, and saves nothing', async () => {
    const { client } = await buildBookable(parley, { slot_minutes: 60, business_close_hour: 12 });
    const booking = { start: '2026-03-03T10:00:00Z', summary: 'Viewing' };
    assert.equal((await client.post('/api/bookings', booking)).status, 201);
    const proposed = { slot_minutes: '45', buffer_minutes: '15', business_open_hour: '8' };
    assert.deepEqual(await listSlots(client, proposed), ['08:00', '09:00', '11:00']);
    assert.deepEqual(await listSlots(client, { business_timezone: 'Asia/Kolkata', timezone: 'UTC' }), [
      '03:30',
      '04:30',
      '05:30',
    ]);
    assert.deepEqual(await listSlots(client), ['09:00', '11:00']);
    await openCalendar(client, { is_active: false });
    assert.deepEqual(await listSlots(client, { weekdays_only: 'false' }), ['09:00', '11:00']);
  });

  it('returns slots for a workspace without a calendar', async () => {
    const { client } = await parley.buildOrg();
    const starts = await listSlots(client, { slot_minutes: '120', weekdays_only: 'true' });
    assert.deepEqual(starts, ['09:00', '11:00', '13:00', '15:00']);
    assert.equal((await client.get('/api/calendar/connection')).status, 404);
  });

  it('refuses callers who may not save settings, and settings that could not be saved', async () => {
    const { client, orgId } = await buildBookable(parley);
    const member = await parley.buildOrg({ orgId, role: 'member' });
    const refused = await member.client.get('/api/bookings/slots?slot_minutes=60');
    assert.equal(formatOutcome(refused), '403 forbidden');
    const faults = [];
    for (const query of ['business_open_hour=17', 'business_timezone=Mars', 'slot_minutes=4'])
      faults.push(Object.keys(readFieldErrors(await client.get(`/api/bookings/slots?${query}`))));
    assert.deepEqual(faults, [['business_open_hour'], ['business_timezone'], ['slot_minutes']]);
    const calendars = await client.get('/api/bookings/slots?booking_calendar_id=own');
    assert.deepEqual(readFieldErrors(calendars), {
      booking_calendar_id: 'must be a writable calendar of the account',
    });
    assert.deepEqual(readFieldErrors(await client.get('/api/bookings/slots?calendar_ids=team')), {
      calendar_ids: 'must be calendars of the account, one per line',
    });
  });
});
