import assert from 'node:assert/strict';
import { SignInCode } from '../../entities/accounts/account-link.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import {
  answerRequests,
  buildAccountCalls,
  buildPerson,
  PASSWORD,
  readMailedCode,
  readMailsTo,
  type TestPerson,
} from './support.ts';

describe('deleteMe', () => {
  let parley: TestParley;
  let person: TestPerson;
  before(async () => {
    parley = await startParley();
  });
  beforeEach(async () => {
    person = await buildPerson(parley);
  });
  after(() => parley.stop());

  const { post, login } = buildAccountCalls(() => parley);
  const deleteAccount = (token: string, body: object = { password: PASSWORD }) =>
    post('/api/auth/me/delete', body, token);

  it('is refused to the last owner of a workspace', async () => {
    const { accessToken } = await parley.signIn(person);
    assert.equal(formatOutcome(await deleteAccount(accessToken)), '409 last_owner');
    assert.equal((await parley.client(accessToken).get('/api/auth/me')).status, 200);
  });

  describe('with an emailed code', () => {
    let code: string;
    let token: string;
    beforeEach(async () => {
      const { userId, email } = person;
      token = (await parley.signIn(person)).accessToken;
      await parley.database.repository(User).update(userId, { passwordHash: null });
      const early = { createdAt: new Date(Date.now() - 601_000) };
      await parley.database.repository(Session).update({ userId }, early);
      await post('/api/auth/otp/request', { email });
      await answerRequests(parley);
      code = await readMailedCode(parley, email);
    });

    it('uses up the code even if it returns last_owner', async () => {
      assert.equal(formatOutcome(await deleteAccount(token, { code })), '409 last_owner');
      const signIn = await post('/api/auth/otp/verify', { email: person.email, code });
      assert.equal(formatOutcome(signIn), '401 unauthenticated');
    });

    it('returns rate_limited if other calls reach the daily limit of wrong codes during the check', async () => {
      const strict = (await parley.startAnother({ wrongCodesPerDay: 2 })).client(token);
      const send = (code: string) => strict.post('/api/auth/me/delete', { code });
      const wrong = code === '000000' ? '000001' : '000000';
      assert.equal(formatOutcome(await send(wrong)), '422 validation_error');
      const { sent } = await parley.database.transaction(async (db) => {
        const lock = { mode: 'pessimistic_write' } as const;
        await db.repository(SignInCode).findOneOrFail({ where: { email: person.email }, lock });
        const sent = send(code);
        await waitUntilBlocked(parley.database, 'the check of the code');
        await parley.database.sql(`UPDATE rate_windows SET used = 2 WHERE key LIKE 'mailed_codes_paused%'`);
        return { sent };
      });
      assert.equal(formatOutcome(await sent), '429 rate_limited');
    });
  });

  it('ends all sessions and keys at once, and removes the account', async () => {
    const { accessToken } = await parley.signIn(person);
    const { userId: heir } = await parley.buildOrg({ orgId: person.orgId });
    assert.equal(
      formatOutcome(await deleteAccount(accessToken, { password: 'wrong' })),
      '422 validation_error',
    );
    assert.equal(formatOutcome(await deleteAccount(accessToken)), '202');
    assert.equal((await parley.client(accessToken).get('/api/auth/me')).status, 401);
    assert.equal((await person.client.get('/api/bots')).status, 401);
    assert.equal((await login(person.email, PASSWORD)).status, 401);
    assert.equal((await readMailsTo(parley, person.email))[0]!.template, 'account_deleted');
    assert.equal(await parley.database.repository(Membership).countBy({ userId: person.userId }), 0);
    await parley.runtime.services.accounts.accounts.delete(parley.database, person.userId);
    assert.equal(await parley.database.repository(User).countBy({ id: person.userId }), 0);
    assert.equal(await parley.database.repository(User).countBy({ id: heir }), 1);
  });
});
