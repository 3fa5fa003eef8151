import assert from 'node:assert/strict';
import { selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';

describe('email preferences:', () => {
  let parley: SharedParley;
  let userId: string;
  let person: ApiClient;
  const path = '/api/email-preferences';

  before(async () => {
    parley = await startSharedParley();
  });
  beforeEach(async () => {
    const org = await parley.buildOrg({ role: 'viewer' });
    userId = org.userId;
    person = (await parley.signIn(org)).client;
  });

  const readEnabled = (body: { categories: { category: string; enabled: boolean }[] }) =>
    Object.fromEntries(body.categories.map(({ category, enabled: isOn }) => [category, isOn]));
  const all = {
    leads: true,
    handoff: true,
    content: true,
    usage: true,
    health: true,
    digest: true,
    product: true,
    bookings: true,
  };

  it('getEmailPreferences returns eight categories with their descriptions, all on at first', async () => {
    const { status, body } = await person.get(path);
    assert.equal(status, 200);
    assert.deepEqual(readEnabled(body), all);
    assert.deepEqual(body.categories[0], {
      category: 'leads',
      description: 'A visitor left their contact details.',
      enabled: true,
      is_sent: true,
    });
    const categories = body.categories as { is_sent: boolean }[];
    assert.ok(categories.every(({ is_sent: isSent }) => isSent));
  });

  it('updateEmailPreferences changes only the requested categories', async () => {
    const first = await person.put(path, { categories: { leads: false, digest: false } });
    assert.equal(first.status, 200);
    assert.deepEqual(readEnabled(first.body), { ...all, leads: false, digest: false });
    await person.put(path, { categories: { leads: true } });
    assert.deepEqual(readEnabled((await person.get(path)).body), { ...all, digest: false });
  });

  it('updateEmailPreferences keeps the changes of concurrent calls', async () => {
    const names = Object.keys(all);
    await Promise.all(names.map((name) => person.put(path, { categories: { [name]: false } })));
    assert.deepEqual(
      readEnabled((await person.get(path)).body),
      Object.fromEntries(names.map((name) => [name, false])),
    );
  });

  for (const name of ['security', 'billing', 'invitations', 'everything']) {
    it(`there is no category ${name}`, async () => {
      const { status, body } = await person.put(path, { categories: { [name]: false } });
      assert.equal(formatOutcome({ status, body }), '422 validation_error');
    });
  }

  it('getEmailPreferences and updateEmailPreferences refuse API keys', async () => {
    const org = await parley.buildOrg();
    assert.equal((await org.client.get(path)).status, 403);
    assert.equal((await org.client.put(path, { categories: {} })).status, 403);
    assert.equal((await parley.client().get(path)).status, 401);
  });

  describe('unsubscribe', () => {
    const signUnsubscribeLink = (of: { userId: string; category: 'leads' | 'health' }) =>
      `${path}/unsubscribe/${parley.runtime.services.mail.emailPreferences.signUnsubscribeToken(of)}`;

    it('turns off the token’s category for its user, without a sign-in', async () => {
      const other = await parley.buildOrg();
      const { status } = await parley.client().post(signUnsubscribeLink({ userId, category: 'health' }));
      assert.equal(status, 200);
      assert.deepEqual(readEnabled((await person.get(path)).body), { ...all, health: false });
      const others = (await parley.signIn(other)).client;
      assert.deepEqual(readEnabled((await others.get(path)).body), all);
    });

    // Form fields with which mail programs unsubscribe. RFC 8058 requires `List-Unsubscribe=One-Click`; some
    // programs post nothing.
    const pair = { 'List-Unsubscribe': 'One-Click' };
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const bodies: [what: string, body: RequestInit['body'], headers?: Record<string, string>][] = [
      ['an empty body', ''],
      ['an empty body of a form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['a form', new URLSearchParams(pair)],
      ['a multipart form', form],
      ['a text', 'List-Unsubscribe=One-Click', { 'content-type': 'text/plain' }],
    ];
    for (const folder of ['/unsubscribe', `${path}/unsubscribe`])
      for (const [what, body, headers = {}] of selectCases(bodies, 3))
        it(`accepts a POST of ${what} to ${folder}, even twice`, async () => {
          const token = signUnsubscribeLink({ userId, category: 'leads' }).split('/').at(-1)!;
          for (let times = 0; times < 2; times += 1) {
            const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
            const response = await fetch(`${parley.baseUrl}${folder}/${token}`, init);
            await response.text();
            assert.equal(response.status, 200);
            assert.deepEqual(readEnabled((await person.get(path)).body), { ...all, leads: false });
          }
        });

    it('returns the same response for a deleted account', async () => {
      const { status } = await parley
        .client()
        .post(signUnsubscribeLink({ userId: crypto.randomUUID(), category: 'leads' }));
      assert.equal(status, 200);
    });

    it('refuses forged tokens, tokens for another purpose, and tokens of a category that cannot be turned off', async () => {
      const link = signUnsubscribeLink({ userId, category: 'leads' });
      const { keyring } = parley.runtime;
      const tokens = [
        'none',
        `${link.split('/').at(-1)!.split('.')[0]}.forged`,
        keyring.sign('cursor', { userId, category: 'leads' }),
        keyring.sign('unsubscribe', { userId, category: 'security' }),
      ];
      for (const token of tokens) {
        const { status } = await parley.client().post(`${path}/unsubscribe/${token}`);
        assert.equal(status, 404, token);
      }
      assert.deepEqual(readEnabled((await person.get(path)).body), all);
    });

    for (const folder of ['/unsubscribe', `${path}/unsubscribe`]) {
      it(`asks for confirmation on a page at ${folder}, and a GET does not confirm`, async () => {
        const token = signUnsubscribeLink({ userId, category: 'leads' }).split('/').at(-1)!;
        const response = await parley.client().fetch(`${folder}/${token}`);
        const html = await response.text();
        assert.equal(response.status, 200);
        assert.match(html, /A visitor left their contact details\./);
        assert.ok(html.includes(`<form method="post" action="/unsubscribe/${token}">`));
        assert.match(
          response.headers.get('content-security-policy')!,
          /^default-src 'none'; .*form-action 'self'/,
        );
        assert.equal((await parley.client().fetch(`${folder}/${token}`, { method: 'HEAD' })).status, 200);
        assert.deepEqual(readEnabled((await person.get(path)).body), all);
        const refused = folder === '/unsubscribe' ? 404 : 405;
        assert.equal((await parley.client().fetch(`${folder}/none`)).status, refused);
      });
    }

    it('accepts the button of the page, and confirms in the language of the browser', async () => {
      const token = signUnsubscribeLink({ userId, category: 'leads' }).split('/').at(-1)!;
      const headers = { 'accept-language': 'xx, pt-BR;q=0.8, de;q=0.5' };
      const asking = await (await parley.client().fetch(`/unsubscribe/${token}`, { headers })).text();
      assert.match(asking, /<html lang="pt">[^]*Um visitante deixou os seus contactos\./);
      const [, action = ''] = /action="([^"]+)"/.exec(asking)!;
      const done = await parley.client().fetch(action, { method: 'POST', headers });
      assert.equal(done.status, 200);
      assert.match(await done.text(), /<h1>Já não os vai receber\.<\/h1>/);
      assert.deepEqual(readEnabled((await person.get(path)).body), { ...all, leads: false });
      assert.equal((await parley.client().fetch('/unsubscribe/none', { method: 'POST' })).status, 404);
    });
  });
});
