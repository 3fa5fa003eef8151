import assert from 'node:assert/strict';
import { accessMailsTo } from '../../support/access-mails.ts';
import { sharedParley, type SharedParley } from '../../support/parley.ts';

describe('calendars', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await sharedParley();
  });

  /** Where a browser is sent on to. */
  async function visit(url: string, cookie = ''): Promise<string> {
    const path = url.replace(parley.runtime.settings.baseUrl, parley.baseUrl);
    const response = await fetch(path, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    assert.equal(response.status, 302, await response.text());
    return response.headers.get('location')!;
  }

  describe('connectCalendar', () => {
    it('connects one without a provider by way of its callback, once', async () => {
      const { client, userId } = await parley.buildOrg();
      const { body } = await client.post('/api/calendar/local/connect');
      assert.equal(body.provider, 'local');
      assert.equal(await visit(body.authorization_url), '/console#/bookings/calendar?result=connected');
      const { provider, health } = (await client.get('/api/calendar/connection')).body;
      assert.deepEqual({ provider, health }, { provider: 'local', health: 'healthy' });
      // Nothing leaves Parley by it.
      assert.deepEqual(await accessMailsTo(parley, userId), []);
    });

    it('refuses a provider that is not set up, or is none', async () => {
      const { client } = await parley.buildOrg();
      for (const provider of ['google', 'outlook'])
        assert.equal((await client.post(`/api/calendar/${provider}/connect`)).status, 404);
    });
  });

  describe('calendarCallback', () => {
    it('takes an attempt once', async () => {
      const { client } = await parley.buildOrg();
      const { body } = await client.post('/api/calendar/local/connect');
      await visit(body.authorization_url);
      assert.equal(await visit(body.authorization_url), '/console#/bookings/calendar?result=refused');
    });
  });

  describe('listCalendars', () => {
    it('returns none of a workspace that has bookings alone, and 404 without a connection', async () => {
      const { client } = await parley.buildOrg();
      assert.equal((await client.get('/api/calendar/calendars')).status, 404);
      await client.patch('/api/calendar/settings', {});
      assert.deepEqual((await client.get('/api/calendar/calendars')).body, []);
    });
  });

  describe('disconnectCalendar', () => {
    it('hides the connection at once, and another one can be made', async () => {
      const { client } = await parley.buildOrg();
      assert.equal((await client.delete('/api/calendar/connection')).status, 404);
      await client.patch('/api/calendar/settings', { slot_minutes: 45 });
      assert.equal((await client.delete('/api/calendar/connection')).status, 200);
      assert.equal((await client.get('/api/calendar/connection')).status, 404);
      await client.patch('/api/calendar/settings', {});
      assert.equal((await client.get('/api/calendar/connection')).body.slot_minutes, 30);
    });
  });
});
