import assert from 'node:assert/strict';
import { mailPagesToken } from '../../api/mail/mail-pages-access.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { readAccessMails } from '../support/access-mails.ts';
import { addAlerts, parseLinkCode, connectChat, WITHOUT_WORKER, savePolicy, takeTurn } from './support.ts';

describe('/dev/mail/chats', () => {
  let parley: TestParley;
  let org: TestOrg;
  let cookie: string;

  before(async () => {
    parley = await startParley(WITHOUT_WORKER);
    const token = mailPagesToken(parley.runtime.settings)!;
    const opened = await fetch(`${parley.baseUrl}/dev/mail/chats?token=${token}`);
    cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  });
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  const open = (path = '', init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`${parley.baseUrl}/dev/mail/chats${path}`, { ...init, headers: { cookie, ...init.headers } });
  const post = (code: string, destination: string, headers: Record<string, string> = {}) =>
    open('/telegram', { method: 'POST', body: new URLSearchParams({ code, destination }), headers });

  it('shows messages escaped, with the URLs of their links', async () => {
    const destination = await connectChat(parley, org);
    const label = '<b>Desk</b> & *_[';
    const { id } = await savePolicy(org, { channel: 'telegram', destination, label });
    await addAlerts(parley, org, id, [{}]);
    assert.equal(await takeTurn(parley, org, id), 'kept');
    const html = await (await open()).text();
    assert.ok(html.includes('&lt;b&gt;Desk&lt;/b&gt; &amp; *_[\nUsage limit reached Open http'), html);
    assert.ok(html.includes(`console#/bots?workspace=${org.orgId}`));
  });

  it('refuses requests without the token', async () => {
    for (const path of ['', '/telegram', '/whatsapp']) {
      const response = await fetch(`${parley.baseUrl}/dev/mail/chats${path}`);
      assert.equal(response.status, 401);
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/);
    }
    assert.equal((await open('/signal')).status, 404);
  });

  it('connects a chat once for each link', async () => {
    const { client: session } = await parley.signIn(org);
    const { body } = await session.post('/api/alerts/telegram/connect', {});
    const code = parseLinkCode(body.link);
    assert.deepEqual(await readAccessMails(parley, org.userId), []);
    const { pathname, search } = new URL(body.link);
    assert.match(await (await open(pathname.replace('/dev/mail/chats', '') + search)).text(), /<form/);
    assert.match(await (await post(code, '4711', { 'sec-fetch-site': 'cross-site' })).text(), /<h1>/);
    assert.match(await (await post(code, 'nobody')).text(), /was used or has expired/);
    assert.match(
      await (await post(code, '4711')).text(),
      /4711: This chat is connected and can now receive alerts from Acme\./,
    );
    assert.match(await (await post(code, '4712')).text(), /was used or has expired/);
    const polled = await org.client.post('/api/alerts/telegram/poll', { attempt_id: body.attempt_id });
    assert.equal(polled.body.destination, '4711');
    assert.deepEqual(
      (await readAccessMails(parley, org.userId)).map(({ subject, items, actor, place }) => [
        subject,
        items,
        actor,
        place,
      ]),
      [
        [
          'A destination of alerts was connected in Acme',
          'Telegram: You (4711).',
          `Ada Okafor (${org.userId}@example.com)`,
          'unknown',
        ],
      ],
    );
  });

  it('connects no chat once the user has ended all other sessions, but still by the link of an API key', async () => {
    const { client: session } = await parley.signIn(org);
    const { body } = await session.post('/api/alerts/telegram/connect', {});
    const { body: ofKey } = await org.client.post('/api/alerts/telegram/connect', {});
    const { client: here } = await parley.signIn(org);
    assert.equal((await here.post('/api/auth/sessions/revoke-others')).status, 200);
    assert.match(await (await post(parseLinkCode(body.link), '4711')).text(), /was used or has expired/);
    assert.match(
      await (await post(parseLinkCode(ofKey.link), '4712')).text(),
      /4712: This chat is connected/,
    );
  });

  it('emails owners about a chat that the link of an API key has connected, with the key’s name', async () => {
    const { body } = await org.client.post('/api/alerts/telegram/connect', {});
    await post(parseLinkCode(body.link), '4713');
    assert.deepEqual(
      (await readAccessMails(parley, org.userId)).map(({ items, actor }) => [items, actor]),
      [['Telegram: You (4713).', `the API key “Test key” of Ada Okafor (${org.userId}@example.com)`]],
    );
  });

  it('returns 404 if the base URL is not local', async () => {
    const served = await parley.startAnother({ baseUrl: 'https://parley.example.com' });
    assert.equal((await fetch(`${served.baseUrl}/dev/mail/chats`)).status, 404);
  });
});
