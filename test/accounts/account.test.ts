import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import { hashPassword } from '../../services/accounts/passwords/passwords.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type ApiResponse, type TestParley } from '../support/parley.ts';
import {
  buildAccountCalls,
  NEW_PASSWORD,
  answerRequests,
  buildPerson,
  readMailedCode,
  readMailedToken,
  readMailsTo,
  PASSWORD,
  signInWith,
  type TestPerson,
} from './support.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('accounts:', () => {
  let parley: TestParley;
  let person: TestPerson;
  before(async () => {
    parley = await startParley();
  });
  beforeEach(async () => {
    person = await buildPerson(parley);
  });
  after(() => parley.stop());

  const { post, login, register } = buildAccountCalls(() => parley);

  describe('register and verifyEmail', () => {
    const verify = (token: string, body: object = {}) => post('/api/auth/email/verify', { token, ...body });

    it('create the account and its workspace once verifyEmail gets the emailed link and the password', async () => {
      const email = `${newId()}@example.com`;
      assert.equal(formatOutcome(await register(email.toUpperCase())), '200');
      const link = await readMailedToken(parley, email);
      const wrong = await verify(link, { password: 'not the password' });
      assert.equal(
        `${formatOutcome(wrong)} ${wrong.problem.details[0]!.field}`,
        '422 validation_error password',
      );
      const { body } = await verify(link, { password: NEW_PASSWORD });
      assert.equal(body.message, 'The address is verified; sign in with your password.');
      assert.equal(formatOutcome(await verify(link, { password: NEW_PASSWORD })), '422 validation_error');
      const { access_token: token } = await signInWith(parley.client(), email, NEW_PASSWORD);
      const { body: me } = await parley.client(token).get('/api/auth/me');
      assert.equal(me.user.is_verified, true);
      assert.equal(me.organization!.name, 'Grace Hopper’s workspace');
      assert.equal(me.organization!.role, 'owner');
    });

    it('do not let the caller sign in before the address is verified, and do not reveal whether it was registered', async () => {
      const free = `${newId()}@example.com`;
      const describeSignInResponses = async (email: string) => {
        const responses = [
          await register(email),
          await login(email, NEW_PASSWORD),
          await login(email, 'another one'),
        ];
        return responses.map(({ status, body }) => {
          const { message, error } = body as { message?: string; error?: object };
          return { status, message, error };
        });
      };
      const [freeResponses, takenResponses] = [
        await describeSignInResponses(free),
        await describeSignInResponses(person.email),
      ];
      assert.deepEqual(freeResponses, takenResponses);
      assert.deepEqual(
        freeResponses.map(({ status }) => status),
        [200, 401, 401],
      );
      await parley.database.repository(User).update({ email: free }, { mfaActivatedAt: new Date() });
      assert.equal(formatOutcome(await login(free, NEW_PASSWORD)), '401 unauthenticated');
      const { id } = await parley.database.repository(User).findOneByOrFail({ email: free });
      assert.equal(await parley.database.repository(Session).countBy({ userId: id }), 0);
    });

    it('email another link if the address is registered again before it is verified, and change nothing else', async () => {
      const email = `${newId()}@example.com`;
      await register(email);
      await register(email, { password: 'five red lamps at dawn', full_name: 'Mallory' });
      const mails = await readMailsTo(parley, email);
      assert.deepEqual(
        mails.map(({ template, values }) => [template, values['name']]),
        [
          // Before the email address is confirmed, a stranger may have chosen the name, so the email does not
          // contain it.
          ['verify_email', 'there'],
          ['verify_email', 'there'],
        ],
      );
      assert.equal(
        formatOutcome(await verify(await readMailedToken(parley, email), { password: NEW_PASSWORD })),
        '200',
      );
      const { status, body } = await login(email, NEW_PASSWORD);
      assert.equal(status, 200);
      const { access_token: token } = body as { access_token: string };
      assert.equal((await parley.client(token).get('/api/auth/me')).body.user!.full_name, 'Grace Hopper');
    });

    it('set a new password only for a caller with the emailed link', async () => {
      const email = `${newId()}@example.com`;
      await register(email);
      const link = await readMailedToken(parley, email);
      const newPassword = 'five red lamps at dawn';
      const both = await verify(link, { password: NEW_PASSWORD, new_password: newPassword });
      assert.equal(
        `${formatOutcome(both)} ${both.problem.details[0]!.field}`,
        '422 validation_error new_password',
      );
      assert.equal(formatOutcome(await verify(link, { new_password: 'password1' })), '422 validation_error');
      const responses = await Promise.all([
        verify(link, { new_password: newPassword }),
        verify(link, { password: NEW_PASSWORD }),
      ]);
      assert.deepEqual(responses.map(formatOutcome).sort(), ['200', '422 validation_error']);
      const [good, bad] =
        formatOutcome(responses[0]!) === '200' ? [newPassword, NEW_PASSWORD] : [NEW_PASSWORD, newPassword];
      assert.deepEqual([(await login(email, good)).status, (await login(email, bad)).status], [200, 401]);
    });

    it('keep the password of an already verified address, even after resendVerification and a link with new_password', async () => {
      await post('/api/auth/email/resend', { email: person.email });
      const digest = digestSecret('a link of before');
      const link = { digest, userId: person.userId, purpose: 'verify_email', lifetimeSeconds: 60 } as const;
      await new AccountLinkRepository().insert(parley.database, link);
      assert.equal(
        formatOutcome(await verify('a link of before', { new_password: NEW_PASSWORD })),
        '422 validation_error',
      );
      assert.equal(formatOutcome(await verify('a link of before')), '200');
      assert.equal((await login(person.email, PASSWORD)).status, 200);
    });

    it('return the same response for a taken address as for a free address, and do not change its account', async () => {
      const freeResponse = await register(`${newId()}@example.com`);
      const countMemberships = () =>
        parley.database.repository(Membership).countBy({ userId: person.userId });
      const before = await countMemberships();
      const repeated = await register(person.email);
      assert.deepEqual([repeated.status, repeated.body], [freeResponse.status, freeResponse.body]);
      assert.equal(await countMemberships(), before);
      assert.equal((await login(person.email, NEW_PASSWORD)).status, 401);
      const [mail] = await readMailsTo(parley, person.email);
      assert.equal(mail!.template, 'address_taken');
    });

    it('refuse every address if accounts are created by invitation only', async () => {
      const closed = (await parley.startAnother({ registration: 'invited' })).client();
      const newEmail = `${newId()}@example.com`;
      for (const email of [newEmail, person.email]) {
        const body = { email, password: NEW_PASSWORD, full_name: 'Grace Hopper' };
        const response = await closed.post('/api/auth/register', body);
        assert.equal(formatOutcome(response), '403 forbidden');
        assert.match(response.problem.error.message, /^Registration requires an invitation/);
      }
      assert.equal(await parley.database.repository(User).countBy({ email: newEmail }), 0);
      assert.deepEqual(await readMailsTo(parley, person.email), []);
    });

    itInSoak('create one account for twenty concurrent requests with the same address', async () => {
      const email = `${newId()}@example.com`;
      const responses = await Promise.all(Array.from({ length: 20 }, () => register(email)));
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
      assert.equal(await parley.database.repository(User).countBy({ email }), 1);
    });

    it('refuse a name without readable characters', async () => {
      for (const named of [
        { full_name: ' \t ' },
        { organization_name: '   ' },
        { full_name: '\u200B\u2060' },
        { organization_name: '\u3164\u3164' },
      ])
        assert.equal(
          formatOutcome(await register(`${newId()}@example.com`, named)),
          '422 validation_error',
          JSON.stringify(named),
        );
    });

    it('refuse line breaks and direction overrides in names, and send no email', async () => {
      const email = `${newId()}@example.com`;
      for (const names of [
        { full_name: 'Eve\r\nBcc: all@example.com' },
        { organization_name: 'Acme\u202eecruoS' },
      ])
        assert.equal(formatOutcome(await register(email, names)), '422 validation_error');
      assert.deepEqual(await readMailsTo(parley, email), []);
    });
  });

  describe('accounts that a stranger registered', () => {
    const CHOSEN = 'five red lamps at dawn';
    const ways: Record<string, (email: string) => Promise<ApiResponse>> = {
      'a code': async (email) => {
        await post('/api/auth/otp/request', { email });
        await answerRequests(parley);
        return post('/api/auth/otp/verify', { email, code: await readMailedCode(parley, email) });
      },
      'a new password': async (email) => {
        await post('/api/auth/password/forgot', { email });
        await answerRequests(parley);
        const token = await readMailedToken(parley, email);
        return post('/api/auth/password/reset', { token, new_password: CHOSEN });
      },
      'the link alone': async (email) => {
        const response = await post('/api/auth/email/verify', { token: await requestLinkToken(email) });
        assert.match(response.body.message, /^The address is verified; the account has no password yet/);
        return response;
      },
      'the link and a new password': async (email) =>
        post('/api/auth/email/verify', { token: await requestLinkToken(email), new_password: CHOSEN }),
    };
    async function requestLinkToken(email: string): Promise<string> {
      await post('/api/auth/email/resend', { email });
      await answerRequests(parley);
      return readMailedToken(parley, email);
    }

    for (const [way, show] of Object.entries(ways))
      it(`lose password, sessions, keys, identities and second factor once ${way} verifies the address`, async () => {
        const { userId, client } = await parley.buildOrg();
        const email = `${userId}@example.com`;
        const users = parley.database.repository(User);
        await users.update(userId, {
          emailVerifiedAt: null,
          passwordHash: await hashPassword(NEW_PASSWORD),
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
        assert.equal(formatOutcome(await show(email)), '200');
        assert.equal((await login(email, NEW_PASSWORD)).status, 401);
        assert.equal((await client.get('/api/bots')).status, 401);
        assert.equal(await linked.countBy({ userId }), 0);
        assert.equal(await sessions.countBy({ id: earlyId }), 0);
        const { mfaActivatedAt, emailVerifiedAt } = await users.findOneByOrFail({ id: userId });
        assert.ok(emailVerifiedAt && mfaActivatedAt === null);
        assert.equal((await login(email, CHOSEN)).status, /new password/.test(way) ? 200 : 401);
      });
  });

  it('updateMe changes name, picture and default workspace', async () => {
    const { client } = await parley.signIn(person);
    const other = await parley.buildOrg();
    const change = (body: object) => client.patch('/api/auth/me', body);
    const { body } = await change({ full_name: 'Ada King', avatar_url: 'https://example.com/a.png' });
    assert.deepEqual([body.user.full_name, body.user.avatar_url], ['Ada King', 'https://example.com/a.png']);
    assert.equal((await change({ avatar_url: null })).body.user.avatar_url, null);
    for (const full_name of [null, '\u200B'])
      assert.equal(formatOutcome(await change({ full_name })), '422 validation_error');
    assert.equal(formatOutcome(await change({ email: 'eve@example.com' })), '422 validation_error');
    assert.equal(formatOutcome(await change({ default_org_id: other.orgId })), '403 forbidden');
    assert.equal(formatOutcome(await change({ default_org_id: newId() })), '404 not_found');
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'member' });
    assert.equal(formatOutcome(await change({ default_org_id: other.orgId })), '200');
    assert.equal((await signInWith(parley.client(), person.email)).org_id, other.orgId);
  });

  it('createApiKey, createInvitation, setMemberRole and deleteOrg email the owner at once about the first change of each kind', async () => {
    const { client } = await parley.signIn(person);
    const { orgId } = person;
    const grace = await parley.buildOrg({ orgId, role: 'member' });
    const { id: membershipId } = await parley.database
      .repository(Membership)
      .findOneByOrFail({ orgId, userId: grace.userId });
    const key = await client.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    const org = `/api/orgs/${orgId}` as const;
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
    const mails = await readMailsTo(parley, person.email);
    const ada = `Ada Okafor (${person.email})`;
    assert.deepEqual(
      mails.map(({ values }) => [values['subject'], values['items'], values['actor']]),
      [
        ['An API key was created in Acme', '“Website”, with the scopes bots:read.', ada],
        ['An API key was replaced in Acme', '“Website”: a new key replaces the previous one.', ada],
        ['An invitation was sent in Acme', 'Invited: eve@example.com, as admin.', ada],
        [
          'An invitation was sent in Acme',
          'Invited: ida@example.com, as member.',
          `the API key “Test key” of ${ada}`,
        ],
        [
          'A role was changed in Acme',
          `Ada Okafor (${grace.userId}@example.com) now has the role admin.`,
          ada,
        ],
        ['The workspace Acme was deleted', 'Everything in the workspace is being removed.', ada],
      ],
    );
    assert.ok(mails.every(({ values }) => values['place']!.startsWith('127.0.0.1, ')));
  });

  it('listAuditEvents of each workspace of an account returns failed sign-ins, a reset password and a verified address', async () => {
    const other = await parley.buildOrg();
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'member' });
    const strict = (await parley.startAnother({ recordedFailuresPerHour: 3 })).client();
    const typed = 'a password of another service';
    for (let turn = 0; turn < 5; turn += 1)
      await strict.post('/api/auth/login', { email: person.email, password: typed });
    await strict.post('/api/auth/login', { email: 'nobody@example.com', password: typed });
    await post('/api/auth/password/forgot', { email: person.email });
    await answerRequests(parley);
    const token = await readMailedToken(parley, person.email);
    assert.equal((await post('/api/auth/password/reset', { token, new_password: NEW_PASSWORD })).status, 200);
    await parley.database.repository(User).update(person.userId, { emailVerifiedAt: null });
    await post('/api/auth/email/resend', { email: person.email });
    await answerRequests(parley);
    const link = { token: await readMailedToken(parley, person.email), password: NEW_PASSWORD };
    assert.equal((await post('/api/auth/email/verify', link)).status, 200);
    for (const { client, orgId } of [person, other]) {
      const { body } = await client.get(`/api/orgs/${orgId}/audit-log?user_id=${person.userId}`);
      assert.deepEqual(
        body.map((each) => [each.operation, each.resource_type, each.ip]),
        [
          ['verifyEmail', 'account', '127.0.0.1'],
          ['resetPassword', 'account', '127.0.0.1'],
          ...Array(3).fill(['login', 'failed_sign_in', '127.0.0.1']),
        ],
      );
      assert.ok(!JSON.stringify(body).includes(typed));
    }
  });

  it('getMe returns the owner of the calling API key', async () => {
    const { body } = await person.client.get('/api/auth/me');
    assert.equal(body.user.id, person.userId);
    assert.equal(body.session_id, null);
    assert.ok(body.api_key_id);
    assert.ok(body.scopes!.includes('bots:read'));
  });
});
