import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildMember } from './support.ts';

describe('members who lose a role', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const buildTestMember = (role: OrgRole, orgId?: string) => buildMember(parley, role, orgId);

  type Member = Awaited<ReturnType<typeof buildTestMember>>;
  const ends: [how: string, end: (owner: Member, leaver: Member) => Promise<unknown>][] = [
    ['removal', (owner, { path }) => owner.session.delete(path)],
    ['demotion', (owner, { path }) => owner.session.put(`${path}/role`, { role: 'member' })],
    ['leaving', (_, { session, path }) => session.delete(path)],
    [
      'closing the account',
      ({ orgId }, { userId }) =>
        parley.database.transaction(async (db) => {
          const { accounts } = parley.runtime.services.accounts;
          await accounts.close(db, await accounts.get(db, userId));
          return orgId;
        }),
    ],
  ];
  for (const [how, end] of selectCases(ends, 2)) {
    it(`by ${how} lose the child workspaces that they created, and their open invitations`, async () => {
      const owner = await buildTestMember('owner');
      const leaver = await buildTestMember('admin', owner.orgId);
      const made = [owner.orgId];
      for (const name of ['Client', 'Client of the client']) {
        const { body } = await leaver.session.post(`/api/orgs/${made.at(-1)}/children`, { name });
        assert.equal(body.role, 'owner');
        made.push(body.id);
      }
      const { client: below } = await parley.signIn({ userId: leaver.userId, orgId: made[2]! });
      const { body: key } = await below.post('/api/api-keys', { name: 'Key', scopes: ['bots:read'] });
      const invited: { id: string; orgId: string }[] = [];
      for (const orgId of made) {
        const { status, body } = await leaver.session.post(`/api/orgs/${orgId}/invitations`, {
          email: `${newId()}@example.com`,
          role: 'admin',
        });
        assert.equal(status, 201);
        invited.push({ id: body.id, orgId });
      }
      await end(owner, leaver);
      for (const orgId of made.slice(1)) {
        const { body: members } = await owner.session.get(`/api/orgs/${orgId}/members`);
        assert.deepEqual(members, []);
        const { body: org } = await owner.session.get(`/api/orgs/${orgId}`);
        assert.equal(org.role, 'owner');
      }
      assert.equal((await below.get('/api/bots')).status, 401);
      assert.equal((await parley.client(key.key).get('/api/bots')).status, 401);
      for (const { id, orgId } of invited) {
        const { body } = await owner.session.get(`/api/orgs/${orgId}/invitations`);
        assert.deepEqual(
          body.map(({ status }: { status: string }) => status),
          ['revoked'],
        );
        const token = parley.runtime.keyring.deriveInvitationToken(id, 1);
        const account = { token, full_name: 'Accomplice', password: 'three blue lamps at noon' };
        const accepted = await parley.client().post('/api/invitations/accept', account);
        assert.equal(formatOutcome(accepted), '404 not_found');
      }
      const signals = await parley.database.sql(
        `SELECT FROM outbox WHERE name = 'invitation' AND org_id = ANY($1) AND payload ->> 'signal' = 'revoke'`,
        [made],
      );
      assert.equal(signals.length, 3);
    });
  }

  it('keep roles that other people granted them, and their workspaces elsewhere', async () => {
    const owner = await buildTestMember('owner');
    const leaver = await buildTestMember('admin', owner.orgId);
    const { body: made } = await leaver.session.post(`/api/orgs/${owner.orgId}/children`, {
      name: 'Granted',
    });
    const { body: own } = await leaver.session.post('/api/orgs', { name: 'Own' });
    const { body: ownBelow } = await leaver.session.post(`/api/orgs/${own.id}/children`, { name: 'Below' });
    const [granted] = (await owner.session.get(`/api/orgs/${made.id}/members`)).body;
    const path = `/api/orgs/${made.id}/members/${granted!.membership_id}/role` as const;
    assert.equal((await owner.session.put(path, { role: 'admin' })).status, 200);
    assert.equal((await owner.session.delete(leaver.path)).status, 200);
    const { client } = await parley.signIn({ userId: leaver.userId });
    const { body: seen } = await client.get('/api/orgs');
    assert.deepEqual(
      seen.map(({ id, role }: { id: string; role: string }) => [id, role]),
      [
        [made.id, 'admin'],
        [own.id, 'owner'],
        [ownBelow.id, 'owner'],
      ],
    );
  });

  it('have an invitation either accepted or revoked if both happen at once', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const owner = await buildTestMember('owner');
      const leaver = await buildTestMember('admin', owner.orgId);
      const email = `${newId()}@example.com`;
      const { body } = await leaver.session.post(`/api/orgs/${owner.orgId}/invitations`, { email });
      const token = parley.runtime.keyring.deriveInvitationToken(body.id, 1);
      const [removed, accepted] = await Promise.all([
        owner.session.delete(leaver.path),
        parley.client().post('/api/invitations/accept', {
          token,
          full_name: 'Grace Obi',
          password: 'three blue lamps at noon',
        }),
      ]);
      assert.equal(removed.status, 200);
      const { body: list } = await owner.session.get(`/api/orgs/${owner.orgId}/invitations`);
      assert.equal(list[0]!.status, accepted.status === 200 ? 'accepted' : 'revoked');
    }
  });
});
