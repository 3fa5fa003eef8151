import assert from 'node:assert/strict';
import { mailSamples } from '../../services/mail/rendering/mail-samples.ts';
import { mailPagesToken } from '../../api/mail/mail-pages-access.ts';
import { newId } from '../../core/ids.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { mailKinds } from '../../services/mail/rendering/mail-templates.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { findOpened } from '../support/find-opened.ts';

describe('/dev/mail', () => {
  let parley: TestParley;

  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function captureMail(): Promise<string> {
    const { database, services } = parley.runtime;
    await database.transaction((db) =>
      services.mail.mail.send(db, {
        to: 'ada@example.com',
        template: 'verify_email',
        data: {
          name: '<script>alert(1)</script>',
          lifetime: '24 hours',
          link: 'https://parley.example.com/verify?token=abc',
        },
      }),
    );
    const [row] = await database.repository(MailRow).find({ order: { id: 'DESC' }, take: 1 });
    assert.equal((await services.mail.mailDelivery.attempt(database, row!.id)).state, 'kept');
    return row!.id;
  }

  const token = () => mailPagesToken(parley.runtime.settings)!;
  /** Requests a page like a browser that has opened the link to captured emails. */
  const open = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(parley.baseUrl + path, { headers: { cookie: await requestCookie(token()), ...headers } });

  const fetchFile = (id: string) => open(`/dev/mail/${id}/meeting.ics`);

  async function requestCookie(given: string): Promise<string> {
    const response = await fetch(`${parley.baseUrl}/dev/mail?token=${given}`, { redirect: 'manual' });
    return response.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  it('shows captured emails, which are encrypted in the database', async () => {
    const id = await captureMail();
    const [row] = await findOpened(parley.database, MailRow, { where: { id } });
    assert.match(row!.content!, /^v1\./);
    const list = await (await open('/dev/mail')).text();
    assert.ok(list.includes(`<a href="/dev/mail/${id}">Confirm your email</a>`));
    const response = await open(`/dev/mail/${id}`);
    const html = await response.text();
    assert.equal(response.status, 200);
    for (const shown of [list, html])
      assert.match(shown, /<time datetime="[^"]+">\d+ \w+ \d{4}, \d\d:\d\d [A-Z][\w+:-]*<\/time>, just now</);
    assert.match(html, /https:\/\/parley\.example\.com\/verify\?token=abc/);
    assert.match(html, /ada@example\.com/);
  });

  it('runs no script of an email', async () => {
    const response = await open(`/dev/mail/${await captureMail()}`);
    const html = await response.text();
    assert.ok(!html.includes('<script'));
    assert.match(
      html,
      /<iframe title="As HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="/,
    );
    assert.equal(
      response.headers.get('content-security-policy'),
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('shows the calendar part, and returns it only as text', async () => {
    const { database, services } = parley.runtime;
    const content = 'BEGIN:VCALENDAR\r\nSUMMARY:</pre><script>alert(1)</script>\r\nEND:VCALENDAR\r\n';
    const key = newId();
    await database.transaction((db) =>
      services.mail.mail.send(db, {
        to: 'grace@example.com',
        key,
        template: 'booking_confirmed',
        data: mailSamples.booking_confirmed,
        calendar: { method: 'REQUEST', content },
      }),
    );
    const { id } = await database.repository(MailRow).findOneByOrFail({ key });
    assert.equal((await fetchFile(id)).status, 404);
    await services.mail.mailDelivery.attempt(database, id);
    const html = await (await open(`/dev/mail/${id}`)).text();
    assert.ok(html.includes(`REQUEST, <a href="/dev/mail/${id}/meeting.ics" download>meeting.ics</a>`));
    assert.ok(html.includes('SUMMARY:&lt;/pre&gt;&lt;script&gt;') && !html.includes('<script'));
    const file = await fetchFile(id);
    assert.equal(await file.text(), content);
    const headers = ['content-type', 'content-disposition', 'x-content-type-options'];
    assert.deepEqual(
      headers.map((name) => file.headers.get(name)),
      ['text/plain; charset=utf-8', 'attachment; filename="meeting.ics"', 'nosniff'],
    );
    assert.match(file.headers.get('content-security-policy')!, /default-src 'none'.*; sandbox/);
    assert.equal((await fetchFile(await captureMail())).status, 404);
    assert.equal((await fetchFile('none')).status, 404);
    assert.equal((await fetch(`${parley.baseUrl}/dev/mail/${id}/meeting.ics`)).status, 401);
  });

  it('previews every template', async () => {
    const names = Object.keys(mailKinds);
    assert.equal(names.length, Object.keys(mailSamples).length);
    const list = await (await open('/dev/mail/templates')).text();
    for (const name of names) {
      assert.ok(list.includes(`/dev/mail/templates/${name}`));
      const response = await open(`/dev/mail/templates/${name}`);
      assert.equal(response.status, 200);
      assert.ok(!/\{\{|\[\[/.test(await response.text()), name);
    }
  });

  it('requires the token from every caller, and shows nothing without it', async () => {
    const id = await captureMail();
    const cookie = await requestCookie(token());
    const name = cookie.split('=')[0]!;
    for (const path of ['', `/${id}`, `/${newId()}`, '/templates', '/templates/verify_email', '/none'])
      for (const [query, headers] of [
        ['', {}],
        ['', { cookie: `${name}=` }],
        ['', { cookie: `${name}=${token().slice(1)}` }],
        ['', { cookie: `other=${token()}` }],
        ['?token=', {}],
        ['?token=guess', { cookie }],
        [`?token=${token()}x`, {}],
        [`?token=${token()}&token=${token()}`, {}],
      ] as const) {
        const response = await fetch(`${parley.baseUrl}/dev/mail${path}${query}`, { headers });
        assert.equal(response.status, 401, path + query);
        assert.equal(response.headers.get('set-cookie'), null);
        const html = await response.text();
        assert.match(html, /npm run parley -- mail-link/);
        assert.ok(!/ada@example\.com|verify_email/.test(html));
      }
  });

  it('accepts the token in the link once, and then a cookie', async () => {
    const response = await fetch(`${parley.baseUrl}/dev/mail/templates?token=${token()}`, {
      redirect: 'manual',
    });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/dev/mail/templates');
    assert.match(
      response.headers.get('set-cookie')!,
      /^parley_mail_\d+=[\w-]{43}; path=\/dev\/mail; expires=.*; samesite=lax; httponly$/,
    );
    assert.equal((await open('/dev/mail')).status, 200);
    assert.equal((await open('/dev/mail/none')).status, 404);
  });

  for (const [why, changes] of [
    ['a mail server is set', { smtpUrl: 'smtp://localhost:9' }],
    ['a proxy is in front, as the base URL says', { baseUrl: 'https://chat.example.com' }],
    ['a proxy is trusted', { trustedProxies: 1 }],
  ] as const)
    it(`returns 404 if ${why}`, async () => {
      const { baseUrl } = await parley.startAnother(changes);
      for (const path of ['/dev/mail', '/dev/mail/templates', `/dev/mail?token=${token()}`])
        assert.equal((await fetch(baseUrl + path)).status, 404);
    });
});
