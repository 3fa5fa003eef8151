import assert from 'node:assert/strict';
import { readAccessMails } from '../../support/access-mails.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';

describe('calendars:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /** Returns the URL to which a request of a URL is redirected. */
  async function findRedirect(url: string, cookie = ''): Promise<string> {
    const path = url.replace(parley.runtime.settings.baseUrl, parley.baseUrl);
    const response = await fetch(path, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    assert.equal(response.status, 302, await response.text());
    return response.headers.get('location')!;
  }

  describe('connectCalendar', () => {
    it('connects a calendar without a provider once its callback is opened, and only once', async () => {
      const { client, userId } = await parley.buildOrg();
      const { body } = await client.post('/api/calendar/local/connect');
      assert.equal(body.provider, 'local');
      assert.equal(
        await findRedirect(body.authorization_url),
        '/console#/bookings/calendar?result=connected',
      );
      const { provider, health } = (await client.get('/api/calendar/connection')).body;
      assert.deepEqual({ provider, health }, { provider: 'local', health: 'healthy' });
      // No owner gets an email about access: a calendar without a provider sends no data out of Parley.
      assert.deepEqual(await readAccessMails(parley, userId), []);
    });

    it('refuses an unknown provider and a provider that is not configured', async () => {
      const { client } = await parley.buildOrg();
      for (const provider of ['google', 'outlook'])
        assert.equal((await client.post(`/api/calendar/${provider}/connect`)).status, 404);
    });
  });

  describe('calendarCallback', () => {
    it('accepts each attempt to connect only once', async () => {
      const { client } = await parley.buildOrg();
      const { body } = await client.post('/api/calendar/local/connect');
      await findRedirect(body.authorization_url);
      assert.equal(await findRedirect(body.authorization_url), '/console#/bookings/calendar?result=refused');
    });

    it('refuses an attempt of a session after revokeOtherSessions in another session', async () => {
      const org = await parley.buildOrg();
      const stolen = await parley.signIn(org);
      const { body, headers } = await stolen.client.post('/api/calendar/local/connect');
      const cookie = headers.get('set-cookie')!.split(';')[0]!;
      const { client } = await parley.signIn(org);
      assert.equal((await client.post('/api/auth/sessions/revoke-others')).status, 200);
      const location = await findRedirect(body.authorization_url, cookie);
      assert.equal(location, '/console#/bookings/calendar?result=refused');
      assert.equal((await org.client.get('/api/calendar/connection')).status, 404);
    });
  });

  describe('listCalendars', () => {
    it('returns an empty list without a provider, and 404 without a connection', async () => {
      const { client } = await parley.buildOrg();
      assert.equal((await client.get('/api/calendar/calendars')).status, 404);
      await client.patch('/api/calendar/settings', {});
      assert.deepEqual((await client.get('/api/calendar/calendars')).body, []);
    });
  });

  describe('disconnectCalendar', () => {
    it('hides the connection at once, after which another connection can be created', async () => {
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
