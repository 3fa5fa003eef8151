import assert from 'node:assert/strict';
import { outcomeOf } from '../../support/outcome.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { accessMailsTo } from '../../support/access-mails.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { faultsOf } from '../support.ts';
import {
  ALL_DAY,
  at,
  begin,
  buildOwner,
  connectGoogle,
  resultOf,
  slotsOf,
  visit,
  type CalendarOwner,
} from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';

describe('Google calendars', () => {
  let google: GoogleCalendarFake;
  let parley: TestParley;
  beforeEach(() => google.heal());
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    parley = await startParley({ ...google.env, calendarTimeoutMs: 30000 });
  });
  after(async () => {
    await parley.stop();
    await google.stop();
  });

  async function connected(): Promise<CalendarOwner> {
    const owner = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await owner.client.patch('/api/calendar/settings', ALL_DAY);
    google.calendars.get(ACCOUNT)!.events.clear();
    return owner;
  }

  describe('connectCalendar', () => {
    it('asks Google with PKCE, for lasting access to events, busy times and the list of calendars', async () => {
      const { url } = await begin(await buildOwner(parley), 'google');
      const {
        code_challenge: challenge,
        state,
        redirect_uri: redirectUri,
        scope,
        ...asked
      } = Object.fromEntries(new URL(url).searchParams);
      assert.match(challenge!, /^[\w-]{43}$/);
      assert.match(state!, /^[\w-]{43}$/);
      assert.equal(redirectUri, `${parley.runtime.settings.baseUrl}/api/calendar/google/callback`);
      assert.deepEqual(
        scope!.split(' ').map((each) => each.split('/').at(-1)),
        ['calendar.events', 'calendar.freebusy', 'calendar.calendarlist.readonly'],
      );
      const { client_id: _client, ...rest } = asked;
      assert.deepEqual(rest, {
        response_type: 'code',
        code_challenge_method: 'S256',
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'false',
      });
    });
  });

  describe('calendarCallback', () => {
    it('connects what was agreed to in the browser that began it', async () => {
      const owner = await buildOwner(parley);
      assert.equal(await connectGoogle(parley, owner), 'connected');
      const { body } = await owner.client.get('/api/calendar/connection');
      const { provider, account_email, health, timezone, booking_calendar_id: id } = body;
      assert.deepEqual(
        { provider, account_email, health, timezone, id },
        {
          provider: 'google',
          account_email: ACCOUNT,
          health: 'healthy',
          timezone: 'Europe/Berlin',
          id: ACCOUNT,
        },
      );
      assert.deepEqual(
        (await accessMailsTo(parley, owner.userId)).map(({ subject, items, actor, place }) => [
          subject,
          items,
          actor,
          place,
        ]),
        [
          [
            'A calendar was connected in Acme',
            `Meetings are written to ${ACCOUNT} (google).`,
            `Ada Okafor (${owner.userId}@example.com)`,
            '127.0.0.1, an unknown device',
          ],
        ],
      );
    });

    it('refuses another browser, a second time, and somebody who does not agree', async () => {
      const owner = await buildOwner(parley);
      const first = await begin(owner, 'google');
      const { location } = await visit(parley, first.url);
      assert.equal(resultOf((await visit(parley, location)).location), 'browser');
      assert.equal(resultOf((await visit(parley, location, { cookie: first.cookie })).location), 'refused');
      const { url, cookie } = await begin(owner, 'google');
      const state = new URL(url).searchParams.get('state');
      const denied = `${parley.baseUrl}/api/calendar/google/callback?error=access_denied&state=${state}&said_by=nobody`;
      assert.equal(resultOf((await visit(parley, denied, { cookie })).location), 'refused');
    });

    it('says that not all was granted, and gives it back', async () => {
      const granted = google.grantedScopes;
      google.grantedScopes = granted.slice(0, 2);
      assert.equal(await connectGoogle(parley, await buildOwner(parley)), 'scope');
      google.grantedScopes = granted;
      assert.equal(google.isRevoked, true);
    });

    it('says that Google could not be asked', async () => {
      google.fail(/^\/token$/, { status: 503 });
      assert.equal(await connectGoogle(parley, await buildOwner(parley)), 'unavailable');
    });

    it('asks a person first where an API key began it', async () => {
      const { client, userId } = await parley.buildOrg();
      const { body } = await client.post('/api/calendar/google/connect' as '/api/calendar/local/connect');
      const { location } = await visit(parley, body.authorization_url);
      const asked = await visit(parley, location, { 'sec-fetch-mode': 'navigate' });
      assert.match(asked.location, /^\/calendar\/confirm\?/);
      const { text } = await visit(parley, parley.baseUrl + asked.location);
      assert.match(text, /workspace <strong>Acme<\/strong>/);
      const form = new URLSearchParams(asked.location.split('?')[1]);
      const confirmed = await fetch(`${parley.baseUrl}/calendar/confirm`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
      });
      const cookie = confirmed.headers.get('set-cookie')!.split(';')[0]!;
      const headers = { cookie, 'sec-fetch-mode': 'navigate' };
      const { location: end } = await visit(
        parley,
        parley.baseUrl + confirmed.headers.get('location')!,
        headers,
      );
      assert.equal(resultOf(end), 'connected');
      assert.deepEqual(
        (await accessMailsTo(parley, userId)).map(({ actor }) => actor),
        [`the API key “Test key” of Ada Okafor (${userId}@example.com)`],
      );
    });
  });

  describe('listCalendars', () => {
    it('returns those of the account, and says when Google is away', async () => {
      const owner = await connected();
      google.addCalendar('holidays', { summary: 'Holidays', accessRole: 'reader' });
      const { body } = await owner.client.get('/api/calendar/calendars');
      assert.deepEqual(
        body.map(({ id, is_primary, can_write }) => [id, is_primary, can_write]),
        [
          [ACCOUNT, true, true],
          ['holidays', false, false],
        ],
      );
      google.calendars.delete('holidays');
      google.fail(/calendarList/, { status: 429, headers: { 'retry-after': '7' } });
      const { status, headers } = await owner.client.get('/api/calendar/calendars');
      assert.deepEqual([status, headers.get('retry-after')], [503, '7']);
    });
  });

  describe('updateCalendarSettings', () => {
    const update = ({ client }: CalendarOwner, changes: object) =>
      client.patch('/api/calendar/settings', changes);
    const eventAt = (hour: number) => ({
      start: { dateTime: at(3, hour).toISOString() },
      end: { dateTime: at(3, hour + 1).toISOString() },
    });
    before(() => {
      google.addCalendar('team');
      google.addCalendar('holidays', { accessRole: 'reader' });
    });
    after(() => ['team', 'holidays'].forEach((id) => google.calendars.delete(id)));

    it('has all calendars that are chosen keep slots from being offered, and none that cannot be read', async () => {
      const owner = await connected();
      google.putEvent(ACCOUNT, { id: 'own', ...eventAt(9) });
      google.putEvent('team', { id: 'standup', ...eventAt(10) });
      google.putEvent('holidays', { id: 'lunch', ...eventAt(12) });
      assert.deepEqual(await slotsOf(owner, 3), ['10:00', '11:00', '12:00']);
      const { status } = await update(owner, { calendar_ids: ['team', 'holidays'] });
      assert.equal(status, 200);
      assert.deepEqual(await slotsOf(owner, 3), ['11:00']);
      google.busyErrors.set('team', 'internalError');
      const cutOff = await buildOwner(parley);
      assert.equal(await connectGoogle(parley, cutOff), 'connected');
      await update(cutOff, { ...ALL_DAY, calendar_ids: ['team'] });
      assert.equal((await cutOff.client.get('/api/bookings/slots')).status, 503);
      google.busyErrors.clear();
    });

    it('refuses calendars that cannot be written to, or that the account does not have', async () => {
      const owner = await connected();
      assert.deepEqual(faultsOf(await update(owner, { booking_calendar_id: 'holidays' })), {
        booking_calendar_id: 'must be a calendar of the account that can be written to',
      });
      assert.deepEqual(faultsOf(await update(owner, { calendar_ids: ['team', 'none'] })), {
        'calendar_ids[1]': 'must be a calendar of the account',
      });
      const { body } = await update(owner, { booking_calendar_id: 'team' });
      assert.deepEqual([body.booking_calendar_id, body.calendar_ids], ['team', ['team']]);
    });

    it('chooses no calendar while Google is away, or does not accept the access any more', async () => {
      const owner = await connected();
      google.fail(/calendarList/, { status: 503 });
      assert.equal(outcomeOf(await update(owner, { calendar_ids: ['team'] })), '503 not_ready');
      google.heal();
      google.withdraw();
      for (let turn = 0; turn < 2; turn += 1)
        assert.equal(outcomeOf(await update(owner, { calendar_ids: ['team'] })), '409 conflict');
      assert.equal((await update(owner, { slot_minutes: 30 })).status, 200);
    });
  });

  describe('busy times', () => {
    it('keep slots from being offered', async () => {
      const owner = await connected();
      google.putEvent(ACCOUNT, {
        id: 'dentist',
        start: { dateTime: at(3, 10).toISOString() },
        end: { dateTime: at(3, 11).toISOString() },
      });
      assert.deepEqual(await slotsOf(owner, 3), ['09:00', '11:00', '12:00']);
    });

    it('of a whole day are from midnight to midnight of the calendar’s clock', async () => {
      const owner = await connected();
      google.addCalendar('auckland', { timeZone: 'Pacific/Auckland' });
      const dateIn = (days: number) => at(days, 0).toISOString().slice(0, 10);
      google.putEvent('auckland', { id: 'fair', start: { date: dateIn(4) }, end: { date: dateIn(5) } });
      await owner.client.patch('/api/calendar/settings', { booking_calendar_id: 'auckland' });
      // It is over at eleven or at noon (UTC), as the season has it.
      assert.ok(!(await slotsOf(owner, 4)).includes('10:00'));
      assert.ok((await slotsOf(owner, 4)).includes('12:00'));
      google.calendars.delete('auckland');
    });

    it('that cannot be read are no free ones: 503 with Retry-After', async () => {
      const owner = await connected();
      google.busyErrors.set(ACCOUNT, 'internalError');
      const { status, headers } = await owner.client.get('/api/bookings/slots');
      google.busyErrors.clear();
      assert.deepEqual([status, headers.get('retry-after')], [503, '30']);
    });

    it('are those of before while Google hangs, and a booking is made long before it is given up', async () => {
      const owner = await connected();
      await slotsOf(owner, 3);
      google.fail(/freeBusy/, 'hang');
      const began = performance.now();
      const { status } = await owner.client.post('/api/bookings', {
        start: at(3, 9).toISOString(),
        summary: 'Viewing',
      });
      assert.equal(status, 201);
      assert.ok(performance.now() - began < 20_000);
    });

    it('of more than fifty calendars are asked for in as few calls as can be', async () => {
      const owner = await connected();
      const ids = Array.from({ length: 50 }, (_, index) => `team-${index}`);
      for (const id of ids) google.addCalendar(id);
      assert.equal((await owner.client.patch('/api/calendar/settings', { calendar_ids: ids })).status, 200);
      const before = google.count(/freeBusy/);
      await slotsOf(owner, 3);
      assert.equal(google.count(/freeBusy/) - before, 2);
      for (const id of ids) google.calendars.delete(id);
    });
  });

  describe('access', () => {
    it('is renewed by one of two processes, and both go on', async () => {
      const owner = await connected();
      const other = await parley.startAnother();
      google.expireAccess();
      const before = google.count(/^\/token$/);
      const clients = [owner.client, other.client(owner.key)];
      const responses = await Promise.all(clients.map((client) => client.get('/api/calendar/calendars')));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200],
      );
      assert.equal(google.count(/^\/token$/) - before, 1);
    });

    it('that was withdrawn has to be given again, and admins are told once', async () => {
      const owner = await connected();
      google.withdraw();
      for (let turn = 0; turn < 2; turn += 1)
        assert.equal((await owner.client.get('/api/calendar/calendars')).status, 409);
      const { body } = await owner.client.get('/api/calendar/connection');
      assert.equal(body.health, 'reconnect_needed');
      assert.match(body.last_error!, /Testing/);
      const told = { orgId: owner.orgId, template: 'calendar_failing' };
      assert.equal(await parley.database.repository(MailRow).countBy(told), 1);
      assert.equal((await owner.client.get('/api/bookings/slots')).status, 409);
      const changed = await owner.client.patch('/api/calendar/settings', { calendar_ids: ['work'] });
      assert.equal(outcomeOf(changed), '409 conflict');
      assert.equal(await connectGoogle(parley, owner), 'connected');
      const again = (await owner.client.get('/api/calendar/connection')).body;
      assert.deepEqual([again.health, again.slot_minutes], ['healthy', 60]);
    });
  });
});
