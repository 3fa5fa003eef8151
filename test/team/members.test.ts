import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildMember } from './support.ts';

describe('members', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const member = (role: OrgRole, orgId?: string) => buildMember(parley, role, orgId);

  it('are listed by listMembers in the order in which they have joined', async () => {
    const owner = await member('owner');
    const viewer = await member('viewer', owner.orgId);
    await parley.database.repository(User).update(owner.userId, { emailVerifiedAt: null });
    const { status, body } = await viewer.client.get(`/api/orgs/${owner.orgId}/members`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((each) => [each.membership_id, each.user_id, each.email, each.role, each.is_verified]),
      [
        [owner.membershipId, owner.userId, `${owner.userId}@example.com`, 'owner', false],
        [viewer.membershipId, viewer.userId, `${viewer.userId}@example.com`, 'viewer', true],
      ],
    );
    assert.equal(typeof body[0]!.last_login_at, 'string');
  });

  describe('setMemberRole', () => {
    it('acts on the next request', async () => {
      const owner = await member('owner');
      const other = await member('member', owner.orgId);
      assert.equal((await other.client.post('/api/bots', { name: 'Guide' })).status, 201);
      const { status, body } = await owner.client.put(`${other.path}/role`, { role: 'viewer' });
      assert.deepEqual([status, body.role], [200, 'viewer']);
      for (const client of [other.client, other.session])
        assert.equal(formatOutcome(await client.post('/api/bots', { name: 'Guide' })), '403 forbidden');
    });

    it('lets only owners make owners and change them', async () => {
      const owner = await member('owner');
      const admin = await member('admin', owner.orgId);
      const other = await member('member', owner.orgId);
      const set = (by: typeof owner, whom: typeof owner, role: string) =>
        by.session.put(`${whom.path}/role`, { role });
      assert.equal(formatOutcome(await set(admin, other, 'owner')), '403 forbidden');
      assert.equal(formatOutcome(await set(admin, owner, 'admin')), '403 forbidden');
      assert.equal(formatOutcome(await set(other, other, 'admin')), '403 forbidden');
      assert.equal((await set(admin, other, 'admin')).status, 200);
      assert.equal((await set(owner, other, 'owner')).status, 200);
      assert.equal((await set(owner, owner, 'admin')).status, 200);
      assert.equal(formatOutcome(await set(other, other, 'viewer')), '409 last_owner');
      assert.equal(formatOutcome(await set(other, other, 'king')), '422 validation_error');
    });

    it('and removeMember take no API key to make, change or remove an owner', async () => {
      const owner = await member('owner');
      const [second, other] = [await member('owner', owner.orgId), await member('member', owner.orgId)];
      const refused = [
        await owner.client.put(`${other.path}/role`, { role: 'owner' }),
        await owner.client.put(`${second.path}/role`, { role: 'member' }),
        await owner.client.put(`${second.path}/role`, { role: 'owner' }),
        await owner.client.delete(second.path),
      ];
      for (const response of refused) {
        assert.equal(formatOutcome(response), '403 forbidden');
        assert.match(
          response.problem.error.message,
          /^Only an owner who is signed in can .+; an API key cannot\.$/,
        );
      }
      assert.equal((await owner.session.put(`${other.path}/role`, { role: 'admin' })).status, 200);
      const roles = await parley.database.repository(Membership).findBy({ orgId: owner.orgId });
      assert.deepEqual(roles.map(({ role }) => role).toSorted(), ['admin', 'owner', 'owner']);
    });

    it('and removeMember let an API key make no admin, nor unmake one, here and below', async () => {
      const owner = await member('owner');
      const { body: child } = await owner.session.post(`/api/orgs/${owner.orgId}/children`, {
        name: 'Child',
      });
      for (const orgId of [owner.orgId, child.id]) {
        const [admin, other] = [await member('admin', orgId), await member('member', orgId)];
        const refused = [
          await owner.client.put(`${other.path}/role`, { role: 'admin' }),
          await owner.client.put(`${admin.path}/role`, { role: 'member' }),
          await owner.client.put(`${admin.path}/role`, { role: 'admin' }),
          await owner.client.delete(admin.path),
        ];
        for (const response of refused) {
          assert.equal(formatOutcome(response), '403 forbidden');
          assert.match(
            response.problem.error.message,
            /^Only a signed-in user can .+ admin.*; an API key cannot\.$/,
          );
        }
        const { body } = await owner.client.put(`${other.path}/role`, { role: 'viewer' });
        assert.equal(body.role, 'viewer');
        assert.equal((await owner.client.delete(other.path)).status, 200);
        const { role } = await parley.database
          .repository(Membership)
          .findOneByOrFail({ id: admin.membershipId });
        assert.equal(role, 'admin');
      }
    });

    it('knows members of other workspaces from those that there are not', async () => {
      const [owner, stranger] = [await member('owner'), await member('owner')];
      const put = (id: string) =>
        owner.client.put(`/api/orgs/${owner.orgId}/members/${id}/role`, { role: 'viewer' });
      assert.equal(formatOutcome(await put(stranger.membershipId)), '403 forbidden');
      assert.equal(formatOutcome(await put(newId())), '404 not_found');
    });
  });

  it('keep an owner, also when two owners demote each other at once', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const first = await member('owner');
      const second = await member('owner', first.orgId);
      const responses = await Promise.all([
        first.session.put(`${second.path}/role`, { role: 'member' }),
        second.session.put(`${first.path}/role`, { role: 'member' }),
      ]);
      const owners = await parley.database
        .repository(Membership)
        .countBy({ orgId: first.orgId, role: 'owner' });
      assert.equal(owners, 1, responses.map(formatOutcome).join(', '));
      const [refused] = responses.filter(({ status }) => status !== 200);
      assert.match(formatOutcome(refused!), /^(409 last_owner|403 forbidden)$/);
    }
  });

  it('keep an owner, also when both leave and step down at once', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const first = await member('owner');
      const second = await member('owner', first.orgId);
      const responses = await Promise.all([
        first.session.delete(first.path),
        second.session.put(`${second.path}/role`, { role: 'admin' }),
      ]);
      assert.deepEqual(responses.map(formatOutcome).toSorted(), ['200', '409 last_owner']);
      assert.equal(
        await parley.database.repository(Membership).countBy({ orgId: first.orgId, role: 'owner' }),
        1,
      );
    }
  });
  describe('whose role is being lowered while they act', () => {
    type Member = Awaited<ReturnType<typeof member>>;

    /** The response to what somebody asks for whom an owner is just demoting. */
    async function askWhileDemoted(acting: Member, owner: Member, ask: () => Promise<ApiResponse>) {
      const { database, runtime } = parley;
      let response: Promise<ApiResponse> | undefined;
      await database.transaction(async (db) => {
        const scope = { db, orgId: acting.orgId, userId: owner.userId, keyId: null };
        await runtime.services.team.members.setRole(scope, acting.membershipId, 'member');
        response = ask();
        await waitUntilBlocked(database, 'the request');
      });
      return response!;
    }

    const changes: [what: string, role: OrgRole, ask: (by: Member, whom: Member) => Promise<ApiResponse>][] =
      [
        ['change no role', 'admin', (by, { path }) => by.session.put(`${path}/role`, { role: 'viewer' })],
        ['make no owner', 'owner', (by, { path }) => by.session.put(`${path}/role`, { role: 'owner' })],
        [
          'switch nothing off',
          'owner',
          ({ session, orgId }) => session.patch(`/api/orgs/${orgId}`, { is_active: false }),
        ],
        ['remove nobody', 'admin', (by, { path }) => by.session.delete(path)],
        [
          'invite nobody',
          'admin',
          ({ client, orgId }) => client.post(`/api/orgs/${orgId}/invitations`, { email: 'next@example.com' }),
        ],
        [
          'make no workspace below',
          'admin',
          ({ client, orgId }) => client.post(`/api/orgs/${orgId}/children`, { name: 'Child' }),
        ],
        ['do not delete it', 'owner', ({ session, orgId }) => session.delete(`/api/orgs/${orgId}`)],
      ];
    for (const [what, role, ask] of changes) {
      it(what, async () => {
        const owner = await member('owner');
        const acting = await member(role, owner.orgId);
        const target = await member('member', owner.orgId);
        const response = await askWhileDemoted(acting, owner, () => ask(acting, target));
        assert.equal(formatOutcome(response), '403 forbidden');
        const { role: kept } = await parley.database
          .repository(Membership)
          .findOneByOrFail({ id: target.membershipId });
        assert.equal(kept, 'member');
      });
    }

    it('change nothing in a workspace below', async () => {
      const above = await member('owner');
      const acting = await member('admin', above.orgId);
      const below = await member('owner');
      await parley.database.repository(Org).update(below.orgId, { parentOrgId: above.orgId });
      const target = await member('member', below.orgId);
      const put = () => acting.session.put(`${target.path}/role`, { role: 'viewer' });
      assert.equal(formatOutcome(await askWhileDemoted(acting, above, put)), '403 forbidden');
    });
  });

  describe('removeMember', () => {
    it('ends the person’s sessions and keys there, and nowhere else', async () => {
      const owner = await member('owner');
      const other = await member('member', owner.orgId);
      const elsewhere = await parley.buildOrg();
      await parley.database
        .repository(Membership)
        .insert({ id: newId(), orgId: elsewhere.orgId, userId: other.userId, role: 'viewer' });
      const there = await parley.signIn({ userId: other.userId, orgId: elsewhere.orgId });
      assert.equal((await owner.client.delete(other.path)).status, 200);
      for (const client of [other.client, other.session])
        assert.equal(formatOutcome(await client.get('/api/bots')), '401 unauthenticated');
      assert.equal((await there.client.get('/api/bots')).status, 200);
      assert.equal(formatOutcome(await owner.client.delete(other.path)), '404 not_found');
    });

    it('ends keys for good, there and below, for somebody who comes back', async () => {
      const owner = await member('owner');
      const other = await member('admin', owner.orgId);
      const { body: child } = await owner.client.post(`/api/orgs/${owner.orgId}/children`, { name: 'Child' });
      const below = await parley.signIn({ userId: other.userId, orgId: child.id });
      const { body: made } = await below.client.post('/api/api-keys', { name: 'Key', scopes: ['bots:read'] });
      assert.equal((await parley.client(made.key).get('/api/bots')).status, 200);
      assert.equal((await owner.session.delete(other.path)).status, 200);
      await parley.database
        .repository(Membership)
        .insert({ id: newId(), orgId: owner.orgId, userId: other.userId, role: 'admin' });
      for (const client of [other.client, parley.client(made.key)])
        assert.equal(formatOutcome(await client.get('/api/bots')), '401 unauthenticated');
      const { client } = await parley.signIn({ userId: other.userId, orgId: owner.orgId });
      assert.equal((await client.get('/api/bots')).status, 200);
    });

    it('lets anybody leave who is signed in, and neither members nor their keys remove others', async () => {
      const owner = await member('owner');
      for (const role of ['viewer', 'member', 'admin'] as const) {
        const leaver = await member(role, owner.orgId);
        const other = await member('viewer', owner.orgId);
        if (role !== 'admin') {
          for (const client of [leaver.client, leaver.session])
            assert.equal(formatOutcome(await client.delete(other.path)), '403 forbidden');
          assert.equal(formatOutcome(await leaver.client.delete(leaver.path)), '403 forbidden');
        }
        assert.equal((await leaver.session.delete(leaver.path)).status, 200);
        for (const client of [leaver.client, leaver.session])
          assert.equal(formatOutcome(await client.get('/api/bots')), '401 unauthenticated');
        assert.equal((await other.session.get('/api/bots')).status, 200);
      }
    });

    it('lets the owners of every workspace above remove the last owner of one below, who may leave as well', async () => {
      const top = await member('owner');
      const { body: middle } = await top.session.post(`/api/orgs/${top.orgId}/children`, { name: 'Middle' });
      const { body: lowest } = await top.session.post(`/api/orgs/${middle.id}/children`, { name: 'Lowest' });
      const { body: makers } = await top.session.get(`/api/orgs/${lowest.id}/members`);
      const topAdmin = await member('admin', top.orgId);
      const clientOwner = await member('owner', lowest.id);
      const { membership_id: maker } = makers[0]!;
      assert.equal((await top.session.delete(`/api/orgs/${lowest.id}/members/${maker}`)).status, 200);
      assert.equal(formatOutcome(await topAdmin.session.delete(clientOwner.path)), '403 forbidden');
      assert.equal((await top.session.delete(clientOwner.path)).status, 200);
      const leaver = await member('owner', lowest.id);
      assert.equal((await leaver.session.delete(leaver.path)).status, 200);
      assert.equal((await top.session.patch(`/api/orgs/${lowest.id}`, { is_active: false })).status, 200);
      assert.equal((await top.session.delete(`/api/orgs/${lowest.id}`)).status, 202);
    });

    it('lets no admin remove an owner, and the last owner not leave', async () => {
      const owner = await member('owner');
      const admin = await member('admin', owner.orgId);
      assert.equal(formatOutcome(await admin.session.delete(owner.path)), '403 forbidden');
      assert.equal(formatOutcome(await owner.session.delete(owner.path)), '409 last_owner');
      assert.equal((await admin.session.delete(admin.path)).status, 200);
    });
  });
});
