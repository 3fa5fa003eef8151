import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { ApiResponse, TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { useSecondFactor } from './second-factor-support.ts';
import {
  answerRequests,
  buildPerson,
  readMailedCode,
  readMailedToken,
  readMailsTo,
  PASSWORD,
  type TestPerson,
} from './support.ts';

describe('sign-in with a code:', () => {
  let parley: TestParley;
  const { clock, pass, passStep, generateCode, setUp, enroll, requestChallenge, verify } = useSecondFactor(
    (started) => (parley = started),
  );

  describe('verifyMfa', () => {
    it('accepts a code of the app', async () => {
      const person = await enroll();
      const { status, body } = await verify(await requestChallenge(person), generateCode(person.secret));
      assert.equal(status, 200);
      const { body: me } = await parley.client(body.access_token).get('/api/auth/me');
      assert.equal(me.user.id, person.userId);
      assert.equal(me.user.mfa_enabled, true);
    });

    it('accepts the code of each time step once, and no earlier code after it', async () => {
      const person = await enroll();
      const code = generateCode(person.secret);
      const former = generateCode(person.secret, -1);
      assert.equal(formatOutcome(await verify(await requestChallenge(person), code)), '200');
      assert.equal(formatOutcome(await verify(await requestChallenge(person), code)), '401 unauthenticated');
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), former)),
        '401 unauthenticated',
      );
      passStep();
      assert.equal(formatOutcome(await verify(await requestChallenge(person), code)), '401 unauthenticated');
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), generateCode(person.secret))),
        '200',
      );
    });

    it('refuses the code that turned the factor on', async () => {
      const person = await setUp();
      const code = generateCode(person.secret);
      assert.equal(formatOutcome(await person.session.post('/api/auth/mfa/activate', { code })), '200');
      assert.equal(formatOutcome(await verify(await requestChallenge(person), code)), '401 unauthenticated');
    });

    itInSoak(
      'accepts the code of a time step once from eight concurrent requests at two processes',
      async () => {
        const person = await enroll();
        const another = await parley.startAnother({}, { clock });
        const tokens = await Promise.all(Array.from({ length: 8 }, () => requestChallenge(person)));
        const code = generateCode(person.secret);
        const responses = await Promise.all(
          tokens.map((token, index) => verify(token, code, (index % 2 ? another : parley).client())),
        );
        assert.deepEqual(responses.map(formatOutcome).sort(), [
          '200',
          ...Array(7).fill('401 unauthenticated'),
        ]);
      },
    );

    for (const steps of [-1, 1])
      itInSoak(
        `accepts the next code of an app whose clock is ${steps} step off, as it was at activateMfa`,
        async () => {
          const person = await setUp();
          const code = generateCode(person.secret, steps);
          assert.equal(formatOutcome(await person.session.post('/api/auth/mfa/activate', { code })), '200');
          pass(30);
          const next = generateCode(person.secret, steps);
          assert.equal(formatOutcome(await verify(await requestChallenge(person), next)), '200');
        },
      );

    itInSoak('refuses codes that are two steps early or late', async () => {
      const person = await enroll();
      for (const steps of [-2, 2])
        assert.equal(
          formatOutcome(await verify(await requestChallenge(person), generateCode(person.secret, steps))),
          '401 unauthenticated',
        );
    });

    itInSoak('accepts each recovery code once', async () => {
      const person = await enroll();
      const [code = '', another = ''] = person.recoveryCodes;
      assert.equal(formatOutcome(await verify(await requestChallenge(person), code)), '200');
      assert.equal(formatOutcome(await verify(await requestChallenge(person), code)), '401 unauthenticated');
      assert.equal(formatOutcome(await verify(await requestChallenge(person), another.toLowerCase())), '200');
      assert.equal((await person.session.get('/api/auth/mfa')).body.recovery_codes_remaining, 8);
    });

    it('accepts a recovery code once from two concurrent requests', async () => {
      const person = await enroll();
      const tokens = [await requestChallenge(person), await requestChallenge(person)];
      const responses = await Promise.all(tokens.map((token) => verify(token, person.recoveryCodes[0]!)));
      assert.deepEqual(responses.map(formatOutcome).sort(), ['200', '401 unauthenticated']);
    });

    it('refuses codes of another person', async () => {
      const [person, other] = [await enroll(), await enroll()];
      for (const code of [generateCode(other.secret), other.recoveryCodes[0]!])
        assert.equal(
          formatOutcome(await verify(await requestChallenge(person), code)),
          '401 unauthenticated',
        );
    });

    it('refuses a challenge that is used, expired or invalid', async () => {
      const person = await enroll();
      const token = await requestChallenge(person);
      assert.equal(formatOutcome(await verify(token, person.recoveryCodes[0]!)), '200');
      assert.equal(formatOutcome(await verify(token, person.recoveryCodes[1]!)), '401 unauthenticated');
      const late = await requestChallenge(person);
      pass(301);
      assert.equal(formatOutcome(await verify(late, generateCode(person.secret))), '401 unauthenticated');
      const { accessToken, refreshToken } = await parley.signIn(person);
      const forged = `${late.split('.')[0]}.${Buffer.alloc(32, 1).toString('base64url')}`;
      for (const none of [accessToken, refreshToken, forged, 'x'.repeat(40), `${late.split('.')[0]}.`])
        assert.equal(formatOutcome(await verify(none, generateCode(person.secret))), '401 unauthenticated');
      assert.equal((await person.session.get('/api/auth/mfa')).status, 200);
    });

    itInSoak('compares the code with the factor that is active at the time of the request', async () => {
      const person = await enroll();
      const { userId, secret, session } = person;
      const token = await requestChallenge(person);
      const off = await session.post('/api/auth/mfa/disable', {
        password: PASSWORD,
        code: generateCode(secret),
      });
      assert.equal(formatOutcome(off), '200');
      passStep();
      assert.equal(formatOutcome(await verify(token, generateCode(secret))), '401 unauthenticated');
      const { client } = await parley.signIn({ userId });
      const { body: second } = await client.post('/api/auth/mfa/setup');
      assert.equal(formatOutcome(await verify(token, generateCode(second.secret))), '401 unauthenticated');
      await client.post('/api/auth/mfa/activate', { code: generateCode(second.secret, -1) });
      assert.equal(formatOutcome(await verify(token, generateCode(secret))), '401 unauthenticated');
      assert.equal(formatOutcome(await verify(token, generateCode(second.secret))), '200');
    });

    itInSoak('refuses a challenge older than a changed or reset password', async () => {
      const person = await enroll();
      const { session, userId, email, secret } = person;
      const changed = 'four green lamps at dusk';
      const beforeChange = await requestChallenge(person);
      const change = { current_password: PASSWORD, new_password: changed };
      assert.equal(formatOutcome(await session.post('/api/auth/password/change', change)), '200');
      const late = await verify(beforeChange, generateCode(secret));
      assert.equal(formatOutcome(late), '401 unauthenticated');
      assert.match(late.problem.error.message, /password has been changed/);
      const login = await parley.client().post('/api/auth/login', { email, password: changed });
      await parley.client().post('/api/auth/password/forgot', { email });
      await answerRequests(parley);
      const reset = { token: await readMailedToken(parley, email), new_password: PASSWORD };
      assert.equal(formatOutcome(await parley.client().post('/api/auth/password/reset', reset)), '200');
      for (const code of [generateCode(secret), person.recoveryCodes[0]!])
        assert.equal(formatOutcome(await verify(login.body.challenge_token, code)), '401 unauthenticated');
      assert.equal(await parley.database.repository(Session).countBy({ userId }), 0);
      assert.equal(formatOutcome(await verify(await requestChallenge(person), generateCode(secret))), '200');
    });

    itInSoak('leaves no session if the password is reset concurrently', async () => {
      const person = await enroll();
      const { userId, email, recoveryCodes } = person;
      for (const code of recoveryCodes.slice(0, 6)) {
        const token = await requestChallenge(person);
        await parley.client().post('/api/auth/password/forgot', { email });
        await answerRequests(parley);
        const reset = { token: await readMailedToken(parley, email), new_password: PASSWORD };
        const [, { status }] = await Promise.all([
          verify(token, code),
          parley.client().post('/api/auth/password/reset', reset),
        ]);
        assert.equal(status, 200);
        assert.equal(await parley.database.repository(Session).countBy({ userId }), 0);
      }
    });

    it('refuses a closed account', async () => {
      const person = await enroll();
      const token = await requestChallenge(person);
      await parley.database.repository(User).update(person.userId, { isActive: false });
      assert.equal(formatOutcome(await verify(token, generateCode(person.secret))), '401 unauthenticated');
    });

    itInSoak('slows down guesses at one account across two processes, but lets its owner in', async () => {
      const strict = { signInLimitPerAccount: 3 };
      const person = await enroll();
      const token = await requestChallenge(person);
      const processes = [
        await parley.startAnother(strict, { clock }),
        await parley.startAnother(strict, { clock }),
      ];
      // The first of the three tries was the code that was sent to activateMfa.
      const guesses: ApiResponse[] = [];
      for (const index of [0, 1, 0, 1])
        guesses.push(await verify(token, '000000', processes[index]!.client()));
      assert.deepEqual(guesses.map(formatOutcome), [
        ...Array(2).fill('401 unauthenticated'),
        ...Array(2).fill('429 rate_limited'),
      ]);
      await setTimeout(Number(guesses.at(-1)?.headers.get('retry-after')) * 1000);
      assert.equal(
        formatOutcome(await verify(token, generateCode(person.secret), processes[0]!.client())),
        '200',
      );
    });
  });

  describe('verifyMfa after too many wrong codes in a day', () => {
    it('refuses app codes until the next day and emails the owner, while emailed and recovery codes still work', async () => {
      const { userId, email, secret, recoveryCodes } = await enroll();
      const person = { email } as TestPerson;
      const strict = (await parley.startAnother({ wrongCodesPerDay: 3 }, { clock })).client();
      const token = await requestChallenge(person);
      await parley.database.sql('DELETE FROM rate_windows');
      for (let turn = 0; turn < 3; turn += 1)
        assert.equal(formatOutcome(await verify(token, '000000', strict)), '401 unauthenticated');
      const late = await verify(token, generateCode(secret), strict);
      assert.equal(formatOutcome(late), '429 rate_limited');
      assert.match(
        late.problem.error.message,
        /codes are accepted again at .* UTC\. Recovery codes still work\.$/,
      );
      await answerRequests(parley);
      const mail = (await readMailsTo(parley, email)).at(-1);
      assert.deepEqual(
        [mail?.template, mail?.values['codes'], mail?.values['otherWays']],
        ['codes_paused', 'codes of your second factor', 'Recovery codes still work.'],
      );
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), recoveryCodes[0]!, strict)),
        '200',
      );
      const code = { email, code: '000000' };
      assert.equal(formatOutcome(await strict.post('/api/auth/otp/verify', code)), '401 unauthenticated');
      await parley.database.sql(`UPDATE rate_windows SET expires_at = now() WHERE key LIKE 'factor_codes%'`);
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), generateCode(secret), strict)),
        '200',
      );
      assert.equal(await parley.database.repository(Session).countBy({ userId }), 3);
    });

    itInSoak(
      'counts all wrong codes, even of as many concurrent requests as there are database connections',
      async () => {
        const person = await enroll();
        const strict = (await parley.startAnother({ wrongCodesPerDay: 3 }, { clock })).client();
        const tokens = await Promise.all(Array.from({ length: 8 }, () => requestChallenge(person)));
        const responses = await Promise.all(tokens.map((token) => verify(token, '000000', strict)));
        assert.ok(responses.every(({ status }) => status === 401 || status === 429));
        const right = await verify(await requestChallenge(person), generateCode(person.secret), strict);
        assert.equal(formatOutcome(right), '429 rate_limited');
        await answerRequests(parley);
        const mails = await readMailsTo(parley, person.email);
        assert.equal(mails.filter(({ template }) => template === 'codes_paused').length, 1);
      },
    );
  });

  describe('requestOtp and verifyOtp', () => {
    let person: TestPerson;
    beforeEach(async () => {
      person = await buildPerson(parley);
    });
    const post = <const P extends string>(path: P, body: object) => parley.client().post(path, body);
    async function requestCode(email = person.email): Promise<void> {
      await post('/api/auth/otp/request', { email });
      await answerRequests(parley);
    }
    const verify = (code: string, email = person.email) => post('/api/auth/otp/verify', { email, code });
    const changeCode = (code: string) => (code === '000000' ? '000001' : '000000');
    /** Moves the expiry of the person’s sign-in codes earlier, as if that time had passed. */
    const passSeconds = (seconds: number) =>
      parley.database.sql(
        'UPDATE sign_in_codes SET expires_at = expires_at - make_interval(secs => $2) WHERE email = $1',
        [person.email, seconds],
      );

    it('accept an emailed code once', async () => {
      await requestCode();
      const code = await readMailedCode(parley, person.email);
      const responses = await Promise.all([verify(code), verify(code), verify(code)]);
      assert.deepEqual(responses.map(formatOutcome).sort(), [
        '200',
        '401 unauthenticated',
        '401 unauthenticated',
      ]);
      assert.equal(formatOutcome(await verify(code)), '401 unauthenticated');
    });

    it('refuse a code after five wrong codes, after ten minutes, and once another code was emailed', async () => {
      await requestCode();
      const code = await readMailedCode(parley, person.email);
      for (let tries = 0; tries < 5; tries += 1)
        assert.equal(formatOutcome(await verify(changeCode(code))), '401 unauthenticated');
      assert.equal(formatOutcome(await verify(code)), '401 unauthenticated');
      await requestCode();
      const next = await readMailedCode(parley, person.email);
      await passSeconds(600);
      assert.equal(formatOutcome(await verify(next)), '401 unauthenticated');
      await requestCode();
      if (code !== (await readMailedCode(parley, person.email)))
        assert.equal(formatOutcome(await verify(code)), '401 unauthenticated');
      await passSeconds(590);
      assert.equal(formatOutcome(await verify(await readMailedCode(parley, person.email))), '200');
    });

    itInSoak(
      'refuse emailed codes for a day after too many wrong codes, except from the owner’s address, and return the time of the next attempt',
      async () => {
        const strict = { wrongCodesPerDay: 4 };
        const processes = [await parley.startAnother(strict), await parley.startAnother(strict)];
        const guess = (turn: number, email: string, code: string) =>
          processes[turn % 2]!.client().post('/api/auth/otp/verify', { email, code });
        for (const email of [person.email, 'nobody-there@example.com']) {
          await requestCode(email);
          const outcomes: string[] = [];
          for (let turn = 0; turn < 4; turn += 1)
            outcomes.push(formatOutcome(await guess(turn, email, 'x'.repeat(6))));
          assert.deepEqual(new Set(outcomes), new Set(['422 validation_error']));
          const code = email === person.email ? await readMailedCode(parley, email) : '123456';
          for (let turn = 0; turn < 4; turn += 1)
            assert.equal(formatOutcome(await guess(turn, email, changeCode(code))), '401 unauthenticated');
          for (const turn of [0, 1]) {
            const { status, headers, problem } = await guess(turn, email, code);
            assert.equal(status, 429);
            assert.match(
              problem.error.message,
              /codes are accepted again at \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Other ways/,
            );
            assert.ok(Number(headers.get('retry-after')) > 86_000);
          }
        }
        await answerRequests(parley);
        const mails = (await readMailsTo(parley, person.email)).filter(
          ({ template }) => template === 'codes_paused',
        );
        assert.deepEqual(
          mails.map(({ values }) => values['codes']),
          ['emailed codes'],
        );
        assert.deepEqual(await readMailsTo(parley, 'nobody-there@example.com'), []);
        const login = await processes[0]!.client().post('/api/auth/login', {
          email: person.email,
          password: PASSWORD,
        });
        assert.equal(login.status, 200);
        // After a sign-in from this network address, wrong codes from other addresses do not block sign-ins
        // from it.
        await requestCode();
        assert.equal(
          formatOutcome(await guess(0, person.email, await readMailedCode(parley, person.email))),
          '200',
        );
      },
    );

    it('refuse a code of another address, and any code for an address without an account', async () => {
      const other = await buildPerson(parley);
      await requestCode();
      await requestCode('nobody@example.com');
      const code = await readMailedCode(parley, person.email);
      assert.equal(formatOutcome(await verify(code, other.email)), '401 unauthenticated');
      assert.equal(formatOutcome(await verify(code, 'nobody@example.com')), '401 unauthenticated');
    });

    it('leave the second factor on', async () => {
      await parley.database.repository(User).update(person.userId, { mfaActivatedAt: new Date() });
      await requestCode();
      const { body } = await verify(await readMailedCode(parley, person.email));
      assert.equal(body.mfa_required, true);
    });
  });
});
