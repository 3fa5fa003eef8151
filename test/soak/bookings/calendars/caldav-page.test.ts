import assert from 'node:assert/strict';
import { load } from 'cheerio';
import { CalendarAttempt } from '../../../../entities/bookings/calendar-connection.entity.ts';
import { readAccessMails } from '../../../support/access-mails.ts';
import { startParley, type TestParley } from '../../../support/parley.ts';
import { DAV_PASSWORD, DAV_USER, Radicale } from '../../../support/radicale.ts';
import {
  beginConnecting,
  buildOwner,
  parseConnectResult,
  type CalendarOwner,
} from '../../../bookings/calendars/calendar-scene.ts';

describe('/calendar/caldav', function () {
  let radicale: Radicale | undefined;
  let parley: TestParley;
  before(async function () {
    radicale = await Radicale.start();
    // Skip the test: its CalDAV server needs Python, which this machine lacks.
    if (!radicale) return this.skip();
    await radicale.addCalendar('work');
    parley = await startParley({ calendarTimeoutMs: 4000 });
  });
  after(async () => {
    await parley?.stop();
    await radicale?.stop();
  });

  const toTestUrl = (url: string) => url.replace(parley.runtime.settings.baseUrl, parley.baseUrl);
  const validFields = () => ({ server: radicale!.url, username: DAV_USER, password: DAV_PASSWORD });

  async function beginSigningIn(owner?: CalendarOwner) {
    const { url, cookie } = await beginConnecting(owner ?? (await buildOwner(parley)), 'caldav');
    const send = (init: RequestInit = {}, to = url) =>
      fetch(toTestUrl(to), { redirect: 'manual', ...init, headers: { cookie } });
    const signIn = (fields: Record<string, string>) =>
      send({ method: 'POST', body: new URLSearchParams(fields) });
    return { url, send, signIn };
  }

  /** Returns the error message on the page of the CalDAV form. */
  async function readAlert(response: Response): Promise<string> {
    const html = await response.text();
    assert.equal(response.status, 422, html);
    assert.ok(!html.includes('s3cret'), 'The password is echoed.');
    return load(html)('[role="alert"]').text();
  }

  it('asks for server, user name and password in labeled fields, without a script', async () => {
    const { send } = await beginSigningIn();
    const response = await send();
    const page = load(await response.text());
    assert.equal(response.status, 200);
    assert.deepEqual(
      page('main input')
        .toArray()
        .map((input) => [page(input).attr('type'), page(`label[for="${page(input).attr('id')}"]`).text()]),
      [
        ['text', 'URL of the CalDAV server'],
        ['text', 'User name'],
        ['password', 'App password'],
      ],
    );
    assert.deepEqual([page('html').attr('lang'), page('h1').length, page('script').length], ['en', 1, 0]);
    const policy = response.headers.get('content-security-policy')!;
    assert.match(
      policy,
      /^default-src 'none'; .*style-src 'sha256-.*form-action 'self'; frame-ancestors 'none'$/,
    );
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  });

  it('redirects to the callback after valid credentials, which connects the calendar once', async () => {
    const owner = await buildOwner(parley);
    const { send, signIn } = await beginSigningIn(owner);
    const signedIn = await signIn(validFields());
    assert.equal(signedIn.status, 303);
    const location = signedIn.headers.get('location')!;
    assert.match(location, /^\/api\/calendar\/caldav\/callback\?state=[\w-]{43}$/);
    assert.equal((await send({ method: 'HEAD' }, parley.baseUrl + location)).status, 302);
    const results = [];
    for (let turn = 0; turn < 2; turn += 1)
      results.push(parseConnectResult((await send({}, parley.baseUrl + location)).headers.get('location')!));
    assert.deepEqual(results, ['connected', 'refused']);
    const { body } = await owner.client.get('/api/calendar/connection');
    assert.deepEqual([body.provider, body.account_email, body.health], ['caldav', DAV_USER, 'healthy']);
    assert.equal(JSON.stringify(body).includes(DAV_PASSWORD), false);
    assert.deepEqual(
      (await readAccessMails(parley, owner.userId)).map(({ items }) => items),
      [`Meetings are written to ${DAV_USER} (caldav).`],
    );
  });

  it('explains the error, keeps the fields except the password, and accepts another attempt', async () => {
    const { signIn } = await beginSigningIn();
    const wrong = await signIn({ ...validFields(), password: 's3cret' });
    const html = await wrong.clone().text();
    assert.match(await readAlert(wrong), /does not accept this user name and password/);
    const page = load(html);
    assert.deepEqual(
      ['server', 'username', 'password'].map((id) => page(`#${id}`).attr('value')),
      [radicale!.url, DAV_USER, undefined],
    );
    assert.equal(page('#password').attr('aria-describedby'), 'error');
    assert.equal((await signIn(validFields())).status, 303);
  });

  it('explains which addresses are refused', async () => {
    const { signIn } = await beginSigningIn();
    const cases: [server: string, words: RegExp][] = [
      ['http://10.0.0.1/dav', /10\.0\.0\.1 is not a host on the public internet/],
      ['https://169.254.169.254/', /is not a host on the public internet/],
      ['ftp://calendar.example.com', /not the URL of a server/],
      ['https://ada:pw@calendar.example.com', /not the URL of a server/],
      ['https://calendar.invalid', /The name calendar.invalid does not exist/],
      [`${parley.baseUrl}/nothing/here/`, /No calendars were found at this URL/],
      ['', /Fill in all three fields/],
      [`https://${'a'.repeat(3000)}`, /too long to be/],
      ['https://"><script>alert(1)</script>', /not the URL of a server/],
    ];
    for (const [server, words] of cases)
      assert.match(await readAlert(await signIn({ ...validFields(), server, password: 's3cret' })), words);
  });

  it('accepts an attempt only if Parley started it, it has not expired, and it continues in the same browser', async () => {
    const owner = await buildOwner(parley);
    const { url, send, signIn } = await beginSigningIn(owner);
    const readRefusal = async (response: Response) => {
      const page = load(await response.text());
      assert.equal(response.status, 403);
      return page('main p').first().text();
    };
    assert.match(await readRefusal(await fetch(toTestUrl(url))), /browser that started the connection/);
    assert.match(await readRefusal(await send({}, `${toTestUrl(url)}x`)), /is not valid/);
    assert.match(await readRefusal(await send({}, `${parley.baseUrl}/calendar/caldav`)), /is not valid/);
    const attempts = parley.database.repository(CalendarAttempt);
    await attempts.update({ orgId: owner.orgId }, { expiresAt: new Date(0) });
    assert.match(await readRefusal(await send()), /expired after ten minutes/);
    assert.match(await readRefusal(await signIn(validFields())), /expired after ten minutes/);
  });

  it('does not use up the attempt on HEAD', async () => {
    const { send, signIn } = await beginSigningIn();
    const looked = await send({ method: 'HEAD' });
    assert.deepEqual([looked.status, await looked.text()], [200, '']);
    assert.equal((await signIn(validFields())).status, 303);
  });
});
