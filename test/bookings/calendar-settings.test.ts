import assert from 'node:assert/strict';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { readFieldErrors } from './support.ts';

const DEFAULTS = {
  provider: 'local',
  account_email: null,
  health: 'healthy',
  last_error: null,
  last_synced_at: null,
  booking_calendar_id: null,
  buffer_minutes: 0,
  business_close_hour: 17,
  business_open_hour: 9,
  calendar_ids: [],
  is_active: true,
  slot_minutes: 30,
  timezone: 'UTC',
  weekdays_only: true,
  all_day_events_block: true,
  unanswered_invitations_block: true,
};

describe('a workspace’s calendar:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  describe('getCalendarConnection', () => {
    it('returns 404 until a calendar exists', async () => {
      const { client } = await parley.buildOrg();
      assert.equal(formatOutcome(await client.get('/api/calendar/connection')), '404 not_found');
      const { body } = await client.patch('/api/calendar/settings', {});
      assert.deepEqual((await client.get('/api/calendar/connection')).body, body);
    });
  });

  describe('updateCalendarSettings', () => {
    it('creates a calendar without a provider, with default settings', async () => {
      const { client } = await parley.buildOrg();
      const { status, body } = await client.patch('/api/calendar/settings', {});
      const { id, connected_at, ...others } = body;
      assert.equal(status, 200);
      assert.deepEqual(others, DEFAULTS);
      const again = await client.patch('/api/calendar/settings', {});
      assert.deepEqual(again.body, body);
    });

    it('creates one connection for simultaneous calls', async () => {
      const { client, orgId } = await parley.buildOrg();
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => client.patch('/api/calendar/settings', { slot_minutes: 15 })),
      );
      assert.deepEqual([...new Set(responses.map(formatOutcome))], ['200']);
      assert.equal(await parley.database.repository(CalendarConnection).countBy({ orgId }), 1);
    });

    it('applies the keys that are present, and restores the default for null', async () => {
      const { client } = await parley.buildOrg();
      const update = async (changes: object) => {
        const { status, body } = await client.patch('/api/calendar/settings', changes);
        assert.equal(status, 200, JSON.stringify(body));
        const { id, connected_at, ...others } = body;
        return others;
      };
      const given = {
        slot_minutes: 45,
        timezone: 'Europe/Berlin',
        weekdays_only: false,
        buffer_minutes: 240,
      };
      assert.deepEqual(await update(given), { ...DEFAULTS, ...given });
      assert.deepEqual(await update({ slot_minutes: null, is_active: false }), {
        ...DEFAULTS,
        ...given,
        slot_minutes: 30,
        is_active: false,
        health: 'paused',
      });
      const all = [...Object.keys(given), 'is_active'].map((key) => [key, null]);
      assert.deepEqual(await update(Object.fromEntries(all)), DEFAULTS);
    });

    it('refuses opening hours that are invalid together with the saved opening hours', async () => {
      const { client } = await parley.buildOrg();
      const findHourErrors = async (changes: object) =>
        readFieldErrors(await client.patch('/api/calendar/settings', changes));
      const hoursError = (opens: number, closes: number) =>
        `must leave time for meetings; the opening hour is ${opens}, and the closing hour is ${closes}`;
      assert.deepEqual(await findHourErrors({ business_open_hour: 17 }), {
        business_open_hour: hoursError(17, 17),
      });
      assert.deepEqual(await findHourErrors({ business_close_hour: 9 }), {
        business_close_hour: hoursError(9, 9),
      });
      assert.deepEqual(await findHourErrors({ business_open_hour: 20, business_close_hour: 24 }), {});
      assert.deepEqual(await findHourErrors({ business_close_hour: null }), {
        business_close_hour: hoursError(20, 17),
      });
      assert.deepEqual(await findHourErrors({ business_open_hour: null, business_close_hour: null }), {});
    });

    it('refuses meetings longer than a day’s opening hours, and says what to change', async () => {
      const { client } = await parley.buildOrg();
      const findLengthErrors = async (changes: object) =>
        readFieldErrors(await client.patch('/api/calendar/settings', changes));
      const hours = 'the 60 minutes from 9 to 10';
      const tooLong = {
        slot_minutes: `must be shorter: a meeting of 61 minutes does not fit into ${hours}; shorten the meeting, or open for longer`,
      };
      const tooFew = `must leave time for a meeting of 90 minutes, which does not fit into ${hours}; open for longer, or make meetings shorter (slot_minutes)`;
      assert.deepEqual(await findLengthErrors({ slot_minutes: 61, business_close_hour: 10 }), tooLong);
      assert.equal(formatOutcome(await client.get('/api/calendar/connection')), '404 not_found');
      assert.deepEqual(await findLengthErrors({ slot_minutes: 60, business_close_hour: 10 }), {});
      assert.deepEqual(await findLengthErrors({ slot_minutes: 61 }), tooLong);
      assert.deepEqual(await findLengthErrors({ slot_minutes: 90, business_close_hour: 11 }), {});
      assert.deepEqual(await findLengthErrors({ business_close_hour: 10 }), { business_close_hour: tooFew });
      assert.deepEqual(await findLengthErrors({ business_open_hour: 10 }), {
        business_open_hour: tooFew.replace('9 to 10', '10 to 11'),
      });
      const preview = await client.get('/api/bookings/slots?slot_minutes=480');
      assert.deepEqual(Object.keys(readFieldErrors(preview)), ['slot_minutes']);
      const { body } = await client.get('/api/calendar/connection');
      assert.deepEqual([body.slot_minutes, body.business_close_hour], [90, 11]);
    });

    it('refuses an unknown time zone, and calendars that the account does not have', async () => {
      const { client } = await parley.buildOrg();
      const findSettingErrors = async (changes: object) =>
        readFieldErrors(await client.patch('/api/calendar/settings', changes));
      assert.deepEqual(await findSettingErrors({ timezone: 'Mars/Olympus' }), {
        timezone: 'must be a time zone such as Europe/Lisbon',
      });
      assert.deepEqual(await findSettingErrors({ booking_calendar_id: 'primary' }), {
        booking_calendar_id: 'must be a writable calendar of the account',
      });
      assert.deepEqual(await findSettingErrors({ calendar_ids: ['primary'] }), {
        'calendar_ids[0]': 'must be a calendar of the account',
      });
      assert.equal(formatOutcome(await client.get('/api/calendar/connection')), '404 not_found');
      assert.deepEqual(await findSettingErrors({ booking_calendar_id: null, calendar_ids: null }), {});
      assert.deepEqual(await findSettingErrors({ calendar_ids: [] }), {});
    });
  });
});
