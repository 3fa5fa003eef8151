import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { generateSync } from 'otplib';
import { RecoveryCode, TotpSecret } from '../../entities/accounts/totp-secret.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { startParley, type ApiAnswer, type ApiClient, type TestParley } from '../support/parley.ts';
import { answerRequests, buildPerson, mailedToken, mailsTo, PASSWORD, type TestPerson } from './support.ts';

interface Enrolled extends TestPerson {
  session: ApiClient;
  secret: string;
  recoveryCodes: string[];
}

describe('the second factor', () => {
  let parley: TestParley;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  before(async () => {
    parley = await startParley({}, { clock });
  });
  after(() => parley.stop());
  beforeEach(() => (aheadMs = 0));

  const codeOf = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + steps * 30 });

  /** Makes the present code one that was not taken yet. */
  const passStep = () => (aheadMs += 60_000);

  async function setUp(): Promise<TestPerson & { session: ApiClient; secret: string }> {
    const person = await buildPerson(parley);
    const { client: session } = await parley.signIn(person);
    const { body } = await session.post('/api/auth/mfa/setup');
    return { ...person, session, secret: body.secret };
  }

  async function enroll(): Promise<Enrolled> {
    const person = await setUp();
    const answer = await person.session.post('/api/auth/mfa/activate', { code: codeOf(person.secret) });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    passStep();
    return { ...person, recoveryCodes: answer.body.recovery_codes };
  }

  async function challenge({ email }: TestPerson): Promise<string> {
    const { status, body } = await parley.client().post('/api/auth/login', { email, password: PASSWORD });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, challenge_token: '…' },
      { challenge_token: '…', expires_in: 300, mfa_required: true, recovery_available: true },
    );
    return body.challenge_token;
  }

  const verify = (token: string, code: string, client = parley.client()) =>
    client.post('/api/auth/mfa/verify', { challenge_token: token, code });

  const told = ({ status, body }: ApiAnswer) => `${status} ${body.error?.code ?? 'ok'}`;

  describe('being set up', () => {
    it('shows a secret that the table has sealed, and is pending', async () => {
      const person = await buildPerson(parley);
      const { client } = await parley.signIn(person);
      assert.deepEqual((await client.get('/api/auth/mfa')).body, {
        enabled: false,
        activated_at: null,
        pending: false,
        recovery_codes_remaining: 0,
        recovery_generated_at: null,
      });
      const { status, body } = await client.post('/api/auth/mfa/setup');
      assert.equal(status, 200);
      assert.match(body.secret, /^[A-Z2-7]{32}$/);
      assert.equal(body.manual_key.replaceAll(' ', ''), body.secret);
      assert.equal(new URL(body.uri).searchParams.get('secret'), body.secret);
      assert.deepEqual([body.digits, body.period_seconds], [6, 30]);
      assert.equal((await client.get('/api/auth/mfa')).body.pending, true);
      const rows = await parley.database.repository(TotpSecret).findBy({ userId: person.userId });
      assert.ok(!JSON.stringify(rows).includes(body.secret));
    });

    it('replaces a secret that is pending: codes of the former one are wrong', async () => {
      const { session, secret } = await setUp();
      const { body: second } = await session.post('/api/auth/mfa/setup');
      assert.notEqual(second.secret, secret);
      const former = await session.post('/api/auth/mfa/activate', { code: codeOf(secret) });
      assert.equal(told(former), '422 validation_error');
      assert.equal(former.body.details[0].field, 'code');
      const present = await session.post('/api/auth/mfa/activate', { code: codeOf(second.secret) });
      assert.equal(told(present), '200 ok');
    });

    it('asks for a code one step early or late at most', async () => {
      const { session, secret } = await setUp();
      for (const steps of [-2, 2]) {
        const answer = await session.post('/api/auth/mfa/activate', { code: codeOf(secret, steps) });
        assert.equal(told(answer), '422 validation_error');
      }
      const answer = await session.post('/api/auth/mfa/activate', { code: codeOf(secret, 1) });
      assert.equal(told(answer), '200 ok');
    });

    it('is refused a code while nothing is pending', async () => {
      const { client } = await parley.signIn(await buildPerson(parley));
      const answer = await client.post('/api/auth/mfa/activate', { code: '123456' });
      assert.equal(told(answer), '422 validation_error');
    });

    it('happens once when it is asked for twice at a time, on two processes', async () => {
      const { session, secret, userId } = await setUp();
      const another = await parley.startAnother();
      const { accessToken } = await parley.signIn({ userId });
      const code = codeOf(secret);
      const answers = await Promise.all([
        session.post('/api/auth/mfa/activate', { code }),
        another.client(accessToken).post('/api/auth/mfa/activate', { code }),
      ]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(told).join());
      assert.equal(await parley.database.repository(RecoveryCode).countBy({ userId }), 10);
    });
  });

  describe('turned on', () => {
    it('shows ten recovery codes once, ends other sessions and writes to the owner', async () => {
      const person = await setUp();
      const other = await parley.signIn(person);
      const { body } = await person.session.post('/api/auth/mfa/activate', { code: codeOf(person.secret) });
      assert.equal(body.recovery_codes.length, 10);
      const { body: status } = await person.session.get('/api/auth/mfa');
      assert.deepEqual(status, {
        enabled: true,
        activated_at: status.activated_at,
        pending: false,
        recovery_codes_remaining: 10,
        recovery_generated_at: body.generated_at,
      });
      assert.equal((await other.client.get('/api/auth/mfa')).status, 401);
      const kept = await parley.database.repository(RecoveryCode).findBy({ userId: person.userId });
      for (const code of body.recovery_codes) assert.ok(!JSON.stringify(kept).includes(code));
      const [mail] = await mailsTo(parley, person.email);
      assert.equal(mail?.template, 'second_factor_changed');
      assert.equal(mail?.values['isOn'], 'on');
    });

    it('is not set up again until it is turned off', async () => {
      const { session } = await enroll();
      assert.equal(told(await session.post('/api/auth/mfa/setup')), '409 conflict');
    });

    it('answers the same codes to the same named request', async () => {
      const { session, secret } = await setUp();
      const named = { 'idempotency-key': 'turn-on' };
      const body = { code: codeOf(secret) };
      const first = await session.post('/api/auth/mfa/activate', body, named);
      const second = await session.post('/api/auth/mfa/activate', body, named);
      assert.deepEqual(second.body, first.body);
      assert.equal(second.headers.get('idempotent-replay'), 'true');
    });
  });

  describe('signing in', () => {
    it('takes a code of the app', async () => {
      const person = await enroll();
      const { status, body } = await verify(await challenge(person), codeOf(person.secret));
      assert.equal(status, 200);
      const { body: me } = await parley.client(body.access_token).get('/api/auth/me');
      assert.equal(me.user.id, person.userId);
      assert.equal(me.user.mfa_enabled, true);
    });

    it('takes each step once, and none before it', async () => {
      const person = await enroll();
      const code = codeOf(person.secret);
      const former = codeOf(person.secret, -1);
      assert.equal(told(await verify(await challenge(person), code)), '200 ok');
      assert.equal(told(await verify(await challenge(person), code)), '401 unauthenticated');
      assert.equal(told(await verify(await challenge(person), former)), '401 unauthenticated');
      passStep();
      assert.equal(told(await verify(await challenge(person), code)), '401 unauthenticated');
      assert.equal(told(await verify(await challenge(person), codeOf(person.secret))), '200 ok');
    });

    it('does not take the code that has turned it on', async () => {
      const person = await setUp();
      const code = codeOf(person.secret);
      assert.equal(told(await person.session.post('/api/auth/mfa/activate', { code })), '200 ok');
      assert.equal(told(await verify(await challenge(person), code)), '401 unauthenticated');
    });

    it('takes a step once from eight requests at a time, on two processes', async () => {
      const person = await enroll();
      const another = await parley.startAnother({}, { clock });
      const tokens = await Promise.all(Array.from({ length: 8 }, () => challenge(person)));
      const code = codeOf(person.secret);
      const answers = await Promise.all(
        tokens.map((token, index) => verify(token, code, (index % 2 ? another : parley).client())),
      );
      assert.deepEqual(answers.map(told).sort(), ['200 ok', ...Array(7).fill('401 unauthenticated')]);
    });

    it('refuses codes that are two steps early or late', async () => {
      const person = await enroll();
      for (const steps of [-2, 2])
        assert.equal(
          told(await verify(await challenge(person), codeOf(person.secret, steps))),
          '401 unauthenticated',
        );
    });

    it('takes each recovery code once', async () => {
      const person = await enroll();
      const [code = '', another = ''] = person.recoveryCodes;
      assert.equal(told(await verify(await challenge(person), code)), '200 ok');
      assert.equal(told(await verify(await challenge(person), code)), '401 unauthenticated');
      assert.equal(told(await verify(await challenge(person), another.toLowerCase())), '200 ok');
      assert.equal((await person.session.get('/api/auth/mfa')).body.recovery_codes_remaining, 8);
    });

    it('takes a recovery code once from two requests at a time', async () => {
      const person = await enroll();
      const tokens = [await challenge(person), await challenge(person)];
      const answers = await Promise.all(tokens.map((token) => verify(token, person.recoveryCodes[0]!)));
      assert.deepEqual(answers.map(told).sort(), ['200 ok', '401 unauthenticated']);
    });

    it('refuses codes of somebody else', async () => {
      const [person, other] = [await enroll(), await enroll()];
      for (const code of [codeOf(other.secret), other.recoveryCodes[0]!])
        assert.equal(told(await verify(await challenge(person), code)), '401 unauthenticated');
    });

    it('refuses a challenge that was answered, has expired, or is none', async () => {
      const person = await enroll();
      const token = await challenge(person);
      assert.equal(told(await verify(token, person.recoveryCodes[0]!)), '200 ok');
      assert.equal(told(await verify(token, person.recoveryCodes[1]!)), '401 unauthenticated');
      const late = await challenge(person);
      aheadMs += 301_000;
      assert.equal(told(await verify(late, codeOf(person.secret))), '401 unauthenticated');
      const { accessToken, refreshToken } = await parley.signIn(person);
      const forged = `${late.split('.')[0]}.${Buffer.alloc(32, 1).toString('base64url')}`;
      for (const none of [accessToken, refreshToken, forged, 'x'.repeat(40), `${late.split('.')[0]}.`])
        assert.equal(told(await verify(none, codeOf(person.secret))), '401 unauthenticated');
      assert.equal((await person.session.get('/api/auth/mfa')).status, 200);
    });

    it('goes by the factor as it is when the code comes', async () => {
      const person = await enroll();
      const { userId, secret, session } = person;
      const token = await challenge(person);
      const off = await session.post('/api/auth/mfa/disable', { password: PASSWORD, code: codeOf(secret) });
      assert.equal(told(off), '200 ok');
      passStep();
      assert.equal(told(await verify(token, codeOf(secret))), '401 unauthenticated');
      const { client } = await parley.signIn({ userId });
      const { body: second } = await client.post('/api/auth/mfa/setup');
      assert.equal(told(await verify(token, codeOf(second.secret))), '401 unauthenticated');
      await client.post('/api/auth/mfa/activate', { code: codeOf(second.secret, -1) });
      assert.equal(told(await verify(token, codeOf(secret))), '401 unauthenticated');
      assert.equal(told(await verify(token, codeOf(second.secret))), '200 ok');
    });

    it('is over with a password that was changed or reset after the challenge', async () => {
      const person = await enroll();
      const { session, userId, email, secret } = person;
      const changed = 'four green lamps at dusk';
      const beforeChange = await challenge(person);
      const change = { current_password: PASSWORD, new_password: changed };
      assert.equal(told(await session.post('/api/auth/password/change', change)), '200 ok');
      const late = await verify(beforeChange, codeOf(secret));
      assert.equal(told(late), '401 unauthenticated');
      assert.match(late.body.error.message, /password was changed/);
      const login = await parley.client().post('/api/auth/login', { email, password: changed });
      await parley.client().post('/api/auth/password/forgot', { email });
      await answerRequests(parley);
      const reset = { token: await mailedToken(parley, email), new_password: PASSWORD };
      assert.equal(told(await parley.client().post('/api/auth/password/reset', reset)), '200 ok');
      for (const code of [codeOf(secret), person.recoveryCodes[0]!])
        assert.equal(told(await verify(login.body.challenge_token, code)), '401 unauthenticated');
      assert.equal(await parley.database.repository(Session).countBy({ userId }), 0);
      assert.equal(told(await verify(await challenge(person), codeOf(secret))), '200 ok');
    });

    it('leaves no session behind a reset of the password at the same moment', async () => {
      const person = await enroll();
      const { userId, email, recoveryCodes } = person;
      for (const code of recoveryCodes.slice(0, 6)) {
        const token = await challenge(person);
        await parley.client().post('/api/auth/password/forgot', { email });
        await answerRequests(parley);
        const reset = { token: await mailedToken(parley, email), new_password: PASSWORD };
        const [, { status }] = await Promise.all([
          verify(token, code),
          parley.client().post('/api/auth/password/reset', reset),
        ]);
        assert.equal(status, 200);
        assert.equal(await parley.database.repository(Session).countBy({ userId }), 0);
      }
    });

    it('is refused to a closed account', async () => {
      const person = await enroll();
      const token = await challenge(person);
      await parley.database.repository(User).update(person.userId, { isActive: false });
      assert.equal(told(await verify(token, codeOf(person.secret))), '401 unauthenticated');
    });

    it('slows down guesses at one account over two processes, and lets its owner in', async () => {
      const strict = { signInLimitPerAccount: 3 };
      const person = await enroll();
      const token = await challenge(person);
      const processes = [
        await parley.startAnother(strict, { clock }),
        await parley.startAnother(strict, { clock }),
      ];
      // Turning it on was the first try.
      const guesses: ApiAnswer[] = [];
      for (const index of [0, 1, 0, 1])
        guesses.push(await verify(token, '000000', processes[index]!.client()));
      assert.deepEqual(guesses.map(told), [
        ...Array(2).fill('401 unauthenticated'),
        ...Array(2).fill('429 rate_limited'),
      ]);
      await setTimeout(Number(guesses.at(-1)?.headers.get('retry-after')) * 1000);
      assert.equal(told(await verify(token, codeOf(person.secret), processes[0]!.client())), '200 ok');
    });
  });

  describe('after so many wrong codes in a day', () => {
    it('is not looked at until the day is over, and its owner is told, while mailed and recovery codes go on', async () => {
      const { userId, email, secret, recoveryCodes } = await enroll();
      const person = { email } as TestPerson;
      const strict = (await parley.startAnother({ wrongCodesPerDay: 3 }, { clock })).client();
      const token = await challenge(person);
      await parley.database.sql('DELETE FROM rate_windows');
      for (let turn = 0; turn < 3; turn += 1)
        assert.equal(told(await verify(token, '000000', strict)), '401 unauthenticated');
      const late = await verify(token, codeOf(secret), strict);
      assert.equal(told(late), '429 rate_limited');
      assert.match(late.body.detail, /codes are taken again at .* UTC\. Recovery codes still work\.$/);
      await answerRequests(parley);
      const mail = (await mailsTo(parley, email)).at(-1);
      assert.deepEqual(
        [mail?.template, mail?.values['codes'], mail?.values['otherWays']],
        ['codes_paused', 'codes of your second factor', 'Recovery codes still work.'],
      );
      assert.equal(told(await verify(await challenge(person), recoveryCodes[0]!, strict)), '200 ok');
      const code = { email, code: '000000' };
      assert.equal(told(await strict.post('/api/auth/otp/verify', code)), '401 unauthenticated');
      await parley.database.sql(`UPDATE rate_windows SET expires_at = now() WHERE key LIKE 'factor_codes%'`);
      assert.equal(told(await verify(await challenge(person), codeOf(secret), strict)), '200 ok');
      assert.equal(await parley.database.repository(Session).countBy({ userId }), 3);
    });

    it('counts all of them, though they come at once', async () => {
      const person = await enroll();
      const strict = (await parley.startAnother({ wrongCodesPerDay: 3 }, { clock })).client();
      const tokens = await Promise.all(Array.from({ length: 8 }, () => challenge(person)));
      await Promise.all(tokens.map((token) => verify(token, '000000', strict)));
      const right = await verify(await challenge(person), codeOf(person.secret), strict);
      assert.equal(told(right), '429 rate_limited');
      await answerRequests(parley);
      const mails = await mailsTo(parley, person.email);
      assert.equal(mails.filter(({ template }) => template === 'codes_paused').length, 1);
    });
  });

  describe('recovery codes', () => {
    it('are replaced with a code of the app', async () => {
      const person = await enroll();
      const { status, body } = await person.session.post('/api/auth/mfa/recovery-codes', {
        code: codeOf(person.secret),
      });
      assert.equal(status, 200);
      assert.equal(new Set([...body.recovery_codes, ...person.recoveryCodes]).size, 20);
      const mail = (await mailsTo(parley, person.email)).at(-1);
      assert.equal(mail?.values['subject'], 'Your recovery codes were replaced');
      assert.equal(
        told(await verify(await challenge(person), person.recoveryCodes[0]!)),
        '401 unauthenticated',
      );
      assert.equal(told(await verify(await challenge(person), body.recovery_codes[0])), '200 ok');
    });

    it('stay as they are with a wrong code, a used one, and while the factor is off', async () => {
      const person = await enroll();
      const used = codeOf(person.secret);
      await verify(await challenge(person), used);
      for (const code of ['000000', used, person.recoveryCodes[0]!.slice(0, 16)]) {
        const answer = await person.session.post('/api/auth/mfa/recovery-codes', { code });
        assert.equal(told(answer), '422 validation_error');
      }
      const { session } = await setUp();
      const off = await session.post('/api/auth/mfa/recovery-codes', { code: '123456' });
      assert.equal(told(off), '422 validation_error');
      assert.equal(told(await verify(await challenge(person), person.recoveryCodes[0]!)), '200 ok');
    });
  });

  describe('closing the account', () => {
    it('needs a code beside the password', async () => {
      const { session, secret } = await enroll();
      const close = (code?: string) => session.post('/api/auth/me/delete', { password: PASSWORD, code });
      for (const code of [undefined, '000000']) assert.equal(told(await close(code)), '422 validation_error');
      assert.equal((await session.get('/api/auth/mfa')).status, 200);
      const answer = await close(codeOf(secret));
      // The person is the last owner of a workspace: what is refused now is no matter of codes.
      assert.equal(told(answer), '409 last_owner');
    });
  });

  describe('turned off', () => {
    it('needs the password and a code, and destroys what there was', async () => {
      const person = await enroll();
      const { session, secret, userId, email } = person;
      const disable = (password: string, code: string) =>
        session.post('/api/auth/mfa/disable', { password, code });
      const wrong = await disable('not my password', codeOf(secret));
      assert.equal(wrong.body.details[0].field, 'password');
      assert.equal((await disable(PASSWORD, '000000')).body.details[0].field, 'code');
      const other = await parley.signIn(person);
      const { status, body } = await disable(PASSWORD, person.recoveryCodes[0]!);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        enabled: false,
        activated_at: null,
        pending: false,
        recovery_codes_remaining: 0,
        recovery_generated_at: null,
      });
      assert.equal(await parley.database.repository(RecoveryCode).countBy({ userId }), 0);
      assert.equal((await other.client.get('/api/auth/mfa')).status, 401);
      const mails = await mailsTo(parley, email);
      assert.equal(mails.at(-1)?.values['isOn'], 'off');
      const login = await parley.client().post('/api/auth/login', { email, password: PASSWORD });
      assert.ok(login.body.access_token);
    });
  });
});
