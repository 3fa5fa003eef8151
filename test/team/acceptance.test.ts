import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import {
  buildPerson,
  PASSWORD as ACCOUNT_PASSWORD,
  signInWith,
  type TestPerson,
} from '../accounts/support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { startSharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';

const PASSWORD = 'plum tree in the yard';

describe('members and owners:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /** Invites an email address to a new workspace. Returns the invitation with the token of its link. */
  async function invite(email = `${newId()}@example.com`, role = 'member') {
    const org = await parley.buildOrg();
    const { status, body } = await org.client.post(`/api/orgs/${org.orgId}/invitations`, { email, role });
    assert.equal(status, 201, JSON.stringify(body));
    return {
      ...org,
      id: body.id as string,
      email,
      token: parley.runtime.keyring.deriveInvitationToken(body.id, 1),
    };
  }

  const acceptInvitation = (body: object, client: ApiClient = parley.client()) =>
    client.post('/api/invitations/accept', body);
  const person = { full_name: 'Grace Obi', password: PASSWORD };
  const listRoles = async (userId: string) =>
    (await parley.database.repository(Membership).findBy({ userId })).map(({ orgId, role }) => [orgId, role]);

  it('acceptInvitation creates an account with a verified address, signed in to the workspace', async () => {
    const { token, email, orgId, id } = await invite();
    const { status, body } = await acceptInvitation({ token, ...person });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.org_id, body.token_type], [orgId, 'Bearer']);
    const client = parley.client(body.access_token);
    const me = await client.get('/api/auth/me');
    assert.deepEqual([me.body.user.email, me.body.user.full_name], [email, 'Grace Obi']);
    assert.equal((await client.post('/api/bots', { name: 'Guide' })).status, 201);
    const user = await parley.database.repository(User).findOneByOrFail({ email });
    assert.ok(user.emailVerifiedAt && user.passwordHash?.startsWith('$argon2id$'));
    assert.deepEqual(await listRoles(user.id), [[orgId, 'member']]);
    const login = await parley.client().post('/api/auth/login', { email, password: PASSWORD });
    assert.equal(login.status, 200);
    const invitation = await parley.database.repository(Invitation).findOneByOrFail({ id });
    assert.equal(invitation.status, 'accepted');
    assert.ok(invitation.acceptedAt);
  });

  it('acceptInvitation is recorded in the audit log under the new member’s name', async () => {
    const { client, orgId, id, token } = await invite();
    assert.equal((await acceptInvitation({ ...person, token })).status, 200);
    const { body } = await client.get(`/api/orgs/${orgId}/audit-log`);
    const [event, ...before] = body;
    const { operation, resource_type: type, resource_id, user_name: name, ip, request_id } = event!;
    assert.deepEqual(
      [operation, type, resource_id, name, ip],
      ['acceptInvitation', 'invitation', id, 'Grace Obi', '127.0.0.1'],
    );
    assert.ok(request_id);
    assert.deepEqual(
      before.map((each) => each.operation),
      ['createInvitation'],
    );
  });

  itInSoak('acceptInvitation succeeds once, even for simultaneous calls', async () => {
    const { token, email } = await invite();
    const responses = await Promise.all([
      acceptInvitation({ token, ...person }),
      acceptInvitation({ token, ...person }),
    ]);
    const [first, second] = responses.toSorted((a, b) => a.status - b.status);
    assert.equal(first!.status, 200);
    assert.match(formatOutcome(second!), /^(404 not_found|409 conflict)$/);
    assert.equal(formatOutcome(await acceptInvitation({ token, ...person })), '404 not_found');
    assert.equal(await parley.database.repository(User).countBy({ email }), 1);
  });

  itInSoak(
    'acceptInvitation waits for a workspace that is being deleted, without blocking the revocation of its invitations',
    async () => {
      const { token, orgId } = await invite();
      const { database } = parley;
      const { accepting } = await database.transaction(async (deleting) => {
        await deleting.sql('SELECT FROM orgs WHERE id = $1 FOR UPDATE', [orgId]);
        const accepted = acceptInvitation({ token, ...person });
        await waitUntilBlocked(database, 'the acceptance');
        await deleting.sql("UPDATE invitations SET status = 'revoked' WHERE org_id = $1", [orgId]);
        return { accepting: accepted };
      });
      assert.equal(formatOutcome(await accepting), '404 not_found');
    },
  );

  it('acceptInvitation requires a name and a strong password for a new account', async () => {
    const { token, email } = await invite();
    for (const [fields, body] of [
      [['full_name', 'password'], {}],
      [['password'], { full_name: 'Grace' }],
      [['full_name'], { password: PASSWORD, full_name: null }],
      [['full_name'], { password: PASSWORD, full_name: '\u200B' }],
      [['password'], { full_name: 'Grace', password: 'password123' }],
      [['password'], { full_name: 'Grace', password: email }],
      [['password'], { full_name: 'Grace', password: 'short' }],
      [['password'], { full_name: 'Grace', password: 'x'.repeat(201) }],
    ] as const) {
      const response = await acceptInvitation({ token, ...body });
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.deepEqual(
        response.problem.details.map(({ field }) => field),
        fields,
      );
    }
    assert.equal((await acceptInvitation({ token, ...person })).status, 200);
  });

  it('acceptInvitation requires the sign-in of an existing account', async () => {
    const known = await buildPerson(parley);
    const { token, orgId } = await invite(`${known.userId}@example.com`, 'viewer');
    const response = await acceptInvitation({ token, ...person });
    assert.equal(formatOutcome(response), '401 unauthenticated');
    const { client } = await parley.signIn(known);
    const { status, body } = await acceptInvitation({ token }, client);
    assert.deepEqual([status, body.org_id], [200, orgId]);
    assert.equal((await parley.client(body.access_token).get('/api/bots')).status, 200);
    assert.deepEqual(await listRoles(known.userId), [
      [known.orgId, 'owner'],
      [orgId, 'viewer'],
    ]);
  });

  it('acceptInvitation requires the refresh token to extend a session long after its sign-in', async () => {
    const known = await buildPerson(parley);
    const { token, orgId } = await invite(known.email);
    const { client, sessionId, refreshToken } = await parley.signIn(known);
    const createdAt = new Date(Date.now() - 11 * 60_000);
    await parley.database.repository(Session).update(sessionId, { createdAt });
    assert.equal(formatOutcome(await acceptInvitation({ token }, client)), '403 fresh_proof_required');
    const other = await parley.signIn(known);
    assert.equal(
      formatOutcome(await acceptInvitation({ token, refresh_token: other.refreshToken }, client)),
      '422 validation_error',
    );
    assert.deepEqual(await listRoles(known.userId), [[known.orgId, 'owner']]);
    const { status, body } = await acceptInvitation({ token, refresh_token: refreshToken }, client);
    assert.deepEqual([status, body.org_id], [200, orgId]);
  });

  it('acceptInvitation verifies an unverified account, and replaces its password, second factor, sessions and linked identities', async () => {
    const known = await buildPerson(parley);
    const users = parley.database.repository(User);
    await users.update(known.userId, { emailVerifiedAt: null, mfaActivatedAt: new Date() });
    const { token, orgId } = await invite(known.email);
    const preview = await parley.client().get(`/api/invitations/${token}`);
    assert.equal(preview.body.has_account, false);
    const linked = parley.database.repository(LinkedIdentity);
    const identity = { provider: 'acme', issuer: 'https://acme.example', subject: known.userId };
    await linked.insert({ id: newId(), userId: known.userId, email: null, lastLoginAt: null, ...identity });
    assert.equal(formatOutcome(await acceptInvitation({ token })), '422 validation_error');
    const { status, body } = await acceptInvitation({ token, ...person });
    assert.deepEqual([status, body.org_id], [200, orgId]);
    const { body: me } = await parley.client(body.access_token).get('/api/auth/me');
    assert.deepEqual(
      [me.user.id, me.user.is_verified, me.user.mfa_enabled, me.user.full_name],
      [known.userId, true, false, person.full_name],
    );
    assert.equal(formatOutcome(await known.client.get('/api/bots')), '401 unauthenticated');
    assert.equal(await linked.countBy({ userId: known.userId }), 0);
    const logIn = (password: string) =>
      parley.client().post('/api/auth/login', { email: known.email, password });
    assert.equal((await logIn(ACCOUNT_PASSWORD)).status, 401);
    assert.equal((await logIn(person.password)).status, 200);
  });

  it('acceptInvitation does not change an account whose address was already verified', async () => {
    const known = await buildPerson(parley);
    const { token } = await invite(known.email);
    const [own, other] = [await parley.signIn(known), await parley.signIn(known)];
    assert.equal((await acceptInvitation({ token }, own.client)).status, 200);
    assert.equal((await other.client.get('/api/auth/me')).status, 200);
    assert.equal((await known.client.get('/api/bots')).status, 200);
    await signInWith(parley.client(), known.email);
  });

  it('acceptInvitation returns the same response to the same user, and refuses the same idempotency key from another caller', async () => {
    const known = await buildPerson(parley);
    const { token } = await invite(known.email);
    const { client } = await parley.signIn(known);
    const { client: other } = await parley.signIn(await buildPerson(parley));
    const acceptWithKey = (by: ApiClient) =>
      by.post('/api/invitations/accept', { token }, { 'idempotency-key': 'join' });
    const [first, again] = [await acceptWithKey(client), await acceptWithKey(client)];
    assert.equal(first.status, 200);
    assert.deepEqual(again.body, first.body);
    for (const by of [parley.client(), other])
      assert.equal(formatOutcome(await acceptWithKey(by)), '422 idempotency_key_reused');
  });

  it('acceptInvitation returns 403 to another user, and 401 for API keys and invalid tokens', async () => {
    const known = await parley.buildOrg();
    const other = await parley.buildOrg();
    const { client } = await parley.signIn(other);
    for (const { token } of [await invite(`${known.userId}@example.com`), await invite()]) {
      assert.equal(formatOutcome(await acceptInvitation({ token, ...person }, client)), '403 forbidden');
      assert.equal(
        formatOutcome(await acceptInvitation({ token, ...person }, other.client)),
        '401 unauthenticated',
      );
      assert.equal(
        formatOutcome(await acceptInvitation({ token, ...person }, parley.client('x.y'))),
        '401 unauthenticated',
      );
    }
    assert.deepEqual(await listRoles(other.userId), [[other.orgId, 'owner']]);
  });

  it('acceptInvitation returns 409 to a member, and accepts a removed user again', async () => {
    const known = await parley.buildOrg();
    const { token, orgId } = await invite(`${known.userId}@example.com`);
    const members = parley.database.repository(Membership);
    await members.insert({ id: newId(), orgId, userId: known.userId, role: 'viewer' });
    const { client } = await parley.signIn(known);
    assert.equal(formatOutcome(await acceptInvitation({ token }, client)), '409 conflict');
    await members.delete({ orgId, userId: known.userId });
    assert.equal((await acceptInvitation({ token }, client)).status, 200);
  });

  it('acceptInvitation returns 404 for unknown, revoked, expired and replaced links', async () => {
    const [revoked, expired, replaced] = [await invite(), await invite(), await invite()];
    await revoked.client.delete(`/api/orgs/${revoked.orgId}/invitations/${revoked.id}`);
    await parley.database
      .repository(Invitation)
      .update(expired.id, { expiresAt: new Date(Date.now() - 1000) });
    await replaced.client.post(`/api/orgs/${replaced.orgId}/invitations/${replaced.id}/resend`);
    for (const token of ['x'.repeat(43), revoked.token, expired.token, replaced.token])
      assert.equal(formatOutcome(await acceptInvitation({ token, ...person })), '404 not_found');
  });

  describe('transferOwnership', () => {
    /** Builds a workspace with an owner, who has a password, and a member, both signed in. */
    async function buildTeam() {
      const { token, orgId, ...founder } = await invite();
      const { body } = await acceptInvitation({ token, ...person });
      const { client: session } = await parley.signIn(founder);
      const members = parley.database.repository(Membership);
      const { id } = await members.findOneByOrFail({ orgId, userId: founder.userId });
      const user = await parley.database.repository(User).findOneByOrFail({ email: founder.email });
      await members.update({ orgId, userId: user.id }, { role: 'owner' });
      await members.update({ orgId, userId: founder.userId }, { role: 'member' });
      return {
        orgId,
        owner: parley.client(body.access_token),
        ownerId: user.id,
        heir: session,
        heirId: founder.userId,
        membershipId: id,
      };
    }

    itInSoak('succeeds for two owners who transfer to each other at once, and leaves one owner', async () => {
      for (let turn = 0; turn < 8; turn += 1) {
        const first = await buildPerson(parley);
        const second = await buildPerson(parley);
        const { orgId } = first;
        const members = parley.database.repository(Membership);
        await members.insert({ id: newId(), orgId, userId: second.userId, role: 'owner' });
        const prepareTransfer = async (from: TestPerson, to: TestPerson) => {
          const { id } = await members.findOneByOrFail({ orgId, userId: to.userId });
          const { client } = await parley.signIn({ userId: from.userId, orgId });
          return () =>
            client.post(`/api/orgs/${orgId}/transfer-ownership`, {
              membership_id: id,
              password: ACCOUNT_PASSWORD,
            });
        };
        const gifts = [await prepareTransfer(first, second), await prepareTransfer(second, first)];
        const responses = await Promise.all(gifts.map((ask) => ask()));
        assert.deepEqual(
          responses.map(({ status }) => status),
          [200, 200],
        );
        assert.equal(await members.countBy({ orgId, role: 'owner' }), 1);
      }
    });

    it('makes a verified member owner and the caller admin, after a password check', async () => {
      const { orgId, owner, ownerId, heir, heirId, membershipId } = await buildTeam();
      await parley.database.repository(User).update(heirId, { emailVerifiedAt: null });
      const transferTo = (password: string, id = membershipId) =>
        owner.post(`/api/orgs/${orgId}/transfer-ownership`, { membership_id: id, password });
      const wrong = await transferTo('not my password');
      assert.deepEqual(
        [formatOutcome(wrong), wrong.problem.details[0]!.field],
        ['422 validation_error', 'password'],
      );
      await parley.database.repository(User).update(heirId, { emailVerifiedAt: null });
      assert.equal(formatOutcome(await transferTo(PASSWORD)), '409 conflict');
      await parley.database.repository(User).update(heirId, { emailVerifiedAt: new Date() });
      assert.equal(formatOutcome(await transferTo(PASSWORD, newId())), '404 not_found');
      const own = await parley.database.repository(Membership).findOneByOrFail({ orgId, userId: ownerId });
      assert.equal(formatOutcome(await transferTo(PASSWORD, own.id)), '422 validation_error');
      assert.equal((await transferTo(PASSWORD)).status, 200);
      const roles = await parley.database.repository(Membership).findBy({ orgId });
      assert.deepEqual(
        roles.map(({ userId, role }) => [userId, role]).toSorted(),
        [
          [ownerId, 'admin'],
          [heirId, 'owner'],
        ].toSorted(),
      );
      assert.equal(formatOutcome(await transferTo(PASSWORD)), '403 forbidden');
      assert.equal((await heir.get(`/api/orgs/${orgId}`)).body.role, 'owner');
      const mails = await parley.database.sql(
        `SELECT FROM mails WHERE template = 'ownership_transferred' AND user_id = $1`,
        [heirId],
      );
      assert.equal(mails.length, 1);
    });

    it('is allowed to owners of the parent workspace, who keep their role', async () => {
      const person = await buildPerson(parley);
      const { client } = await parley.signIn(person);
      const { body: child } = await client.post(`/api/orgs/${person.orgId}/children`, { name: 'Client' });
      const members = parley.database.repository(Membership);
      await members.delete({ orgId: child.id });
      const { userId } = await parley.buildOrg({ role: 'member', orgId: child.id });
      const { id } = await members.findOneByOrFail({ orgId: child.id, userId });
      const { status, body } = await client.post(`/api/orgs/${child.id}/transfer-ownership`, {
        membership_id: id,
        password: ACCOUNT_PASSWORD,
      });
      assert.deepEqual([status, body.message], [200, 'Ada Okafor is now an owner.']);
      assert.equal((await members.findOneByOrFail({ id })).role, 'owner');
      assert.equal((await client.get(`/api/orgs/${child.id}`)).body.role, 'owner');
    });
  });
});
