import assert from 'node:assert/strict';
import { buildPerson, PASSWORD } from './support.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const SPELLINGS = [
  'victim.one@gmail.com',
  'victimone+1@gmail.com',
  'v.i.c.t.i.m.o.n.e@googlemail.com',
  'VictimOne+2@GMAIL.com',
];

describe('the limit of emails to one mailbox:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley(
      { PARLEY_ACCOUNT_MAIL_LIMIT: '3', PARLEY_TRUSTED_PROXIES: '1' },
      { hasStoppedClock: true },
    );
  });
  after(() => parley.stop());

  const paths = ['/api/auth/password/forgot', '/api/auth/otp/request', '/api/auth/email/resend'] as const;
  it('forgotPassword, requestOtp and resendVerification count all spellings of an address together', async () => {
    const ask = async (path: (typeof paths)[number], email: string) =>
      formatOutcome(await parley.client().post(path, { email }));
    const outcomes: string[] = [];
    // The fourth spelling of the address uses the first operation again, which is still within the limit of
    // emails.
    for (const [at, email] of SPELLINGS.entries()) outcomes.push(await ask(paths[at % paths.length]!, email));
    assert.ok(
      outcomes.every((outcome) => outcome.startsWith('20')),
      String(outcomes),
    );
    for (const path of paths) assert.equal(await ask(path, 'victimone+3@gmail.com'), '429 rate_limited');
    assert.ok((await ask(paths[0], 'other@gmail.com')).startsWith('20'));
  });

  it('createInvitation counts all spellings of an address together', async () => {
    const invite = async (email: string) => {
      const { orgId, client } = await parley.buildOrg();
      return formatOutcome(await client.post(`/api/orgs/${orgId}/invitations`, { email }));
    };
    for (const email of SPELLINGS) assert.equal(await invite(email), '201');
    assert.equal(await invite('victimone+3@gmail.com'), '429 rate_limited');
  });

  it('requestOtp and forgotPassword email an owner at a known IP address while strangers use up the limit', async () => {
    const { email } = await buildPerson(parley);
    const home = '203.0.113.50';
    const post = (from: string, path: string, body: object = { email }) =>
      fetch(`${parley.baseUrl}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify(body),
      });
    const ask = async (from: string, path: string) => (await post(from, path)).status;
    assert.equal((await post(home, 'login', { email, password: PASSWORD })).status, 200);
    const strangers: number[] = [];
    for (let turn = 0; turn < 8; turn += 1)
      strangers.push(await ask(`198.51.100.${turn}`, turn % 2 === 0 ? 'email/resend' : 'otp/request'));
    assert.equal(strangers.at(-1), 429, strangers.join(' '));
    assert.equal(await ask(home, 'otp/request'), 200);
    assert.equal(await ask(home, 'password/forgot'), 200);
    assert.equal(await ask('198.51.100.9', 'otp/request'), 429);
  });

  it('forgotPassword delays the emails of a day to a mailbox by up to an hour, beyond six times the limit', async () => {
    const email = 'victim.of.a.day@example.com';
    const ask = async (turn: number, path = 'password/forgot') => {
      const response = await fetch(`${parley.baseUrl}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${turn}` },
        body: JSON.stringify({ email }),
      });
      return { status: response.status, waitSeconds: Number(response.headers.get('retry-after') ?? 0) };
    };
    const endQuarterHour = () =>
      parley.database.sql(
        "UPDATE rate_windows SET expires_at = now() - interval '1 second' WHERE key LIKE 'account-mail:%'",
      );
    for (let turn = 0; turn < 18; turn += 1) {
      assert.equal((await ask(turn)).status, 200);
      if (turn % 3 === 2) await endQuarterHour();
    }
    // The first email beyond the daily limit starts a delay of a minute until the next one.
    assert.equal((await ask(18)).status, 200);
    await endQuarterHour();
    const refused = await ask(19);
    assert.equal(refused.status, 429);
    assert.ok(refused.waitSeconds > 50 && refused.waitSeconds <= 60, JSON.stringify(refused));
    for (let turn = 20; turn < 28; turn += 1) {
      await endQuarterHour();
      assert.equal((await ask(turn)).status, 429);
    }
    // After many attempts to request an email, the next delay is an hour.
    await endQuarterHour();
    await parley.database.sql(
      "UPDATE rate_windows SET expires_at = now() - interval '1 second' WHERE key LIKE 'daily-account-mail:%:turn'",
    );
    assert.equal((await ask(28)).status, 200);
    await endQuarterHour();
    const refusedLater = await ask(29);
    assert.equal(refusedLater.status, 429);
    assert.ok(
      refusedLater.waitSeconds > 3500 && refusedLater.waitSeconds <= 3600,
      JSON.stringify(refusedLater),
    );
    // Emails with sign-in codes have separate daily delays.
    await endQuarterHour();
    assert.equal((await ask(30, 'otp/request')).status, 200);
  });
});
