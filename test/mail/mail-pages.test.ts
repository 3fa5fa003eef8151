import assert from 'node:assert/strict';
import { mailSamples } from '../../services/mail/mail-samples.ts';
import { get } from 'node:http';
import { MailRow } from '../../entities/mail.entity.ts';
import { mailKinds } from '../../services/mail/mail-templates.ts';
import { startParley, type TestParley } from '../support/parley.ts';

describe('/dev/mail', () => {
  let parley: TestParley;

  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function keptMail(): Promise<string> {
    const { database, services } = parley.runtime;
    await database.transaction((db) =>
      services.mail.send(db, {
        to: 'ada@example.com',
        template: 'verify_email',
        data: { name: '<script>alert(1)</script>', link: 'https://parley.example.com/verify?token=abc' },
      }),
    );
    const [row] = await database.repository(MailRow).find({ order: { id: 'DESC' }, take: 1 });
    assert.equal((await services.mailDelivery.attempt(database, row!.id)).state, 'kept');
    return row!.id;
  }

  function status(
    path: string,
    headers: Record<string, string> = {},
    base = parley.baseUrl,
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      get(base + path, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      }).on('error', reject);
    });
  }

  it('shows what was not sent, which is sealed in the database', async () => {
    const id = await keptMail();
    const row = await parley.database.repository(MailRow).findOneByOrFail({ id });
    assert.match(row.content!, /^v1\./);
    const list = await (await fetch(`${parley.baseUrl}/dev/mail`)).text();
    assert.ok(list.includes(`<a href="/dev/mail/${id}">Confirm your e-mail address</a>`));
    const answer = await fetch(`${parley.baseUrl}/dev/mail/${id}`);
    const html = await answer.text();
    assert.equal(answer.status, 200);
    assert.match(html, /https:\/\/parley\.example\.com\/verify\?token=abc/);
    assert.match(html, /ada@example\.com/);
  });

  it('runs nothing of a mail', async () => {
    const answer = await fetch(`${parley.baseUrl}/dev/mail/${await keptMail()}`);
    const html = await answer.text();
    assert.ok(!html.includes('<script'));
    assert.match(
      html,
      /<iframe title="As HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="/,
    );
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('previews every template', async () => {
    const names = Object.keys(mailKinds);
    assert.equal(names.length, Object.keys(mailSamples).length);
    const list = await (await fetch(`${parley.baseUrl}/dev/mail/templates`)).text();
    for (const name of names) {
      assert.ok(list.includes(`/dev/mail/templates/${name}`));
      const answer = await fetch(`${parley.baseUrl}/dev/mail/templates/${name}`);
      assert.equal(answer.status, 200);
      assert.ok(!/\{\{|\[\[/.test(await answer.text()), name);
    }
  });

  it('is there for callers on this machine alone, by its own name', async () => {
    assert.equal(await status('/dev/mail'), 200);
    const { port } = new URL(parley.baseUrl);
    assert.equal(await status('/dev/mail', { host: `localhost:${port}` }), 200);
    assert.equal(await status('/dev/mail', { host: 'evil.example.com' }), 404);
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'via'])
      assert.equal(await status('/dev/mail', { [header]: '203.0.113.7' }), 404);
    assert.equal(await status('/dev/mail/none'), 404);
  });

  for (const [why, changes] of [
    ['a mail server is set', { smtpUrl: 'smtp://localhost:9' }],
    ['a proxy is in front, as its address says', { baseUrl: 'https://chat.example.com' }],
    ['a proxy is trusted', { trustedProxies: 1 }],
  ] as const)
    it(`is not there when ${why}`, async () => {
      const { baseUrl } = await parley.startAnother(changes);
      assert.equal(await status('/dev/mail', {}, baseUrl), 404);
      assert.equal(await status('/dev/mail/templates', {}, baseUrl), 404);
    });
});
