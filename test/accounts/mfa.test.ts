import assert from 'node:assert/strict';
import { RecoveryCode, TotpSecret } from '../../entities/accounts/totp-secret.entity.ts';
import type { TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { useSecondFactor } from './second-factor-support.ts';
import { buildPerson, readMailsTo, PASSWORD } from './support.ts';

describe('the second factor:', () => {
  let parley: TestParley;
  const { generateCode, setUp, enroll, requestChallenge, verify } = useSecondFactor(
    (started) => (parley = started),
  );

  describe('setupMfa and activateMfa', () => {
    it('return a secret that the table holds encrypted, and getMfaStatus shows it as pending', async () => {
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

    it('replace a pending secret, and refuse codes of the previous secret', async () => {
      const { session, secret } = await setUp();
      const { body: second } = await session.post('/api/auth/mfa/setup');
      assert.notEqual(second.secret, secret);
      const former = await session.post('/api/auth/mfa/activate', { code: generateCode(secret) });
      assert.equal(formatOutcome(former), '422 validation_error');
      assert.equal(former.problem.details[0]!.field, 'code');
      const present = await session.post('/api/auth/mfa/activate', { code: generateCode(second.secret) });
      assert.equal(formatOutcome(present), '200');
    });

    it('accept a code at most one step early or late', async () => {
      for (const accepted of [-1, 0, 1]) {
        const { session, secret } = await setUp();
        for (const steps of [-2, 2, accepted]) {
          const response = await session.post('/api/auth/mfa/activate', {
            code: generateCode(secret, steps),
          });
          const expected = steps === accepted ? '200' : '422 validation_error';
          assert.equal(formatOutcome(response), expected, String(steps));
        }
      }
    });

    it('refuse a code if no setup is pending', async () => {
      const { client } = await parley.signIn(await buildPerson(parley));
      const response = await client.post('/api/auth/mfa/activate', { code: '123456' });
      assert.equal(formatOutcome(response), '422 validation_error');
    });

    it('turn the factor on once for two concurrent requests at two processes', async () => {
      const { session, secret, userId } = await setUp();
      const another = await parley.startAnother();
      const { accessToken } = await parley.signIn({ userId });
      const code = generateCode(secret);
      const responses = await Promise.all([
        session.post('/api/auth/mfa/activate', { code }),
        another.client(accessToken).post('/api/auth/mfa/activate', { code }),
      ]);
      assert.equal(
        responses.filter(({ status }) => status === 200).length,
        1,
        responses.map(formatOutcome).join(),
      );
      assert.equal(await parley.database.repository(RecoveryCode).countBy({ userId }), 10);
    });

    it('show ten recovery codes once, end other sessions and email the owner', async () => {
      const person = await setUp();
      const other = await parley.signIn(person);
      const { body } = await person.session.post('/api/auth/mfa/activate', {
        code: generateCode(person.secret),
      });
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
      const [mail] = await readMailsTo(parley, person.email);
      assert.equal(mail?.template, 'second_factor_changed');
      assert.equal(mail?.values['isOn'], 'on');
    });

    it('refuse another setup until the factor is turned off', async () => {
      const { session } = await enroll();
      assert.equal(formatOutcome(await session.post('/api/auth/mfa/setup')), '409 conflict');
    });

    it('return the same codes to the same idempotency key', async () => {
      const { session, secret } = await setUp();
      const named = { 'idempotency-key': 'turn-on' };
      const body = { code: generateCode(secret) };
      const first = await session.post('/api/auth/mfa/activate', body, named);
      const second = await session.post('/api/auth/mfa/activate', body, named);
      assert.deepEqual(second.body, first.body);
      assert.equal(second.headers.get('idempotent-replay'), 'true');
    });
  });

  describe('regenerateRecoveryCodes', () => {
    it('replaces the recovery codes after a code of the app', async () => {
      const person = await enroll();
      const { status, body } = await person.session.post('/api/auth/mfa/recovery-codes', {
        code: generateCode(person.secret),
      });
      assert.equal(status, 200);
      assert.equal(new Set([...body.recovery_codes, ...person.recoveryCodes]).size, 20);
      const mail = (await readMailsTo(parley, person.email)).at(-1);
      assert.equal(mail?.values['subject'], 'Your recovery codes were replaced');
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), person.recoveryCodes[0]!)),
        '401 unauthenticated',
      );
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), body.recovery_codes[0]!)),
        '200',
      );
    });

    it('changes nothing after a wrong or used code, or while the factor is off', async () => {
      const person = await enroll();
      const used = generateCode(person.secret);
      await verify(await requestChallenge(person), used);
      for (const code of ['000000', used, person.recoveryCodes[0]!.slice(0, 16)]) {
        const response = await person.session.post('/api/auth/mfa/recovery-codes', { code });
        assert.equal(formatOutcome(response), '422 validation_error');
      }
      const { session } = await setUp();
      const off = await session.post('/api/auth/mfa/recovery-codes', { code: '123456' });
      assert.equal(formatOutcome(off), '422 validation_error');
      assert.equal(
        formatOutcome(await verify(await requestChallenge(person), person.recoveryCodes[0]!)),
        '200',
      );
    });
  });

  describe('deleteMe', () => {
    it('requires a code in addition to the password', async () => {
      const { session, secret } = await enroll();
      const deleteAccountWithCode = (code?: string) =>
        session.post('/api/auth/me/delete', { password: PASSWORD, code });
      for (const code of [undefined, '000000'])
        assert.equal(formatOutcome(await deleteAccountWithCode(code)), '422 validation_error');
      assert.equal((await session.get('/api/auth/mfa')).status, 200);
      const response = await deleteAccountWithCode(generateCode(secret));
      // The API refuses for the next reason, that the person is the last owner of a workspace: it accepted the code.
      assert.equal(formatOutcome(response), '409 last_owner');
    });
  });

  describe('disableMfa', () => {
    it('requires the password and a code, and deletes secret and recovery codes', async () => {
      const person = await enroll();
      const { session, secret, userId, email } = person;
      const disable = (password: string, code: string) =>
        session.post('/api/auth/mfa/disable', { password, code });
      const wrong = await disable('not my password', generateCode(secret));
      assert.equal(wrong.problem.details[0]!.field, 'password');
      assert.equal((await disable(PASSWORD, '000000'))!.problem.details[0]!.field, 'code');
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
      const mails = await readMailsTo(parley, email);
      assert.equal(mails.at(-1)?.values['isOn'], 'off');
      const login = await parley.client().post('/api/auth/login', { email, password: PASSWORD });
      assert.ok(login.body.access_token);
    });
  });
});
