import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { buildSession } from '../support/widget.ts';

describe('handoffs of a member who may no longer answer', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const findMembershipId = async ({ client, orgId }: TestOrg, userId: string): Promise<string> => {
    const { body } = await client.get(`/api/orgs/${orgId}/members`);
    return body.find((member: { user_id: string }) => member.user_id === userId)!.membership_id;
  };

  /** Builds a conversation that waited for the team and that a colleague of the owner has claimed. */
  async function buildClaimed() {
    const owner = await buildSession(parley, { handoff_enabled: true });
    await owner.visitor.post(`${owner.path}/handoff`, { reason: 'My order is lost.' });
    const colleague = await parley.buildOrg({ orgId: owner.orgId, role: 'member' });
    const id = owner.session.session_id as string;
    const item = `/api/inbox/${id}` as const;
    assert.equal((await colleague.client.post(`${item}/claim`)).status, 200);
    const membership =
      `/api/orgs/${owner.orgId}/members/${await findMembershipId(owner, colleague.userId)}` as const;
    return { owner, colleague, id, item, membership };
  }

  /** Reads a conversation’s status as the visitor and the team see it and as the database stores it. */
  async function readState({ owner, id }: Awaited<ReturnType<typeof buildClaimed>>) {
    const { body: session } = await owner.visitor.get(owner.path);
    const [row] = await parley.database.sql('SELECT assigned_at FROM conversations WHERE id = $1', [id]);
    return {
      status: session.status,
      agent: session.agent_name,
      waiting: (await owner.client.get('/api/inbox?assigned_to=none')).body.total,
      row,
    };
  }
  const given = { status: 'waiting_human', agent: null, waiting: 1, row: { assigned_at: null } };

  it('wait for another agent than that member after the member is removed', async () => {
    const held = await buildClaimed();
    assert.equal((await held.owner.client.delete(held.membership)).status, 200);
    assert.deepEqual(await readState(held), given);
    const { body } = await held.owner.client.get(`/api/conversations/${held.id}/messages?before=end&limit=1`);
    const { role, event, author_id: author, content } = body[0]!;
    assert.deepEqual(
      [role, event, author, content],
      [
        'system',
        { kind: 'handoff_returned' },
        held.colleague.userId,
        'Ada Okafor left; the visitor waits for another agent.',
      ],
    );
    assert.equal((await held.owner.client.post(`${held.item}/claim`)).status, 200);
  });

  itInSoak('wait for another agent after the member becomes a viewer', async () => {
    const held = await buildClaimed();
    assert.equal((await held.owner.client.put(`${held.membership}/role`, { role: 'viewer' })).status, 200);
    assert.deepEqual(await readState(held), given);
  });

  it('remain assigned after the member changes to another role that may answer', async () => {
    const held = await buildClaimed();
    const { client } = await parley.signIn(held.owner);
    assert.equal((await client.put(`${held.membership}/role`, { role: 'admin' })).status, 200);
    assert.equal((await readState(held)).status, 'human');
  });

  it('wait for another agent after the member closes the account', async () => {
    const held = await buildClaimed();
    await parley.database.sql('UPDATE users SET is_active = false WHERE id = $1', [held.colleague.userId]);
    await parley.database.sql('DELETE FROM memberships WHERE user_id = $1', [held.colleague.userId]);
    assert.deepEqual(await readState(held), given);
  });

  itInSoak('wait for another agent after an admin of the parent workspace is demoted', async () => {
    const held = await buildClaimed();
    const above = await parley.buildOrg();
    await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [
      held.owner.orgId,
      above.orgId,
    ]);
    await parley.database.sql('DELETE FROM memberships WHERE user_id = $1', [held.colleague.userId]);
    const admin = await parley.buildOrg({ orgId: above.orgId, role: 'admin' });
    const { client } = await parley.signIn({ userId: admin.userId, orgId: held.owner.orgId });
    const claim = await client.post(`${held.item}/claim`);
    assert.equal(claim.body.assigned_to_id, admin.userId, JSON.stringify(claim.body));
    await parley.database.sql("UPDATE memberships SET role = 'member' WHERE user_id = $1", [admin.userId]);
    assert.deepEqual(await readState(held), given);
  });

  it('cannot be claimed by a member who is removed at the same moment', async () => {
    const { owner, colleague, item, membership } = await buildClaimed();
    await owner.client.post(`${item}/release`);
    await owner.visitor.post(`${owner.path}/handoff`, {});
    const claim = await parley.database.transaction(async (db) => {
      await db.sql('DELETE FROM memberships WHERE id = $1', [membership.split('/').at(-1)]);
      const claiming = colleague.client.post(`${item}/claim`);
      await waitUntilBlocked(parley.database, 'the claim');
      return { claiming };
    });
    assert.equal((await claim.claiming).status, 403);
    assert.equal((await owner.client.get('/api/inbox?assigned_to=none')).body.total, 1);
  });
});
