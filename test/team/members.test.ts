import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildMember } from './support.ts';

describe('members:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const buildTestMember = (role: OrgRole, orgId?: string) => buildMember(parley, role, orgId);

  it('are listed by listMembers in the order of joining', async () => {
    const owner = await buildTestMember('owner');
    const viewer = await buildTestMember('viewer', owner.orgId);
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
    it('takes effect on the next request', async () => {
      const owner = await buildTestMember('owner');
      const other = await buildTestMember('member', owner.orgId);
      assert.equal((await other.client.post('/api/bots', { name: 'Guide' })).status, 201);
      const { status, body } = await owner.client.put(`${other.path}/role`, { role: 'viewer' });
      assert.deepEqual([status, body.role], [200, 'viewer']);
      for (const client of [other.client, other.session])
        assert.equal(formatOutcome(await client.post('/api/bots', { name: 'Guide' })), '403 forbidden');
    });

    it('allows only owners to promote a member to owner and to change owners', async () => {
      const owner = await buildTestMember('owner');
      const admin = await buildTestMember('admin', owner.orgId);
      const other = await buildTestMember('member', owner.orgId);
      const setRole = (by: typeof owner, whom: typeof owner, role: string) =>
        by.session.put(`${whom.path}/role`, { role });
      assert.equal(formatOutcome(await setRole(admin, other, 'owner')), '403 forbidden');
      assert.equal(formatOutcome(await setRole(admin, owner, 'admin')), '403 forbidden');
      assert.equal(formatOutcome(await setRole(other, other, 'admin')), '403 forbidden');
      assert.equal((await setRole(admin, other, 'admin')).status, 200);
      assert.equal((await setRole(owner, other, 'owner')).status, 200);
      assert.equal((await setRole(owner, owner, 'admin')).status, 200);
      assert.equal(formatOutcome(await setRole(other, other, 'viewer')), '409 last_owner');
      assert.equal(formatOutcome(await setRole(other, other, 'king')), '422 validation_error');
    });

    it('and removeMember refuse API keys that promote, change or remove an owner', async () => {
      const owner = await buildTestMember('owner');
      const [second, other] = [
        await buildTestMember('owner', owner.orgId),
        await buildTestMember('member', owner.orgId),
      ];
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

    it('and removeMember refuse API keys that promote, change or remove an admin, in the workspace and its child workspaces', async () => {
      const owner = await buildTestMember('owner');
      const { body: child } = await owner.session.post(`/api/orgs/${owner.orgId}/children`, {
        name: 'Child',
      });
      for (const orgId of [owner.orgId, child.id]) {
        const [admin, other] = [
          await buildTestMember('admin', orgId),
          await buildTestMember('member', orgId),
        ];
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

    it('returns 403 for a member of another workspace, and 404 for an unknown member', async () => {
      const [owner, stranger] = [await buildTestMember('owner'), await buildTestMember('owner')];
      const setViewer = (id: string) =>
        owner.client.put(`/api/orgs/${owner.orgId}/members/${id}/role`, { role: 'viewer' });
      assert.equal(formatOutcome(await setViewer(stranger.membershipId)), '403 forbidden');
      assert.equal(formatOutcome(await setViewer(newId())), '404 not_found');
    });
  });

  it('include one owner after two owners demote each other at once', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const first = await buildTestMember('owner');
      const second = await buildTestMember('owner', first.orgId);
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

  itInSoak('include one owner after one owner leaves while another owner gives up the role', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const first = await buildTestMember('owner');
      const second = await buildTestMember('owner', first.orgId);
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
  describe('members during their own demotion', () => {
    type Member = Awaited<ReturnType<typeof buildTestMember>>;

    /** Returns the API's response to a request that arrives while an owner demotes its caller. */
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
        ['promote no owner', 'owner', (by, { path }) => by.session.put(`${path}/role`, { role: 'owner' })],
        [
          'do not disable the workspace',
          'owner',
          ({ session, orgId }) => session.patch(`/api/orgs/${orgId}`, { is_active: false }),
        ],
        ['remove no member', 'admin', (by, { path }) => by.session.delete(path)],
        [
          'send no invitation',
          'admin',
          ({ client, orgId }) => client.post(`/api/orgs/${orgId}/invitations`, { email: 'next@example.com' }),
        ],
        [
          'create no child workspace',
          'admin',
          ({ client, orgId }) => client.post(`/api/orgs/${orgId}/children`, { name: 'Child' }),
        ],
        [
          'do not delete the workspace',
          'owner',
          ({ session, orgId }) => session.delete(`/api/orgs/${orgId}`),
        ],
      ];
    for (const [what, role, ask] of changes) {
      it(what, async () => {
        const owner = await buildTestMember('owner');
        const acting = await buildTestMember(role, owner.orgId);
        const target = await buildTestMember('member', owner.orgId);
        const response = await askWhileDemoted(acting, owner, () => ask(acting, target));
        assert.equal(formatOutcome(response), '403 forbidden');
        const { role: kept } = await parley.database
          .repository(Membership)
          .findOneByOrFail({ id: target.membershipId });
        assert.equal(kept, 'member');
      });
    }

    it('change nothing in a child workspace', async () => {
      const above = await buildTestMember('owner');
      const acting = await buildTestMember('admin', above.orgId);
      const below = await buildTestMember('owner');
      await parley.database.repository(Org).update(below.orgId, { parentOrgId: above.orgId });
      const target = await buildTestMember('member', below.orgId);
      const setViewer = () => acting.session.put(`${target.path}/role`, { role: 'viewer' });
      assert.equal(formatOutcome(await askWhileDemoted(acting, above, setViewer)), '403 forbidden');
    });
  });

  describe('removeMember', () => {
    it('revokes the user’s sessions and keys in that workspace, and nowhere else', async () => {
      const owner = await buildTestMember('owner');
      const other = await buildTestMember('member', owner.orgId);
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

    it('ends sessions and keys permanently, in the workspace and its child workspaces, even if the user is added again', async () => {
      const owner = await buildTestMember('owner');
      const other = await buildTestMember('admin', owner.orgId);
      const { body: child } = await owner.client.post(`/api/orgs/${owner.orgId}/children`, { name: 'Child' });
      const below = await parley.signIn({ userId: other.userId, orgId: child.id });
      const { body: made } = await below.client.post('/api/api-keys', { name: 'Key', scopes: ['bots:read'] });
      assert.equal((await parley.client(made.key).get('/api/bots')).status, 200);
      assert.equal((await owner.session.delete(other.path)).status, 200);
      await parley.database
        .repository(Membership)
        .insert({ id: newId(), orgId: owner.orgId, userId: other.userId, role: 'admin' });
      for (const client of [other.client, below.client, parley.client(made.key)])
        assert.equal(formatOutcome(await client.get('/api/bots')), '401 unauthenticated');
      const { client } = await parley.signIn({ userId: other.userId, orgId: owner.orgId });
      assert.equal((await client.get('/api/bots')).status, 200);
    });

    it('lets every signed-in member leave, and refuses members and keys that remove other people', async () => {
      const owner = await buildTestMember('owner');
      for (const role of ['viewer', 'member', 'admin'] as const) {
        const leaver = await buildTestMember(role, owner.orgId);
        const other = await buildTestMember('viewer', owner.orgId);
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

    itInSoak(
      'lets owners of any parent workspace remove the last owner of a child, who may also leave',
      async () => {
        const top = await buildTestMember('owner');
        const { body: middle } = await top.session.post(`/api/orgs/${top.orgId}/children`, {
          name: 'Middle',
        });
        const { body: lowest } = await top.session.post(`/api/orgs/${middle.id}/children`, {
          name: 'Lowest',
        });
        const { body: makers } = await top.session.get(`/api/orgs/${lowest.id}/members`);
        const topAdmin = await buildTestMember('admin', top.orgId);
        const clientOwner = await buildTestMember('owner', lowest.id);
        const { membership_id: maker } = makers[0]!;
        assert.equal((await top.session.delete(`/api/orgs/${lowest.id}/members/${maker}`)).status, 200);
        assert.equal(formatOutcome(await topAdmin.session.delete(clientOwner.path)), '403 forbidden');
        assert.equal((await top.session.delete(clientOwner.path)).status, 200);
        const leaver = await buildTestMember('owner', lowest.id);
        assert.equal((await leaver.session.delete(leaver.path)).status, 200);
        assert.equal((await top.session.patch(`/api/orgs/${lowest.id}`, { is_active: false })).status, 200);
        assert.equal((await top.session.delete(`/api/orgs/${lowest.id}`)).status, 202);
      },
    );

    it('refuses an admin who removes an owner, and the last owner who wants to leave', async () => {
      const owner = await buildTestMember('owner');
      const admin = await buildTestMember('admin', owner.orgId);
      assert.equal(formatOutcome(await admin.session.delete(owner.path)), '403 forbidden');
      assert.equal(formatOutcome(await owner.session.delete(owner.path)), '409 last_owner');
      assert.equal((await admin.session.delete(admin.path)).status, 200);
    });
  });
});
