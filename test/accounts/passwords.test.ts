import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { newId } from '../../core/ids.ts';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildAccountCalls,
  NEW_PASSWORD,
  answerRequests,
  buildPerson,
  readMailedToken,
  readMailsTo,
  PASSWORD,
  type TestPerson,
} from './support.ts';
import { formatOutcome } from '../support/outcome.ts';
import { MAX_HASH_THREADS } from '../../services/accounts/passwords/hash-threads.ts';
import {
  hashPassword,
  refuseGuessable,
  verifyPassword,
} from '../../services/accounts/passwords/passwords.ts';

describe('passwords:', () => {
  let parley: SharedParley;
  let person: TestPerson;
  before(async () => {
    parley = await startSharedParley();
  });
  beforeEach(async () => {
    person = await buildPerson(parley);
  });

  const { post, login, register } = buildAccountCalls(() => parley);

  describe('common passwords', () => {
    it('on the list are all refused by register, resetPassword, changePassword and acceptInvitation', async () => {
      const list = readFileSync('services/accounts/passwords/common-passwords.txt', 'utf8')
        .trim()
        .split('\n');
      assert.ok(list.length > 15_000);
      for (const common of list) assert.throws(() => refuseGuessable('password', common, []));
      await post('/api/auth/password/forgot', { email: person.email });
      await answerRequests(parley);
      const token = await readMailedToken(parley, person.email);
      const { accessToken } = await parley.signIn(person);
      const { body: invitation } = await person.client.post(`/api/orgs/${person.orgId}/invitations`, {
        email: `${newId()}@example.com`,
      });
      const invited = {
        token: parley.runtime.keyring.deriveInvitationToken(invitation.id, 1),
        full_name: 'Grace Obi',
      };
      const everywhere = list.slice(0, 3000).filter((_, rank) => rank % 500 === 0);
      for (const guess of [
        ...everywhere,
        'PASSWORD1',
        'ｐａｓｓｗｏｒｄ',
        'P@ssw0rd',
        'aaaaaaaaaaaa',
        '123123123',
        '987654321',
        'abc123abc123',
        '31121999',
        'parley123',
        'Parley2026!!',
      ]) {
        const change = { current_password: PASSWORD, new_password: guess };
        for (const response of [
          await register(`${newId()}@example.com`, { password: guess }),
          await post('/api/auth/password/reset', { token, new_password: guess }),
          await post('/api/auth/password/change', change, accessToken),
          await post('/api/invitations/accept', { ...invited, password: guess }),
        ]) {
          assert.equal(formatOutcome(response), '422 validation_error', guess);
          assert.match(response.problem.details[0]!.field, /^(new_)?password$/);
        }
      }
    });

    it('do not include phrases, mixed characters or long texts', async () => {
      for (const good of [
        'three blue lamps at noon',
        'Xk9#mQ2v',
        '83920174',
        'tr0ub4dor&3',
        'é密🔑'.repeat(60),
      ])
        assert.doesNotThrow(() => refuseGuessable('password', good, ['ada@example.com', 'Ada King']), good);
    });

    it('are refused by register if they consist of the caller’s own name or address', async () => {
      const own = { full_name: 'Adalbert Quux', password: 'AdalbertQuux1!' };
      assert.equal(formatOutcome(await register(`${newId()}@example.com`, own)), '422 validation_error');
      const address = { password: 'lighthouse.keeper' };
      assert.equal(
        formatOutcome(await register('lighthouse.keeper@example.com', address)),
        '422 validation_error',
      );
    });
  });

  describe('changePassword', () => {
    it('keeps this session, ends all other sessions and emails the owner', async () => {
      const [here, there] = [await parley.signIn(person), await parley.signIn(person)];
      const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
      assert.equal(formatOutcome(await here.client.post('/api/auth/password/change', body)), '200');
      assert.equal((await here.client.get('/api/auth/me')).status, 200);
      assert.equal((await there.client.get('/api/auth/me')).status, 401);
      assert.equal((await login(person.email, PASSWORD)).status, 401);
      assert.equal((await login(person.email, NEW_PASSWORD)).status, 200);
      assert.equal((await readMailsTo(parley, person.email))[0]!.template, 'password_changed');
    });

    it('requires the current password', async () => {
      const { client } = await parley.signIn(person);
      const body = { current_password: 'something else', new_password: NEW_PASSWORD };
      const response = await client.post('/api/auth/password/change', body);
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.equal(response.problem.details[0]!.field, 'current_password');
    });

    it('invalidates the links that forgotPassword has emailed before', async () => {
      await post('/api/auth/password/forgot', { email: person.email });
      await answerRequests(parley);
      const { client } = await parley.signIn(person);
      const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
      assert.equal(formatOutcome(await client.post('/api/auth/password/change', change)), '200');
      const late = { token: await readMailedToken(parley, person.email), new_password: PASSWORD };
      assert.equal(formatOutcome(await post('/api/auth/password/reset', late)), '422 validation_error');
    });
  });

  describe('a password that is changed while a request uses it', () => {
    const uses: [what: string, refusal: string, use: (token: string) => Promise<ApiResponse>][] = [
      ['is refused by login', '401 unauthenticated', () => login(person.email, PASSWORD)],
      [
        'is refused by changePassword',
        '422 validation_error',
        (token) =>
          parley
            .client(token)
            .post('/api/auth/password/change', { current_password: PASSWORD, new_password: NEW_PASSWORD }),
      ],
    ];
    for (const [what, refusal, use] of uses) {
      it(what, async () => {
        const { accessToken } = await parley.signIn(person);
        const passwordHash = await hashPassword('five white lamps at dawn');
        const { response } = await parley.database.transaction(async (db) => {
          await db.repository(User).update(person.userId, { passwordHash });
          const sent = use(accessToken);
          await waitUntilBlocked(parley.database, 'the request that uses the password');
          return { response: sent };
        });
        assert.equal(formatOutcome(await response), refusal);
        assert.equal((await login(person.email, 'five white lamps at dawn')).status, 200);
      });
    }
  });

  describe('forgotPassword and resetPassword', () => {
    async function resetToken(): Promise<string> {
      await post('/api/auth/password/forgot', { email: person.email });
      await answerRequests(parley);
      return readMailedToken(parley, person.email);
    }
    const reset = (token: string, password = NEW_PASSWORD) =>
      post('/api/auth/password/reset', { token, new_password: password });
    /**
     * Sends a request whose body stays incomplete until the returned function `end` is called, which returns
     * the response's status.
     */
    function holdBody(path: string, token: string, body: object) {
      const text = JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': text.length,
      };
      const sent = request(parley.baseUrl + path, { method: 'POST', headers });
      const received = once(sent, 'response');
      return {
        begin: () => sent.flushHeaders(),
        end: async () => {
          sent.end(text);
          const [response] = (await received) as [IncomingMessage];
          response.resume();
          return response.statusCode;
        },
      };
    }

    it('email a link that works once and ends all sessions', async () => {
      const { client } = await parley.signIn(person);
      const token = await resetToken();
      assert.equal(formatOutcome(await reset(token)), '200');
      assert.equal((await client.get('/api/auth/me')).status, 401);
      assert.equal(formatOutcome(await reset(token, 'five white lamps at dawn')), '422 validation_error');
      assert.equal((await login(person.email, NEW_PASSWORD)).status, 200);
    });

    it('list API keys and identities that still give access to the account, and revoke them on request', async () => {
      const { client } = await parley.signIn(person);
      assert.equal((await client.post('/api/auth/mfa/setup')).status, 200);
      const linked = parley.database.repository(LinkedIdentity);
      const identity = { provider: 'acme', issuer: 'https://acme.example', subject: person.userId };
      await linked.insert({
        id: newId(),
        userId: person.userId,
        email: null,
        lastLoginAt: null,
        ...identity,
      });
      await parley.database.repository(User).update(person.userId, { mfaActivatedAt: new Date() });
      const kept = await reset(await resetToken());
      const still = 'Still valid: one API key and sign-in with acme.';
      const factor = 'The second factor is still required.';
      assert.equal(
        kept.body.message,
        `Your password is set. Sign in with the new password. ${still} ${factor}`,
      );
      assert.equal((await person.client.get('/api/bots')).status, 200);
      const ended = { token: await resetToken(), new_password: NEW_PASSWORD, end_other_access: true };
      const { body } = await post('/api/auth/password/reset', ended);
      const nothing = 'Nothing else gives access.';
      assert.equal(body.message, `Your password is set. Sign in with the new password. ${nothing} ${factor}`);
      assert.equal((await person.client.get('/api/bots')).status, 401);
      assert.equal(await linked.countBy({ userId: person.userId }), 0);
      const mails = (await readMailsTo(parley, person.email)).filter(
        ({ template }) => template === 'password_reset',
      );
      assert.deepEqual(
        mails.map(({ values }) => values['access']),
        [`${still} ${factor}`, `${nothing} ${factor}`],
      );
    });

    itInSoak('refuse a concurrent request that began before the reset and continues after it', async () => {
      const { client } = await parley.signIn(person);
      const key = { name: 'Late', scopes: ['bots:read'] };
      let making: Promise<ApiResponse> | undefined;
      await parley.database.transaction(async (db) => {
        await new AccountRepository().findLocked(db, person.userId);
        making = client.post('/api/api-keys', key);
        await Promise.race([waitUntilBlocked(parley.database, 'the key'), making]);
        await db.sql('DELETE FROM sessions WHERE user_id = $1', [person.userId]);
      });
      assert.equal(formatOutcome(await making!), '401 unauthenticated');
      const next = await parley.signIn(person);
      const held = holdBody('/api/bots', next.accessToken, { name: 'Late' });
      const isMetered = () => parley.database.repository(RateWindow).existsBy({ key: `org:${person.orgId}` });
      await parley.database.repository(RateWindow).delete({ key: `org:${person.orgId}` });
      held.begin();
      await waitUntil(isMetered, 'the request to be known');
      const ended = { token: await resetToken(), new_password: NEW_PASSWORD, end_other_access: true };
      assert.equal(formatOutcome(await post('/api/auth/password/reset', ended)), '200');
      assert.equal(await held.end(), 401);
      for (const made of [ApiKey, Bot])
        assert.equal(await parley.database.repository<ApiKey | Bot>(made).countBy({ name: 'Late' }), 0);
    });

    it('unlink identities that were linked before the address was verified, and no other identities', async () => {
      const users = parley.database.repository(User);
      const { emailVerifiedAt } = await users.findOneByOrFail({ id: person.userId });
      const linked = parley.database.repository(LinkedIdentity);
      for (const [provider, laterMs] of [
        ['acme', -1],
        ['globex', 0],
        ['initech', 60_000],
      ] as const)
        await linked.insert({
          id: newId(),
          userId: person.userId,
          provider,
          issuer: `https://${provider}.example`,
          subject: person.userId,
          email: null,
          lastLoginAt: null,
          createdAt: new Date(emailVerifiedAt!.getTime() + laterMs),
        });
      assert.equal(formatOutcome(await reset(await resetToken())), '200');
      const left = await linked.find({ where: { userId: person.userId }, order: { provider: 'ASC' } });
      assert.deepEqual(
        left.map(({ provider }) => provider),
        ['globex', 'initech'],
      );
    });

    itInSoak('set one password if the link is used twice concurrently', async () => {
      const token = await resetToken();
      const responses = await Promise.all([reset(token), reset(token, 'five white lamps at dawn')]);
      assert.deepEqual(responses.map(formatOutcome).sort(), ['200', '422 validation_error']);
    });

    it('leave the second factor on', async () => {
      await parley.database.repository(User).update(person.userId, { mfaActivatedAt: new Date() });
      assert.equal(formatOutcome(await reset(await resetToken())), '200');
      const { body } = await login(person.email, NEW_PASSWORD);
      assert.equal(body.mfa_required, true);
      assert.equal(body.access_token, undefined);
    });

    it('return the same response for an address without an account, and send no email to it', async () => {
      for (const path of ['/api/auth/password/forgot', '/api/auth/email/resend', '/api/auth/otp/request']) {
        const unknownResponse = await post(path, { email: 'nobody@example.com' });
        const known = await post(path, { email: person.email });
        assert.deepEqual([unknownResponse.status, unknownResponse.body], [known.status, known.body]);
      }
      await answerRequests(parley);
      assert.deepEqual(await readMailsTo(parley, 'nobody@example.com'), []);
      const templates = (await readMailsTo(parley, person.email)).map(({ template }) => template);
      assert.deepEqual(templates.sort(), ['reset_password', 'sign_in_code']);
    });

    it('refuse links that expired, are forged, or serve another purpose', async () => {
      const token = await resetToken();
      const { accessToken, refreshToken } = await parley.signIn(person);
      assert.equal(formatOutcome(await post('/api/auth/email/verify', { token })), '422 validation_error');
      for (const other of ['x'.repeat(43), accessToken, refreshToken, `${token}A`])
        assert.equal(formatOutcome(await reset(other)), '422 validation_error');
      assert.equal((await parley.client(token).get('/api/auth/me')).status, 401);
      await parley.database
        .repository(AccountLink)
        .update({ userId: person.userId }, { expiresAt: new Date() });
      assert.equal(formatOutcome(await reset(token)), '422 validation_error');
    });
  });

  describe('password hashes', () => {
    it('use argon2id, and differ for the same text', async () => {
      const [one, other] = await Promise.all([
        hashPassword('three blue lamps'),
        hashPassword('three blue lamps'),
      ]);
      assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      assert.notEqual(one, other);
    });

    itInSoak('match only their own password in concurrent checks', async () => {
      const [one, other] = await Promise.all([
        hashPassword('three blue lamps'),
        hashPassword('four green ones'),
      ]);
      const verdicts = await Promise.all([
        verifyPassword(one, 'three blue lamps'),
        verifyPassword(other, 'three blue lamps'),
        verifyPassword(null, 'three blue lamps'),
        verifyPassword(null, ''),
        verifyPassword(other, 'four green ones'),
      ]);
      assert.deepEqual(verdicts, [true, false, false, false, true]);
    });

    it('match their password while a concurrent check rejects a malformed hash', async () => {
      const hash = await hashPassword('three blue lamps');
      const [broken, good] = await Promise.allSettled([
        verifyPassword('no hash', 'three blue lamps'),
        verifyPassword(hash, 'three blue lamps'),
      ]);
      assert.equal(broken.status, 'rejected');
      assert.deepEqual(good, { status: 'fulfilled', value: true });
    });

    it('are refused with rate_limited once the queue of checks is full', async () => {
      const asked = await Promise.allSettled(
        Array.from({ length: 600 * MAX_HASH_THREADS }, () => verifyPassword('no hash', 'three blue lamps')),
      );
      const codes = asked.map((each) => each.status === 'rejected' && each.reason.code);
      assert.equal(codes.filter((code) => code === 'rate_limited').length, 100 * MAX_HASH_THREADS);
      assert.equal(await verifyPassword(null, 'three blue lamps'), false);
    });
  });
});
