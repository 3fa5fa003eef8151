import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildBookable, buildBookableBot, readFieldErrors, SetClock } from './support.ts';

const TYPED = 'aMERICA/pORT-AU-pRINCE';
const WRITTEN = 'America/Port-au-Prince';
const PERIODS = [{ days: ['monday'], opens: '09:00', closes: '17:00' }];
const MEETING = { summary: 'Viewing', attendee_email: 'rui@example.com' };

describe('names of time zones:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { clock: new SetClock('2026-11-23T08:00:00.000Z') });
  });
  after(() => parley.stop());

  it('updateCalendarSettings, createBooking and getBooking return a time zone in IANA’s spelling', async () => {
    const { client } = await buildBookable(parley, { timezone: TYPED });
    assert.equal((await client.get('/api/calendar/connection')).body.timezone, WRITTEN);
    const query = `timezone=${TYPED}` as const;
    const { body: slots } = await client.get(`/api/bookings/slots?${query}&business_timezone=${TYPED}`);
    const { body, status } = await client.post(`/api/bookings?${query}`, {
      ...MEETING,
      start: slots[0]!.start,
    });
    assert.equal(status, 201, JSON.stringify(body));
    const { body: read } = await client.get(`/api/bookings/${body.id}`);
    for (const each of [body, read])
      assert.deepEqual([each.timezone, each.attendee_timezone], [WRITTEN, WRITTEN]);
  });

  it('createWidgetBooking returns a time zone in IANA’s spelling', async () => {
    const { visit } = await buildBookableBot(parley);
    const { book } = await visit();
    const start = '2026-11-24T10:00:00Z';
    const { body } = await book({ ...MEETING, start }, {}, `?timezone=${TYPED}`);
    assert.deepEqual([body.timezone, body.attendee_timezone], ['UTC', WRITTEN]);
  });

  it('saveAlertPolicy, updateOrg and updateBot return a time zone in IANA’s spelling', async () => {
    const org = await parley.buildOrg();
    const { client: session } = await parley.signIn(org);
    const policy = { channel: 'telegram', destination: '4711', timezone: TYPED };
    assert.equal((await org.client.put('/api/alerts', policy)).body.timezone, WRITTEN);
    const { body } = await session.patch(`/api/orgs/${org.orgId}`, {
      settings: { default_language: 'pt', time_zone: TYPED },
    });
    assert.deepEqual(body.settings, { default_language: 'pt', time_zone: WRITTEN });
    const { body: bot } = await org.client.post('/api/bots', {
      name: 'Guide',
      handoff_config: { hours: { timezone: TYPED, periods: PERIODS }, waiting_message: 'Soon' },
    });
    const config = { hours: { timezone: WRITTEN, periods: PERIODS }, waiting_message: 'Soon' };
    assert.deepEqual(bot.handoff_config?.hours, config.hours);
    const { body: changed } = await org.client.patch(`/api/bots/${bot.id}`, {
      handoff_config: { ...config, hours: null },
    });
    assert.equal(changed.handoff_config?.hours, null);
    const refused = await session.patch(`/api/orgs/${org.orgId}`, { settings: { time_zone: '+01:00' } });
    assert.deepEqual(readFieldErrors(refused), {
      'settings.time_zone': 'must be a time zone such as Europe/Lisbon',
    });
  });
});
