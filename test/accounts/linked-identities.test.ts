import assert from 'node:assert/strict';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import type { TestParley } from '../support/parley.ts';
import { buildPerson, readMailsTo } from './support.ts';
import { describeOutcome, useIdentityProviders } from './identity-providers.ts';

describe('linked identities:', () => {
  let parley: TestParley;
  const { visit, finish, signIn, link } = useIdentityProviders((started) => ({ parley } = started));

  describe('linkIdentity', () => {
    it('lets the owner of an existing account sign in with the identity', async () => {
      const { userId, session } = await link('linked');
      const { body } = await session.get('/api/auth/identities');
      assert.deepEqual(
        body.map(({ provider, last_login_at }) => ({ provider, last_login_at })),
        [{ provider: 'acme', last_login_at: null }],
      );
      const { body: me } = await (await signIn('linked')).get('/api/auth/me');
      assert.equal(me.user.id, userId);
    });

    it('refuses a subject of another account, the linked subject again, and a second subject of the provider', async () => {
      const { session } = await link('taken');
      const other = await parley.signIn(await buildPerson(parley));
      const path = '/api/auth/identities/acme/link';
      assert.equal(describeOutcome(await other.client.post(path, await visit('taken'))), '409 conflict');
      assert.equal(describeOutcome(await session.post(path, await visit('taken'))), '409 conflict');
      assert.equal(describeOutcome(await session.post(path, await visit('a second one'))), '409 conflict');
      assert.equal((await other.client.get('/api/auth/identities')).body.length, 0);
    });

    it('links a subject to one of two accounts that request it concurrently', async () => {
      const sessions = await Promise.all([1, 2].map(async () => parley.signIn(await buildPerson(parley))));
      const visits = await Promise.all(sessions.map(() => visit('wanted by two')));
      const responses = await Promise.all(
        sessions.map(({ client }, index) => client.post('/api/auth/identities/acme/link', visits[index])),
      );
      assert.deepEqual(responses.map(describeOutcome).sort(), ['201', '409 conflict']);
    });

    it('counts against the sign-in limit of the address', async () => {
      const limited = await parley.startAnother({ signInLimitPerIp: 3 });
      await parley.database.sql('DELETE FROM rate_windows');
      const { accessToken } = await parley.signIn(await buildPerson(parley));
      const client = limited.client(accessToken);
      const body = { code: 'x'.repeat(20), code_verifier: 'x'.repeat(43) };
      const outcomes: string[] = [];
      for (const path of ['callback', 'link', 'link', 'link'])
        outcomes.push(describeOutcome(await client.post(`/api/auth/identities/acme/${path}`, body)));
      const wrong = '422 validation_error code_verifier';
      assert.deepEqual(outcomes, [wrong, wrong, wrong, '429 rate_limited']);
    });

    it('refuses a request without a started attempt, and an unknown provider', async () => {
      const { client } = await parley.signIn(await buildPerson(parley));
      const body = { code: 'made-up-code', code_verifier: 'v'.repeat(43) };
      const none = await client.post('/api/auth/identities/acme/link', body);
      assert.equal(describeOutcome(none), '422 validation_error code_verifier');
      const unknown = await client.post('/api/auth/identities/nobody/link', body);
      assert.equal(describeOutcome(unknown), '404 not_found');
    });
  });

  describe('identities that are the only sign-in of an account', () => {
    it('satisfy disableMfa, transferOwnership and deleteMe in place of a password while the sign-in is recent', async () => {
      const owner = await signIn('owner');
      const { body: me } = await owner.get('/api/auth/me');
      const orgId = me.organization!.id;
      const ageSession = () =>
        parley.database
          .repository(Session)
          .update({ userId: me.user.id }, { createdAt: new Date(Date.now() - 601_000) });
      const { body: setup } = await owner.post('/api/auth/mfa/setup');
      const app = createAuthenticator(setup.secret);
      const { body: activated } = await owner.post('/api/auth/mfa/activate', { code: app.nextCode() });
      await ageSession();
      const off = { password: null, code: app.nextCode() };
      assert.equal(
        describeOutcome(await owner.post('/api/auth/mfa/disable', off)),
        '403 fresh_proof_required',
      );
      const { body: first } = await finish(await visit('owner'));
      const { challenge_token } = first;
      const second = await parley
        .client()
        .post('/api/auth/mfa/verify', { challenge_token, code: activated.recovery_codes[0] });
      const again = parley.client(second.body.access_token);
      assert.equal(describeOutcome(await again.post('/api/auth/mfa/disable', off)), '200');
      const heir = await parley.buildOrg({ orgId });
      await parley.database.repository(User).update(heir.userId, { emailVerifiedAt: new Date() });
      const { id } = await parley.database
        .repository(Membership)
        .findOneByOrFail({ orgId, userId: heir.userId });
      const transfer = () => again.post(`/api/orgs/${orgId}/transfer-ownership`, { membership_id: id });
      await ageSession();
      assert.equal(describeOutcome(await transfer()), '403 fresh_proof_required');
      assert.equal(describeOutcome(await again.post('/api/auth/me/delete', {})), '403 fresh_proof_required');
      const last = await signIn('owner');
      const handed = await last.post(`/api/orgs/${orgId}/transfer-ownership`, { membership_id: id });
      assert.equal(describeOutcome(handed), '200');
      assert.equal(describeOutcome(await last.post('/api/auth/me/delete', {})), '202');
      const subjects = (await readMailsTo(parley, 'owner@example.com')).map(
        ({ template, values }) => values['subject'] ?? template,
      );
      assert.deepEqual(subjects, [
        'second_factor_changed',
        'second_factor_changed',
        'Ownership was transferred in Olive Owner’s workspace',
        'account_deleted',
      ]);
    });
  });

  describe('unlinkIdentity', () => {
    it('removes the identity from listIdentities, and leaves the password as the sign-in', async () => {
      const { session, email } = await link('to be unlinked');
      assert.equal(describeOutcome(await session.delete('/api/auth/identities/acme')), '200');
      assert.deepEqual((await session.get('/api/auth/identities')).body, []);
      assert.deepEqual(
        (await readMailsTo(parley, email)).map(({ values }) => values['subject']),
        ['acme was linked to your account', 'acme was unlinked from your account'],
      );
      assert.equal(describeOutcome(await session.delete('/api/auth/identities/acme')), '404 not_found');
    });

    it('refuses to remove the only sign-in', async () => {
      const session = await signIn('grace');
      assert.equal(
        describeOutcome(await session.delete('/api/auth/identities/acme')),
        '409 last_sign_in_method',
      );
      const body = await visit('grace', 'globex');
      assert.equal(describeOutcome(await session.post('/api/auth/identities/globex/link', body)), '201');
      const responses = await Promise.all(
        ['acme', 'globex'].map((provider) => session.delete(`/api/auth/identities/${provider}`)),
      );
      assert.deepEqual(responses.map(describeOutcome).sort(), ['200', '409 last_sign_in_method']);
    });

    it('does not count an identity of a provider that is not configured as another sign-in', async () => {
      const { userId, session } = await link('with a former provider');
      await parley.database.repository(User).update(userId, { passwordHash: null });
      await parley.database.repository(LinkedIdentity).insert({
        id: userId,
        userId,
        provider: 'former',
        issuer: 'https://former.example.com',
        subject: 'x',
      });
      assert.equal(
        describeOutcome(await session.delete('/api/auth/identities/acme')),
        '409 last_sign_in_method',
      );
      assert.equal(describeOutcome(await session.delete('/api/auth/identities/former')), '200');
    });
  });
});
