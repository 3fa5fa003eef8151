import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { AccountLink } from '../../entities/accounts/account-link.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { hashPassword } from '../../services/accounts/passwords.ts';
import { startParley, type ApiAnswer, type TestParley } from '../support/parley.ts';
import { untilBlocked } from '../support/until-blocked.ts';
import { until } from '../support/until.ts';
import {
  answerRequests,
  buildPerson,
  mailedCode,
  mailedToken,
  mailsTo,
  PASSWORD,
  signInWith,
  type TestPerson,
} from './support.ts';
import { outcomeOf } from '../support/outcome.ts';

const NEW = 'four green lamps at dusk';

describe('accounts', () => {
  let parley: TestParley;
  let person: TestPerson;
  before(async () => {
    parley = await startParley();
  });
  beforeEach(async () => {
    person = await buildPerson(parley);
  });
  after(() => parley.stop());

  const post = (path: string, body: object, token?: string) => parley.client(token).post(path, body);
  const login = (email: string, password: string) => post('/api/auth/login', { email, password });
  const register = (email: string, changes: object = {}) =>
    post('/api/auth/register', { email, password: NEW, full_name: 'Grace Hopper', ...changes });

  describe('that are registered', () => {
    const verify = (token: string, body: object = {}) => post('/api/auth/email/verify', { token, ...body });

    it('have a workspace of their own, once the link is followed with the password', async () => {
      const email = `${newId()}@example.com`;
      assert.equal(outcomeOf(await register(email.toUpperCase())), '200');
      const link = await mailedToken(parley, email);
      const wrong = await verify(link, { password: 'not the password' });
      assert.equal(`${outcomeOf(wrong)} ${wrong.body.details[0].field}`, '422 validation_error password');
      const { body } = await verify(link, { password: NEW });
      assert.equal(body.message, 'The address is verified; sign in with your password.');
      assert.equal(outcomeOf(await verify(link, { password: NEW })), '422 validation_error');
      const { access_token: token } = await signInWith(parley.client(), email, NEW);
      const { body: me } = await parley.client(token).get('/api/auth/me');
      assert.equal(me.user.is_verified, true);
      assert.equal(me.organization.name, 'Grace Hopper’s workspace');
      assert.equal(me.organization.role, 'owner');
    });

    it('tell by no way to sign in whether the address was free: nobody gets in before it is confirmed', async () => {
      const free = `${newId()}@example.com`;
      const told = async (email: string) => {
        const answers = [await register(email), await login(email, NEW), await login(email, 'another one')];
        return answers.map(({ status, body: { message, error } }) => ({ status, message, error }));
      };
      const [ofFree, ofTaken] = [await told(free), await told(person.email)];
      assert.deepEqual(ofFree, ofTaken);
      assert.deepEqual(
        ofFree.map(({ status }) => status),
        [200, 401, 401],
      );
      await parley.database.repository(User).update({ email: free }, { mfaActivatedAt: new Date() });
      assert.equal(outcomeOf(await login(free, NEW)), '401 unauthenticated');
      const { id } = await parley.database.repository(User).findOneByOrFail({ email: free });
      assert.equal(await parley.database.repository(Session).countBy({ userId: id }), 0);
    });

    it('are mailed another link when they are registered again before, which changes nothing else', async () => {
      const email = `${newId()}@example.com`;
      await register(email);
      await register(email, { password: 'five red lamps at dawn', full_name: 'Mallory' });
      const mails = await mailsTo(parley, email);
      assert.deepEqual(
        mails.map(({ template, values }) => [template, values['name']]),
        [
          ['verify_email', 'Grace Hopper'],
          ['verify_email', 'Grace Hopper'],
        ],
      );
      assert.equal(outcomeOf(await verify(await mailedToken(parley, email), { password: NEW })), '200');
      assert.equal((await login(email, NEW)).status, 200);
    });

    it('take a new password from whoever follows the link, and no other way', async () => {
      const email = `${newId()}@example.com`;
      await register(email);
      const link = await mailedToken(parley, email);
      const fresh = 'five red lamps at dawn';
      const both = await verify(link, { password: NEW, new_password: fresh });
      assert.equal(`${outcomeOf(both)} ${both.body.details[0].field}`, '422 validation_error new_password');
      assert.equal(outcomeOf(await verify(link, { new_password: 'password1' })), '422 validation_error');
      const answers = await Promise.all([
        verify(link, { new_password: fresh }),
        verify(link, { password: NEW }),
      ]);
      assert.deepEqual(answers.map(outcomeOf).sort(), ['200', '422 validation_error']);
      const [good, bad] = outcomeOf(answers[0]!) === '200' ? [fresh, NEW] : [NEW, fresh];
      assert.deepEqual([(await login(email, good)).status, (await login(email, bad)).status], [200, 401]);
    });

    it('keep the password of an address that was confirmed before, whatever its link is followed with', async () => {
      await post('/api/auth/email/resend', { email: person.email });
      const digest = digestSecret('a link of before');
      const link = { digest, userId: person.userId, purpose: 'verify_email', lifetimeSeconds: 60 } as const;
      await new AccountLinkRepository().insert(parley.database, link);
      assert.equal(
        outcomeOf(await verify('a link of before', { new_password: NEW })),
        '422 validation_error',
      );
      assert.equal(outcomeOf(await verify('a link of before')), '200');
      assert.equal((await login(person.email, PASSWORD)).status, 200);
    });

    it('answer the same when the address is taken, and change nothing of its account', async () => {
      const fresh = await register(`${newId()}@example.com`);
      const memberships = () => parley.database.repository(Membership).countBy({ userId: person.userId });
      const before = await memberships();
      const taken = await register(person.email);
      assert.deepEqual([taken.status, taken.body], [fresh.status, fresh.body]);
      assert.equal(await memberships(), before);
      assert.equal((await login(person.email, NEW)).status, 401);
      const [mail] = await mailsTo(parley, person.email);
      assert.equal(mail!.template, 'address_taken');
    });

    it('are none where accounts are made by invitation alone, whatever the address', async () => {
      const closed = (await parley.startAnother({ registration: 'invited' })).client();
      const fresh = `${newId()}@example.com`;
      for (const email of [fresh, person.email]) {
        const body = { email, password: NEW, full_name: 'Grace Hopper' };
        const answer = await closed.post('/api/auth/register', body);
        assert.equal(outcomeOf(answer), '403 forbidden');
        assert.match(answer.body.detail, /^Accounts are made by invitation here/);
      }
      assert.equal(await parley.database.repository(User).countBy({ email: fresh }), 0);
      assert.deepEqual(await mailsTo(parley, person.email), []);
    });

    it('are one, when twenty ask for the same address at once', async () => {
      const email = `${newId()}@example.com`;
      const answers = await Promise.all(Array.from({ length: 20 }, () => register(email)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal(await parley.database.repository(User).countBy({ email }), 1);
    });

    it('have a name that can be read', async () => {
      for (const named of [
        { full_name: ' \t ' },
        { organization_name: '   ' },
        { full_name: '\u200B\u2060' },
        { organization_name: '\u3164\u3164' },
      ])
        assert.equal(
          outcomeOf(await register(`${newId()}@example.com`, named)),
          '422 validation_error',
          JSON.stringify(named),
        );
    });

    it('keep their line when a name tries to become headers of a mail', async () => {
      const email = `${newId()}@example.com`;
      await register(email, { full_name: 'Eve\r\nBcc: all@example.com' });
      const [mail] = await mailsTo(parley, email);
      assert.doesNotMatch(mail!.values['name']!, /[\r\n]/);
    });
  });

  describe('and passwords that everybody tries first', () => {
    it('are refused, every one of the list, wherever one is chosen', async () => {
      const { refuseGuessable } = await import('../../services/accounts/passwords.ts');
      const list = readFileSync('services/accounts/common-passwords.txt', 'utf8').trim().split('\n');
      assert.ok(list.length > 15_000);
      for (const common of list) assert.throws(() => refuseGuessable('password', common, []));
      await post('/api/auth/password/forgot', { email: person.email });
      await answerRequests(parley);
      const token = await mailedToken(parley, person.email);
      const { accessToken } = await parley.signIn(person);
      const { body: invitation } = await person.client.post(`/api/orgs/${person.orgId}/invitations`, {
        email: `${newId()}@example.com`,
      });
      const invited = {
        token: parley.runtime.keyring.invitationToken(invitation.id, 1),
        full_name: 'Grace Obi',
      };
      const everywhere = list.slice(0, 3000).filter((_, rank) => rank % 100 === 0);
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
        for (const answer of [
          await register(`${newId()}@example.com`, { password: guess }),
          await post('/api/auth/password/reset', { token, new_password: guess }),
          await post('/api/auth/password/change', change, accessToken),
          await post('/api/invitations/accept', { ...invited, password: guess }),
        ]) {
          assert.equal(outcomeOf(answer), '422 validation_error', guess);
          assert.match(answer.body.details[0].field, /^(new_)?password$/);
        }
      }
    });

    it('are no others: repeated words, mixed characters and long texts are one’s own choice', async () => {
      const { refuseGuessable } = await import('../../services/accounts/passwords.ts');
      for (const good of [
        'three blue lamps at noon',
        'Xk9#mQ2v',
        '83920174',
        'tr0ub4dor&3',
        'é密🔑'.repeat(60),
      ])
        assert.doesNotThrow(() => refuseGuessable('password', good, ['ada@example.com', 'Ada King']), good);
    });

    it('are those that are made of one’s own name or address, too', async () => {
      const own = { full_name: 'Adalbert Quux', password: 'AdalbertQuux1!' };
      assert.equal(outcomeOf(await register(`${newId()}@example.com`, own)), '422 validation_error');
      const address = { password: 'lighthouse.keeper' };
      assert.equal(
        outcomeOf(await register('lighthouse.keeper@example.com', address)),
        '422 validation_error',
      );
    });
  });

  describe('whose password is changed', () => {
    it('keep this session and lose all others, and are told by mail', async () => {
      const [here, there] = [await parley.signIn(person), await parley.signIn(person)];
      const body = { current_password: PASSWORD, new_password: NEW };
      assert.equal(outcomeOf(await here.client.post('/api/auth/password/change', body)), '200');
      assert.equal((await here.client.get('/api/auth/me')).status, 200);
      assert.equal((await there.client.get('/api/auth/me')).status, 401);
      assert.equal((await login(person.email, PASSWORD)).status, 401);
      assert.equal((await login(person.email, NEW)).status, 200);
      assert.equal((await mailsTo(parley, person.email))[0]!.template, 'password_changed');
    });

    it('need the present one', async () => {
      const { client } = await parley.signIn(person);
      const body = { current_password: 'something else', new_password: NEW };
      const answer = await client.post('/api/auth/password/change', body);
      assert.equal(outcomeOf(answer), '422 validation_error');
      assert.equal(answer.body.details[0].field, 'current_password');
    });
  });

  describe('whose password is changed while somebody uses the one before', () => {
    const uses: [what: string, refusal: string, use: (token: string) => Promise<ApiAnswer>][] = [
      ['are not entered with it', '401 unauthenticated', () => login(person.email, PASSWORD)],
      [
        'do not get another one with it',
        '422 validation_error',
        (token) =>
          parley
            .client(token)
            .post('/api/auth/password/change', { current_password: PASSWORD, new_password: NEW }),
      ],
    ];
    for (const [what, refusal, use] of uses) {
      it(what, async () => {
        const { accessToken } = await parley.signIn(person);
        const passwordHash = await hashPassword('five white lamps at dawn');
        const { answer } = await parley.database.transaction(async (db) => {
          await db.repository(User).update(person.userId, { passwordHash });
          const sent = use(accessToken);
          await untilBlocked(parley.database, 'whoever uses it');
          return { answer: sent };
        });
        assert.equal(outcomeOf(await answer), refusal);
        assert.equal((await login(person.email, 'five white lamps at dawn')).status, 200);
      });
    }

    it('get no further one by a link that was mailed before', async () => {
      await post('/api/auth/password/forgot', { email: person.email });
      await answerRequests(parley);
      const { client } = await parley.signIn(person);
      const change = { current_password: PASSWORD, new_password: NEW };
      assert.equal(outcomeOf(await client.post('/api/auth/password/change', change)), '200');
      const late = { token: await mailedToken(parley, person.email), new_password: PASSWORD };
      assert.equal(outcomeOf(await post('/api/auth/password/reset', late)), '422 validation_error');
    });
  });

  describe('whose password is forgotten', () => {
    async function resetToken(): Promise<string> {
      await post('/api/auth/password/forgot', { email: person.email });
      await answerRequests(parley);
      return mailedToken(parley, person.email);
    }
    const reset = (token: string, password = NEW) =>
      post('/api/auth/password/reset', { token, new_password: password });
    /** A request whose body stays away until `end`, which answers its status. */
    function holdBody(path: string, token: string, body: object) {
      const text = JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': text.length,
      };
      const sent = request(parley.baseUrl + path, { method: 'POST', headers });
      const answered = once(sent, 'response');
      return {
        begin: () => sent.flushHeaders(),
        end: async () => {
          sent.end(text);
          const [response] = (await answered) as [IncomingMessage];
          response.resume();
          return response.statusCode;
        },
      };
    }

    it('get a link that works once and ends all sessions', async () => {
      const { client } = await parley.signIn(person);
      const token = await resetToken();
      assert.equal(outcomeOf(await reset(token)), '200');
      assert.equal((await client.get('/api/auth/me')).status, 401);
      assert.equal(outcomeOf(await reset(token, 'five white lamps at dawn')), '422 validation_error');
      assert.equal((await login(person.email, NEW)).status, 200);
    });

    it('are told what else gives access, which ends if they say so', async () => {
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
      const still = 'Besides, one API key and sign-in with acme are still good.';
      const factor = 'The second factor is still asked for.';
      assert.equal(kept.body.message, `The password is set; sign in with it. ${still} ${factor}`);
      assert.equal((await person.client.get('/api/bots')).status, 200);
      const ended = { token: await resetToken(), new_password: NEW, end_other_access: true };
      const { body } = await post('/api/auth/password/reset', ended);
      const nothing = 'Nothing else gives access.';
      assert.equal(body.message, `The password is set; sign in with it. ${nothing} ${factor}`);
      assert.equal((await person.client.get('/api/bots')).status, 401);
      assert.equal(await linked.countBy({ userId: person.userId }), 0);
      const mails = (await mailsTo(parley, person.email)).filter(
        ({ template }) => template === 'password_reset',
      );
      assert.deepEqual(
        mails.map(({ values }) => values['access']),
        [`${still} ${factor}`, `${nothing} ${factor}`],
      );
    });

    it('do nothing by a request that has begun before, and is sent or done after it', async () => {
      const { client } = await parley.signIn(person);
      const key = { name: 'Late', scopes: ['bots:read'] };
      let making: Promise<ApiAnswer> | undefined;
      await parley.database.transaction(async (db) => {
        await new AccountRepository().findLocked(db, person.userId);
        making = client.post('/api/api-keys', key);
        await Promise.race([untilBlocked(parley.database, 'the key'), making]);
        await db.sql('DELETE FROM sessions WHERE user_id = $1', [person.userId]);
      });
      assert.equal(outcomeOf(await making!), '401 unauthenticated');
      const next = await parley.signIn(person);
      const held = holdBody('/api/bots', next.accessToken, { name: 'Late' });
      const isMetered = () => parley.database.repository(RateWindow).existsBy({ key: `org:${person.orgId}` });
      await parley.database.repository(RateWindow).delete({ key: `org:${person.orgId}` });
      held.begin();
      await until(isMetered, 'the request to be known');
      const ended = { token: await resetToken(), new_password: NEW, end_other_access: true };
      assert.equal(outcomeOf(await post('/api/auth/password/reset', ended)), '200');
      assert.equal(await held.end(), 401);
      for (const made of [ApiKey, Bot])
        assert.equal(await parley.database.repository<ApiKey | Bot>(made).countBy({ name: 'Late' }), 0);
    });

    it('lose identities that were linked before the address was verified, and no others', async () => {
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
      assert.equal(outcomeOf(await reset(await resetToken())), '200');
      const left = await linked.find({ where: { userId: person.userId }, order: { provider: 'ASC' } });
      assert.deepEqual(
        left.map(({ provider }) => provider),
        ['globex', 'initech'],
      );
    });

    it('set one password, when the link is used twice at once', async () => {
      const token = await resetToken();
      const answers = await Promise.all([reset(token), reset(token, 'five white lamps at dawn')]);
      assert.deepEqual(answers.map(outcomeOf).sort(), ['200', '422 validation_error']);
    });

    it('are still asked for the second factor', async () => {
      await parley.database.repository(User).update(person.userId, { mfaActivatedAt: new Date() });
      assert.equal(outcomeOf(await reset(await resetToken())), '200');
      const { body } = await login(person.email, NEW);
      assert.equal(body.mfa_required, true);
      assert.equal(body.access_token, undefined);
    });

    it('answer the same for an address without an account, to which nothing is mailed', async () => {
      for (const path of ['/api/auth/password/forgot', '/api/auth/email/resend', '/api/auth/otp/request']) {
        const nobody = await post(path, { email: 'nobody@example.com' });
        const known = await post(path, { email: person.email });
        assert.deepEqual([nobody.status, nobody.body], [known.status, known.body]);
      }
      await answerRequests(parley);
      assert.deepEqual(await mailsTo(parley, 'nobody@example.com'), []);
      const told = (await mailsTo(parley, person.email)).map(({ template }) => template);
      assert.deepEqual(told.sort(), ['reset_password', 'sign_in_code']);
    });

    it('refuse links that expired, are forged, or are for something else', async () => {
      const token = await resetToken();
      const { accessToken, refreshToken } = await parley.signIn(person);
      assert.equal(outcomeOf(await post('/api/auth/email/verify', { token })), '422 validation_error');
      for (const other of ['x'.repeat(43), accessToken, refreshToken, `${token}A`])
        assert.equal(outcomeOf(await reset(other)), '422 validation_error');
      assert.equal((await parley.client(token).get('/api/auth/me')).status, 401);
      await parley.database
        .repository(AccountLink)
        .update({ userId: person.userId }, { expiresAt: new Date() });
      assert.equal(outcomeOf(await reset(token)), '422 validation_error');
    });
  });

  describe('that are entered with a mailed code', () => {
    async function requestCode(email = person.email): Promise<void> {
      await post('/api/auth/otp/request', { email });
      await answerRequests(parley);
    }
    const verify = (code: string, email = person.email) => post('/api/auth/otp/verify', { email, code });
    const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
    /** For the code of the person. */
    const passSeconds = (seconds: number) =>
      parley.database.sql(
        'UPDATE sign_in_codes SET expires_at = expires_at - make_interval(secs => $2) WHERE email = $1',
        [person.email, seconds],
      );

    it('take it once', async () => {
      await requestCode();
      const code = await mailedCode(parley, person.email);
      const answers = await Promise.all([verify(code), verify(code), verify(code)]);
      assert.deepEqual(answers.map(outcomeOf).sort(), ['200', '401 unauthenticated', '401 unauthenticated']);
      assert.equal(outcomeOf(await verify(code)), '401 unauthenticated');
    });

    it('take it no more after five wrong ones, or after ten minutes, or after the next one', async () => {
      await requestCode();
      const code = await mailedCode(parley, person.email);
      for (let tries = 0; tries < 5; tries += 1)
        assert.equal(outcomeOf(await verify(wrong(code))), '401 unauthenticated');
      assert.equal(outcomeOf(await verify(code)), '401 unauthenticated');
      await requestCode();
      const next = await mailedCode(parley, person.email);
      await passSeconds(600);
      assert.equal(outcomeOf(await verify(next)), '401 unauthenticated');
      await requestCode();
      if (code !== (await mailedCode(parley, person.email)))
        assert.equal(outcomeOf(await verify(code)), '401 unauthenticated');
      await passSeconds(590);
      assert.equal(outcomeOf(await verify(await mailedCode(parley, person.email))), '200');
    });

    it('take none for a day after so many wrong ones, from anywhere but where the owner is, and say so', async () => {
      const strict = { wrongCodesPerDay: 4 };
      const processes = [await parley.startAnother(strict), await parley.startAnother(strict)];
      const guess = (turn: number, email: string, code: string) =>
        processes[turn % 2]!.client().post('/api/auth/otp/verify', { email, code });
      for (const email of [person.email, 'nobody-there@example.com']) {
        await requestCode(email);
        const told: string[] = [];
        for (let turn = 0; turn < 4; turn += 1) told.push(outcomeOf(await guess(turn, email, 'x'.repeat(6))));
        assert.deepEqual(new Set(told), new Set(['422 validation_error']));
        const code = email === person.email ? await mailedCode(parley, email) : '123456';
        for (let turn = 0; turn < 4; turn += 1)
          assert.equal(outcomeOf(await guess(turn, email, wrong(code))), '401 unauthenticated');
        for (const turn of [0, 1]) {
          const { status, headers, body } = await guess(turn, email, code);
          assert.equal(status, 429);
          assert.match(body.detail, /codes are taken again at \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Other ways/);
          assert.ok(Number(headers.get('retry-after')) > 86_000);
        }
      }
      await answerRequests(parley);
      const mails = (await mailsTo(parley, person.email)).filter(
        ({ template }) => template === 'codes_paused',
      );
      assert.deepEqual(
        mails.map(({ values }) => values['codes']),
        ['mailed codes'],
      );
      assert.deepEqual(await mailsTo(parley, 'nobody-there@example.com'), []);
      const login = await processes[0]!.client().post('/api/auth/login', {
        email: person.email,
        password: PASSWORD,
      });
      assert.equal(login.status, 200);
      // Where somebody has signed in, strangers' guesses do not count.
      await requestCode();
      assert.equal(outcomeOf(await guess(0, person.email, await mailedCode(parley, person.email))), '200');
    });

    it('take no code of another address, and none for an address without an account', async () => {
      const other = await buildPerson(parley);
      await requestCode();
      await requestCode('nobody@example.com');
      const code = await mailedCode(parley, person.email);
      assert.equal(outcomeOf(await verify(code, other.email)), '401 unauthenticated');
      assert.equal(outcomeOf(await verify(code, 'nobody@example.com')), '401 unauthenticated');
    });

    it('are still asked for the second factor', async () => {
      await parley.database.repository(User).update(person.userId, { mfaActivatedAt: new Date() });
      await requestCode();
      const { body } = await verify(await mailedCode(parley, person.email));
      assert.equal(body.mfa_required, true);
    });
  });

  describe('that somebody else has registered', () => {
    const CHOSEN = 'five red lamps at dawn';
    const ways: Record<string, (email: string) => Promise<ApiAnswer>> = {
      'a code': async (email) => {
        await post('/api/auth/otp/request', { email });
        await answerRequests(parley);
        return post('/api/auth/otp/verify', { email, code: await mailedCode(parley, email) });
      },
      'a new password': async (email) => {
        await post('/api/auth/password/forgot', { email });
        await answerRequests(parley);
        const token = await mailedToken(parley, email);
        return post('/api/auth/password/reset', { token, new_password: CHOSEN });
      },
      'the link alone': async (email) => {
        const answer = await post('/api/auth/email/verify', { token: await linkFor(email) });
        assert.match(answer.body.message, /^The address is verified; it has no password yet/);
        return answer;
      },
      'the link and a new password': async (email) =>
        post('/api/auth/email/verify', { token: await linkFor(email), new_password: CHOSEN }),
    };
    async function linkFor(email: string): Promise<string> {
      await post('/api/auth/email/resend', { email });
      await answerRequests(parley);
      return mailedToken(parley, email);
    }

    for (const [way, show] of Object.entries(ways))
      it(`start afresh when ${way} shows whose they are: password, sessions, keys, identities and second factor go`, async () => {
        const { userId, client } = await parley.buildOrg();
        const email = `${userId}@example.com`;
        const users = parley.database.repository(User);
        await users.update(userId, {
          emailVerifiedAt: null,
          passwordHash: await hashPassword(NEW),
          mfaActivatedAt: new Date(),
        });
        const later = new Date(Date.now() + 60_000);
        const sessions = parley.database.repository(Session);
        const earlyId = newId();
        await sessions.insert({ id: earlyId, userId, expiresAt: later, endsAt: later });
        const linked = parley.database.repository(LinkedIdentity);
        const identity = { provider: 'acme', issuer: 'https://acme.example', subject: email };
        await linked.insert({ id: newId(), userId, email: null, lastLoginAt: null, ...identity });
        assert.equal((await client.get('/api/bots')).status, 200);
        assert.equal(outcomeOf(await show(email)), '200');
        assert.equal((await login(email, NEW)).status, 401);
        assert.equal((await client.get('/api/bots')).status, 401);
        assert.equal(await linked.countBy({ userId }), 0);
        assert.equal(await sessions.countBy({ id: earlyId }), 0);
        const { mfaActivatedAt, emailVerifiedAt } = await users.findOneByOrFail({ id: userId });
        assert.ok(emailVerifiedAt && mfaActivatedAt === null);
        assert.equal((await login(email, CHOSEN)).status, /new password/.test(way) ? 200 : 401);
      });
  });

  it('change their name, picture and default workspace', async () => {
    const { client } = await parley.signIn(person);
    const other = await parley.buildOrg();
    const change = (body: object) => client.patch('/api/auth/me', body);
    const { body } = await change({ full_name: 'Ada King', avatar_url: 'https://example.com/a.png' });
    assert.deepEqual([body.user.full_name, body.user.avatar_url], ['Ada King', 'https://example.com/a.png']);
    assert.equal((await change({ avatar_url: null })).body.user.avatar_url, null);
    for (const full_name of [null, '\u200B'])
      assert.equal(outcomeOf(await change({ full_name })), '422 validation_error');
    assert.equal(outcomeOf(await change({ email: 'eve@example.com' })), '422 validation_error');
    assert.equal(outcomeOf(await change({ default_org_id: other.orgId })), '403 forbidden');
    assert.equal(outcomeOf(await change({ default_org_id: newId() })), '404 not_found');
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'member' });
    assert.equal(outcomeOf(await change({ default_org_id: other.orgId })), '200');
    assert.equal((await signInWith(parley.client(), person.email)).org_id, other.orgId);
  });

  it('are told by mail what is done with their session that gives access for longer', async () => {
    const { client } = await parley.signIn(person);
    const { orgId } = person;
    const grace = await parley.buildOrg({ orgId, role: 'member' });
    const { id: membershipId } = await parley.database
      .repository(Membership)
      .findOneByOrFail({ orgId, userId: grace.userId });
    const key = await client.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    const org = `/api/orgs/${orgId}`;
    const role = (name: string) => client.put(`${org}/members/${membershipId}/role`, { role: name });
    const invite = (email: string, name: string, by = client) =>
      by.post(`${org}/invitations`, { email, role: name });
    const statuses = [
      key,
      await client.post(`/api/api-keys/${key.body.id}/rotate`, {}),
      await invite('eve@example.com', 'admin'),
      await invite('tom@example.com', 'member'),
      await invite('ida@example.com', 'member', person.client),
      await role('admin'),
      await role('viewer'),
      await client.delete(org),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 200, 200, 202]);
    const mails = await mailsTo(parley, person.email);
    assert.deepEqual(
      mails.map(({ values }) => [values['subject'], values['what'], values['orgName']]),
      [
        [
          'An API key was made in your name',
          'It is called “Website”, and works until it is revoked or expires.',
          'Acme',
        ],
        ['An API key was replaced in your name', 'Another one follows “Website”.', 'Acme'],
        ['You have invited an admin to a workspace', 'The link went to eve@example.com.', 'Acme'],
        ['You have made somebody an admin of a workspace', 'The page of the team shows who it is.', 'Acme'],
        ['You have deleted a workspace', 'Everything in it is being removed.', 'Acme'],
      ],
    );
    assert.ok(mails.every(({ values }) => values['place'] === '127.0.0.1'));
  });

  it('have in the log of each of their workspaces who failed to sign in, a new password and a confirmed address', async () => {
    const other = await parley.buildOrg();
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'member' });
    const strict = (await parley.startAnother({ notedFailuresPerHour: 3 })).client();
    const typed = 'a password of another service';
    for (let turn = 0; turn < 5; turn += 1)
      await strict.post('/api/auth/login', { email: person.email, password: typed });
    await strict.post('/api/auth/login', { email: 'nobody@example.com', password: typed });
    await post('/api/auth/password/forgot', { email: person.email });
    await answerRequests(parley);
    const token = await mailedToken(parley, person.email);
    assert.equal((await post('/api/auth/password/reset', { token, new_password: NEW })).status, 200);
    await parley.database.repository(User).update(person.userId, { emailVerifiedAt: null });
    await post('/api/auth/email/resend', { email: person.email });
    await answerRequests(parley);
    const link = { token: await mailedToken(parley, person.email), password: NEW };
    assert.equal((await post('/api/auth/email/verify', link)).status, 200);
    for (const { client, orgId } of [person, other]) {
      const { body } = await client.get(`/api/orgs/${orgId}/audit-log?user_id=${person.userId}`);
      assert.deepEqual(
        body.map((each: any) => [each.operation, each.resource_type, each.ip]),
        [
          ['verifyEmail', 'account', '127.0.0.1'],
          ['resetPassword', 'account', '127.0.0.1'],
          ...Array(3).fill(['login', 'failed_sign_in', '127.0.0.1']),
        ],
      );
      assert.ok(!JSON.stringify(body).includes(typed));
    }
  });

  it('tell whose key it is that calls', async () => {
    const { body } = await person.client.get('/api/auth/me');
    assert.equal(body.user.id, person.userId);
    assert.equal(body.session_id, null);
    assert.ok(body.api_key_id);
    assert.ok(body.scopes.includes('bots:read'));
  });

  describe('that are closed', () => {
    const close = (token: string, body: object = { password: PASSWORD }) =>
      post('/api/auth/me/delete', body, token);

    it('stay while their owner is the last one of a workspace', async () => {
      const { accessToken } = await parley.signIn(person);
      assert.equal(outcomeOf(await close(accessToken)), '409 last_owner');
      assert.equal((await parley.client(accessToken).get('/api/auth/me')).status, 200);
    });

    it('stop with all sessions and keys at once, and are removed', async () => {
      const { accessToken } = await parley.signIn(person);
      const { userId: heir } = await parley.buildOrg({ orgId: person.orgId });
      assert.equal(outcomeOf(await close(accessToken, { password: 'wrong' })), '422 validation_error');
      assert.equal(outcomeOf(await close(accessToken)), '202');
      assert.equal((await parley.client(accessToken).get('/api/auth/me')).status, 401);
      assert.equal((await person.client.get('/api/bots')).status, 401);
      assert.equal((await login(person.email, PASSWORD)).status, 401);
      assert.equal((await mailsTo(parley, person.email))[0]!.template, 'account_deleted');
      assert.equal(await parley.database.repository(Membership).countBy({ userId: person.userId }), 0);
      await parley.runtime.services.accounts.delete(parley.database, person.userId);
      assert.equal(await parley.database.repository(User).countBy({ id: person.userId }), 0);
      assert.equal(await parley.database.repository(User).countBy({ id: heir }), 1);
    });
  });
});
