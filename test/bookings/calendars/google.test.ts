import assert from 'node:assert/strict';
import { itInSoak } from '../../support/it-in-soak.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { readAccessMails } from '../../support/access-mails.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { readFieldErrors } from '../support.ts';
import {
  ALL_DAY,
  at,
  beginConnecting,
  buildOwner,
  connectGoogle,
  parseConnectResult,
  listSlotHours,
  visit,
  type CalendarOwner,
} from './calendar-scene.ts';

const ACCOUNT = 'ada@example.com';

describe('Google calendars:', () => {
  let google: GoogleCalendarFake;
  let parley: TestParley;
  beforeEach(() => google.clearFaults());
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    parley = await startParley({ ...google.env, calendarTimeoutMs: 30000 });
  });
  after(async () => {
    await parley.stop();
    await google.stop();
  });

  async function connectOwner(): Promise<CalendarOwner> {
    const owner = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await owner.client.patch('/api/calendar/settings', ALL_DAY);
    google.calendars.get(ACCOUNT)!.events.clear();
    return owner;
  }

  describe('connectCalendar', () => {
    it('asks Google for offline access to events, busy times and the list of calendars, with PKCE', async () => {
      const { url } = await beginConnecting(await buildOwner(parley), 'google');
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
    it('connects the calendar in the browser that started the attempt, and emails owners', async () => {
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
        (await readAccessMails(parley, owner.userId)).map(({ subject, items, actor, place }) => [
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

    it('refuses another browser, a repeated callback, and denied consent', async () => {
      const owner = await buildOwner(parley);
      const first = await beginConnecting(owner, 'google');
      const { location } = await visit(parley, first.url);
      assert.equal(parseConnectResult((await visit(parley, location)).location), 'browser');
      assert.equal(
        parseConnectResult((await visit(parley, location, { cookie: first.cookie })).location),
        'refused',
      );
      const { url, cookie } = await beginConnecting(owner, 'google');
      const state = new URL(url).searchParams.get('state');
      const denied = `${parley.baseUrl}/api/calendar/google/callback?error=access_denied&state=${state}&said_by=nobody`;
      assert.equal(parseConnectResult((await visit(parley, denied, { cookie })).location), 'refused');
    });

    it('redirects with the result scope if a permission was not granted, and revokes the other permissions', async () => {
      const granted = google.grantedScopes;
      google.grantedScopes = granted.slice(0, 2);
      assert.equal(await connectGoogle(parley, await buildOwner(parley)), 'scope');
      google.grantedScopes = granted;
      assert.equal(google.isRevoked, true);
    });

    it('redirects with the result unavailable if Google does not respond', async () => {
      google.fail(/^\/token$/, { status: 503 });
      assert.equal(await connectGoogle(parley, await buildOwner(parley)), 'unavailable');
    });

    it('asks a signed-in user to confirm if an API key started the attempt', async () => {
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
      assert.equal(parseConnectResult(end), 'connected');
      assert.deepEqual(
        (await readAccessMails(parley, userId)).map(({ actor }) => actor),
        [`the API key “Test key” of Ada Okafor (${userId}@example.com)`],
      );
    });
  });

  describe('listCalendars', () => {
    it('returns the account’s calendars, and 503 with Retry-After while Google is unavailable', async () => {
      const owner = await connectOwner();
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
    const updateSettings = ({ client }: CalendarOwner, changes: object) =>
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

    it('makes listBookingSlots exclude the busy times of all chosen calendars, and return 503 if a calendar cannot be read', async () => {
      const owner = await connectOwner();
      google.putEvent(ACCOUNT, { id: 'own', ...eventAt(9) });
      google.putEvent('team', { id: 'standup', ...eventAt(10) });
      google.putEvent('holidays', { id: 'lunch', ...eventAt(12) });
      assert.deepEqual(await listSlotHours(owner, 3), ['10:00', '11:00', '12:00']);
      const { status } = await updateSettings(owner, { calendar_ids: ['team', 'holidays'] });
      assert.equal(status, 200);
      assert.deepEqual(await listSlotHours(owner, 3), ['11:00']);
      google.busyErrors.set('team', 'internalError');
      const cutOff = await buildOwner(parley);
      assert.equal(await connectGoogle(parley, cutOff), 'connected');
      await updateSettings(cutOff, { ...ALL_DAY, calendar_ids: ['team'] });
      assert.equal((await cutOff.client.get('/api/bookings/slots')).status, 503);
      google.busyErrors.clear();
    });

    it('refuses calendars that are read-only or not the account’s', async () => {
      const owner = await connectOwner();
      assert.deepEqual(readFieldErrors(await updateSettings(owner, { booking_calendar_id: 'holidays' })), {
        booking_calendar_id: 'must be a writable calendar of the account',
      });
      assert.deepEqual(readFieldErrors(await updateSettings(owner, { calendar_ids: ['team', 'none'] })), {
        'calendar_ids[1]': 'must be a calendar of the account',
      });
      const { body } = await updateSettings(owner, { booking_calendar_id: 'team' });
      assert.deepEqual([body.booking_calendar_id, body.calendar_ids], ['team', ['team']]);
    });

    it('returns 503 while Google is unavailable, and 409 once the access is revoked', async () => {
      const owner = await connectOwner();
      google.fail(/calendarList/, { status: 503 });
      assert.equal(formatOutcome(await updateSettings(owner, { calendar_ids: ['team'] })), '503 not_ready');
      google.clearFaults();
      google.revokeAccess();
      for (let turn = 0; turn < 2; turn += 1)
        assert.equal(formatOutcome(await updateSettings(owner, { calendar_ids: ['team'] })), '409 conflict');
      assert.equal((await updateSettings(owner, { slot_minutes: 30 })).status, 200);
    });
  });

  describe('busy times', () => {
    it('exclude slots', async () => {
      const owner = await connectOwner();
      google.putEvent(ACCOUNT, {
        id: 'dentist',
        start: { dateTime: at(3, 10).toISOString() },
        end: { dateTime: at(3, 11).toISOString() },
      });
      assert.deepEqual(await listSlotHours(owner, 3), ['09:00', '11:00', '12:00']);
    });

    itInSoak('of an all-day event last from midnight to midnight in the calendar’s time zone', async () => {
      const owner = await connectOwner();
      google.addCalendar('auckland', { timeZone: 'Pacific/Auckland' });
      const dateIn = (days: number) => at(days, 0).toISOString().slice(0, 10);
      google.putEvent('auckland', { id: 'fair', start: { date: dateIn(4) }, end: { date: dateIn(5) } });
      await owner.client.patch('/api/calendar/settings', { booking_calendar_id: 'auckland' });
      // The day in Auckland ends at 11:00 or 12:00 UTC, depending on daylight saving time.
      assert.ok(!(await listSlotHours(owner, 4)).includes('10:00'));
      assert.ok((await listSlotHours(owner, 4)).includes('12:00'));
      google.calendars.delete('auckland');
    });

    it('that cannot be read make listBookingSlots return 503 with Retry-After', async () => {
      const owner = await connectOwner();
      google.busyErrors.set(ACCOUNT, 'internalError');
      const { status, headers } = await owner.client.get('/api/bookings/slots');
      google.busyErrors.clear();
      assert.deepEqual([status, headers.get('retry-after')], [503, '30']);
    });

    itInSoak(
      'come from the last read while Google hangs, and createBooking succeeds before the timeout',
      async () => {
        const owner = await connectOwner();
        await listSlotHours(owner, 3);
        google.fail(/freeBusy/, 'hang');
        const began = performance.now();
        const { status } = await owner.client.post('/api/bookings', {
          start: at(3, 9).toISOString(),
          summary: 'Viewing',
        });
        assert.equal(status, 201);
        assert.ok(performance.now() - began < 20_000);
      },
    );

    itInSoak('of more than fifty calendars are read in as few calls as possible', async () => {
      const owner = await connectOwner();
      const ids = Array.from({ length: 50 }, (_, index) => `team-${index}`);
      for (const id of ids) google.addCalendar(id);
      assert.equal((await owner.client.patch('/api/calendar/settings', { calendar_ids: ids })).status, 200);
      const before = google.count(/freeBusy/);
      await listSlotHours(owner, 3);
      assert.equal(google.count(/freeBusy/) - before, 2);
      for (const id of ids) google.calendars.delete(id);
    });
  });

  describe('access to Google', () => {
    itInSoak('is renewed by only one of two processes, and the requests of both succeed', async () => {
      const owner = await connectOwner();
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

    it('that was revoked needs a new connection, and admins are emailed once', async () => {
      const owner = await connectOwner();
      google.revokeAccess();
      for (let turn = 0; turn < 2; turn += 1)
        assert.equal((await owner.client.get('/api/calendar/calendars')).status, 409);
      const { body } = await owner.client.get('/api/calendar/connection');
      assert.equal(body.health, 'reconnect_needed');
      assert.match(body.last_error!, /Testing/);
      const expectedMail = { orgId: owner.orgId, template: 'calendar_failing' };
      assert.equal(await parley.database.repository(MailRow).countBy(expectedMail), 1);
      assert.equal((await owner.client.get('/api/bookings/slots')).status, 409);
      const changed = await owner.client.patch('/api/calendar/settings', { calendar_ids: ['work'] });
      assert.equal(formatOutcome(changed), '409 conflict');
      assert.equal(await connectGoogle(parley, owner), 'connected');
      const again = (await owner.client.get('/api/calendar/connection')).body;
      assert.deepEqual([again.health, again.slot_minutes], ['healthy', 60]);
    });
  });
});
