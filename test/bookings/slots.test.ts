import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildBookable, readFieldErrors, openCalendar, SetClock, listLocalStarts } from './support.ts';

const DAILY = { weekdays_only: false, slot_minutes: 60 };

describe('listBookingSlots', () => {
  const clock = new SetClock('2026-03-01T00:00:00.000Z');
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ bookingHorizonDays: 366 }, { clock });
  });
  after(() => parley.stop());
  afterEach(() => void (clock.at = '2026-03-01T00:00:00.000Z'));

  /** Returns the bookable slots of a local day in a calendar with these settings. */
  async function listSlotsOfDay(timezone: string, date: string, settings: object = {}): Promise<string[]> {
    const { client } = await buildBookable(parley, { ...DAILY, timezone, ...settings });
    const noon = Date.parse(`${date}T12:00:00Z`);
    const range = { from: new Date(noon - 40 * 3_600_000), to: new Date(noon + 40 * 3_600_000) };
    const starts = await listLocalStarts(client, {
      from: range.from.toISOString(),
      to: range.to.toISOString(),
    });
    return starts.filter((start) => start.startsWith(date)).map((start) => start.slice(11));
  }

  it('returns 23, 25, 47 or 49 slots on days with a clock change', async () => {
    const around = { business_open_hour: 0, business_close_hour: 24 };
    const counts = {
      'Berlin, back': (await listSlotsOfDay('Europe/Berlin', '2026-10-25', around)).length,
      'Berlin, ahead': (await listSlotsOfDay('Europe/Berlin', '2026-03-29', around)).length,
      'Lord Howe, back by half an hour': (
        await listSlotsOfDay('Australia/Lord_Howe', '2026-04-05', { ...around, slot_minutes: 30 })
      ).length,
      'Lord Howe, ahead': (
        await listSlotsOfDay('Australia/Lord_Howe', '2026-10-04', { ...around, slot_minutes: 30 })
      ).length,
    };
    assert.deepEqual(counts, {
      'Berlin, back': 25,
      'Berlin, ahead': 23,
      'Lord Howe, back by half an hour': 49,
      'Lord Howe, ahead': 47,
    });
  });

  it('begins after the gap if clocks skip the opening hour', async () => {
    const hours = { business_open_hour: 2, business_close_hour: 5 };
    assert.deepEqual(await listSlotsOfDay('Europe/Berlin', '2026-03-29', hours), [
      '03:00:00+02:00',
      '04:00:00+02:00',
    ]);
    const midnight = { business_open_hour: 0, business_close_hour: 3 };
    assert.deepEqual(await listSlotsOfDay('Africa/Cairo', '2026-04-24', midnight), [
      '01:00:00+03:00',
      '02:00:00+03:00',
    ]);
  });

  it('begins with the first of two repeated hours, and ends with the second', async () => {
    assert.deepEqual(
      await listSlotsOfDay('Europe/Berlin', '2026-10-25', { business_open_hour: 2, business_close_hour: 3 }),
      ['02:00:00+02:00', '02:00:00+01:00'],
    );
    assert.deepEqual(
      await listSlotsOfDay('Europe/Berlin', '2026-10-25', { business_open_hour: 1, business_close_hour: 2 }),
      ['01:00:00+02:00', '02:00:00+02:00'],
    );
  });

  it('returns both midnights of a day on which clocks repeat the first hour', async () => {
    const around = { business_open_hour: 0, business_close_hour: 24 };
    assert.equal((await listSlotsOfDay('America/Havana', '2026-10-31', around)).length, 24);
    const day = await listSlotsOfDay('America/Havana', '2026-11-01', around);
    assert.deepEqual([day.length, day[0], day[1]], [25, '00:00:00-04:00', '00:00:00-05:00']);
  });

  it('leaves one buffer between meetings, and offers no slot that ends after closing time', async () => {
    const hours = { business_open_hour: 9, business_close_hour: 12, slot_minutes: 45, buffer_minutes: 15 };
    assert.deepEqual(await listSlotsOfDay('UTC', '2026-03-02', hours), [
      '09:00:00+00:00',
      '10:00:00+00:00',
      '11:00:00+00:00',
    ]);
    const { client } = await buildBookable(parley, { ...DAILY, ...hours });
    const book = (start: string) => client.post('/api/bookings', { start, summary: 'Viewing' });
    assert.equal(formatOutcome(await book('2026-03-02T10:00:00Z')), '201');
    const range = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
    assert.deepEqual(await listLocalStarts(client, range), [
      '2026-03-02T09:00:00+00:00',
      '2026-03-02T11:00:00+00:00',
    ]);
    assert.equal(formatOutcome(await book('2026-03-02T11:00:00Z')), '201');
    assert.equal(formatOutcome(await book('2026-03-02T09:00:00Z')), '201');
    assert.deepEqual(await listLocalStarts(client, range), []);
  });

  it('excludes weekends in the calendar’s time zone', async () => {
    const weekdays = { weekdays_only: true, business_open_hour: 8, business_close_hour: 9 };
    const { client } = await buildBookable(parley, {
      ...DAILY,
      ...weekdays,
      timezone: 'Pacific/Kiritimati',
    });
    const starts = await listLocalStarts(client, {
      from: '2026-03-05T00:00:00Z',
      to: '2026-03-11T00:00:00Z',
    });
    // Monday at 8:00 in Kiritimati is Sunday at 18:00 in UTC.
    assert.deepEqual(starts, [
      '2026-03-06T08:00:00+14:00',
      '2026-03-09T08:00:00+14:00',
      '2026-03-10T08:00:00+14:00',
      '2026-03-11T08:00:00+14:00',
    ]);
  });

  it('returns slots within the half-open range, with local times in the requested zone', async () => {
    const { client } = await buildBookable(parley, { ...DAILY, timezone: 'Europe/Berlin' });
    const range = {
      from: '2026-03-29T08:00:00Z',
      to: '2026-03-29T10:00:00Z',
      timezone: 'Australia/Lord_Howe',
    };
    const { body } = await client.get(`/api/bookings/slots?${new URLSearchParams(range).toString()}`);
    assert.deepEqual(body, [
      {
        start: '2026-03-29T08:00:00.000Z',
        end: '2026-03-29T09:00:00.000Z',
        local_start: '2026-03-29T19:00:00+11:00',
      },
      {
        start: '2026-03-29T09:00:00.000Z',
        end: '2026-03-29T10:00:00.000Z',
        local_start: '2026-03-29T20:00:00+11:00',
      },
    ]);
  });

  it('returns local times on both sides of a clock change', async () => {
    const hours = { business_open_hour: 0, business_close_hour: 24 };
    const { client } = await buildBookable(parley, { ...DAILY, ...hours, slot_minutes: 30 });
    const range = { from: '2026-10-25T00:30:00Z', to: '2026-10-25T01:30:00Z', timezone: 'Europe/Berlin' };
    assert.deepEqual(await listLocalStarts(client, range), [
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T02:00:00+01:00',
    ]);
  });

  it('accepts ranges of up to 31 days and an hour, and names invalid fields', async () => {
    const { client } = await buildBookable(parley);
    const findQueryErrors = async (query: Record<string, string>) =>
      readFieldErrors(await client.get(`/api/bookings/slots?${new URLSearchParams(query).toString()}`));
    const from = '2026-10-01T00:00:00+02:00';
    assert.deepEqual(await findQueryErrors({ from, to: '2026-11-01T00:00:00+01:00' }), {});
    assert.deepEqual(await findQueryErrors({ from, to: '2026-11-01T00:00:00.001+01:00' }), {
      to: 'must be at most 31 days and an hour after `from`',
    });
    assert.deepEqual(await findQueryErrors({ from, to: from }), { to: 'must be later than `from`' });
    assert.deepEqual(await findQueryErrors({ to: '2020-01-01T00:00:00Z' }), {
      to: 'must be later than now, because `from` is omitted',
    });
    for (const timezone of ['Mars/Olympus', '+02:00', ' '])
      assert.deepEqual(await findQueryErrors({ timezone }), {
        timezone: 'must be a time zone such as Europe/Lisbon',
      });
    assert.deepEqual(Object.keys(await findQueryErrors({ timezone: 'x'.repeat(65) })), ['timezone']);
  });

  it('starts now by default, and ends at the booking horizon', async () => {
    const { client } = await buildBookable(parley, { ...DAILY, business_close_hour: 11 });
    clock.at = '2026-03-02T09:00:00.001Z';
    const week = await listLocalStarts(client, {});
    assert.deepEqual(
      [week[0], week.at(-1), week.length],
      ['2026-03-02T10:00:00+00:00', '2026-03-09T09:00:00+00:00', 14],
    );
    clock.at = '2026-03-02T09:00:00.000Z';
    const last = await listLocalStarts(client, { from: '2027-03-02T00:00:00Z', to: '2027-03-05T00:00:00Z' });
    assert.deepEqual(last, [
      '2027-03-02T09:00:00+00:00',
      '2027-03-02T10:00:00+00:00',
      '2027-03-03T09:00:00+00:00',
    ]);
    assert.deepEqual(
      await listLocalStarts(client, { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }),
      [],
    );
    assert.deepEqual(
      await listLocalStarts(client, { from: '9999-12-01T00:00:00Z', to: '9999-12-02T00:00:00Z' }),
      [],
    );
  });

  it('returns 409 without a calendar, while bookings are paused, and if the calendar must be reconnected', async () => {
    const org = await parley.buildOrg();
    const callSlots = async () => formatOutcome(await org.client.get('/api/bookings/slots'));
    assert.equal(await callSlots(), '409 conflict');
    await openCalendar(org.client, { is_active: false });
    assert.equal(await callSlots(), '409 conflict');
    await openCalendar(org.client, { is_active: true });
    assert.equal(await callSlots(), '200');
    await parley.database.sql(
      "UPDATE calendar_connections SET health = 'reconnect_needed' WHERE org_id = $1",
      [org.orgId],
    );
    assert.equal(await callSlots(), '409 conflict');
  });

  itInSoak('offers exactly the slots that createBooking accepts', async () => {
    const settings = { ...DAILY, timezone: 'Europe/Berlin', slot_minutes: 40, buffer_minutes: 5 };
    const { client } = await buildBookable(parley, {
      ...settings,
      business_open_hour: 1,
      business_close_hour: 5,
    });
    const range = { from: '2026-03-28T22:00:00Z', to: '2026-03-29T06:00:00Z' };
    const offered = await listLocalStarts(client, { ...range, timezone: 'UTC' });
    const accepted: string[] = [];
    for (let at = Date.parse(range.from); at < Date.parse(range.to); at += 5 * 60_000) {
      const start = new Date(at).toISOString();
      const { status } = await client.post('/api/bookings', { start, summary: 'Viewing' });
      if (status === 201) accepted.push(start.replace('.000Z', '+00:00'));
    }
    assert.deepEqual(accepted, offered);
    assert.deepEqual(offered.length, 4);
  });
});
