import assert from 'node:assert/strict';
import { auth, calendar } from '@googleapis/calendar';
import { buildGoogleError, GOOGLE_CLIENT_ID, GoogleCalendarFake } from '../../support/google-calendar.ts';

const ACCOUNT = 'ada@example.com';
const ID = 'q83vadt4nhi1mnrl5cq0';
const START = '2030-05-06T09:00:00.000Z';
const END = '2030-05-06T10:00:00.000Z';

/** Tests the fake of Google Calendar with Google’s own client. */
describe('the fake of Google Calendar, called by Google’s client,', () => {
  let google: GoogleCalendarFake;
  before(async () => {
    google = await GoogleCalendarFake.start(ACCOUNT);
    google.addCalendar('holidays', { summary: 'Holidays', accessRole: 'reader' });
  });
  after(() => google.stop());

  function client(accessToken = google.issueTokens().accessToken) {
    const signedIn = new auth.OAuth2(GOOGLE_CLIENT_ID);
    signedIn.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_600_000 });
    return calendar({ version: 'v3', rootUrl: `${google.url}/`, auth: signedIn, retry: false });
  }
  const readStatus = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => assert.fail('It was not refused.'),
      ({ response }: { response?: { status?: number } }) => response?.status,
    );
  const requestBody = {
    id: ID,
    summary: 'Viewing',
    start: { dateTime: START, timeZone: 'Europe/Berlin' },
    end: { dateTime: END, timeZone: 'Europe/Berlin' },
    extendedProperties: { private: { parleyWorkspace: 'acme' } },
  };

  it('lists calendars, the account’s own first', async () => {
    const { items = [] } = (await client().calendarList.list({ maxResults: 250 })).data;
    assert.deepEqual(
      items.map(({ id, primary, accessRole, timeZone }) => [id, primary, accessRole, timeZone]),
      [
        [ACCOUNT, true, 'owner', 'Europe/Berlin'],
        ['holidays', undefined, 'reader', 'Europe/Berlin'],
      ],
    );
  });

  it('inserts an event only once, returns it, and patches it if the ETag matches', async () => {
    const { events } = client();
    const inserted = await events.insert({ calendarId: ACCOUNT, sendUpdates: 'none', requestBody });
    assert.deepEqual([inserted.data.id, inserted.data.status], [ID, 'confirmed']);
    assert.equal(await readStatus(events.insert({ calendarId: ACCOUNT, requestBody })), 409);
    const { data } = await events.get({ calendarId: ACCOUNT, eventId: ID });
    assert.deepEqual(
      [data.summary, data.start, data.etag],
      ['Viewing', requestBody.start, inserted.data.etag],
    );
    const ref = { calendarId: ACCOUNT, eventId: ID, requestBody: { summary: 'Tour' } };
    assert.equal(await readStatus(events.patch(ref, { headers: { 'if-match': '"0"' } })), 412);
    const patched = await events.patch(ref, { headers: { 'if-match': data.etag! } });
    assert.deepEqual([patched.data.summary, patched.data.start], ['Tour', requestBody.start]);
    assert.notEqual(patched.data.etag, data.etag);
  });

  it('returns busy times, and the reason for each calendar without busy times', async () => {
    const { freebusy } = client();
    google.busyErrors.set('holidays', 'internalError');
    const { data } = await freebusy.query({
      requestBody: {
        timeMin: '2030-05-06T00:00:00Z',
        timeMax: '2030-05-07T00:00:00Z',
        items: [{ id: ACCOUNT }, { id: 'holidays' }, { id: 'none' }],
      },
    });
    assert.deepEqual(data.calendars?.[ACCOUNT]?.busy, [{ start: START, end: END }]);
    assert.deepEqual(
      ['holidays', 'none'].map((id) => data.calendars?.[id]?.errors?.[0]?.reason),
      ['internalError', 'notFound'],
    );
  });

  it('lists events by private property, and deleted events on request', async () => {
    const { events } = client();
    const listEvents = async (value: string, showDeleted = false) =>
      (
        await events.list({
          calendarId: ACCOUNT,
          privateExtendedProperty: [`parleyWorkspace=${value}`],
          showDeleted,
        })
      ).data.items?.map(({ id, status }) => [id, status]);
    assert.deepEqual([await listEvents('acme'), await listEvents('other')], [[[ID, 'confirmed']], []]);
    assert.equal((await events.delete({ calendarId: ACCOUNT, eventId: ID })).status, 204);
    assert.equal(await readStatus(events.delete({ calendarId: ACCOUNT, eventId: ID })), 410);
    assert.deepEqual([await listEvents('acme'), await listEvents('acme', true)], [[], [[ID, 'cancelled']]]);
    assert.equal((await events.get({ calendarId: ACCOUNT, eventId: ID })).data.status, 'cancelled');
    assert.equal(await readStatus(events.get({ calendarId: ACCOUNT, eventId: 'none' })), 404);
  });

  it('refuses unknown tokens, and fails on demand with Google’s error format', async () => {
    assert.equal(await readStatus(client('ya29.forged').calendarList.list()), 401);
    google.fail(/calendarList/, buildGoogleError(403, 'rateLimitExceeded', 'Slow down'), 1);
    const failure = await client()
      .calendarList.list()
      .catch((error: unknown) => error);
    assert.ok(failure instanceof Error);
    assert.match(failure.message, /Slow down/);
  });
});
