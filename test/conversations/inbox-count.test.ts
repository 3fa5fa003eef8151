import assert from 'node:assert/strict';
import { FOLD_INBOX_DELTAS } from '../../repositories/conversations/inbox-delta.sql.ts';
import { startParley, type ApiClient, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

const CONVERSATIONS = 8;

describe('how many handoffs the inbox has', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const fold = () => parley.database.run(FOLD_INBOX_DELTAS);
  const total = async ({ client }: { client: ApiClient }, filter = '') =>
    (await client.get(`/api/inbox?page_size=1${filter}`)).body.total as number;
  /** Of one workspace, each row's change. */
  const changes = async ({ orgId }: { orgId: string }) => {
    const rows = await parley.database.sql<{ change: number }>(
      'SELECT change FROM inbox_changes WHERE org_id = $1 ORDER BY change',
      [orgId],
    );
    return rows.map(({ change }) => change);
  };

  /** A workspace with handoffs that wait. */
  async function buildInbox(count: number) {
    const org = await buildActiveBot(parley, { handoff_enabled: true });
    const ids: string[] = [];
    for (let each = 0; each < count; each += 1) {
      const { body } = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
      await parley.client(body.visitor_token).post(`/api/public/sessions/${body.session_id}/handoff`, {});
      ids.push(body.session_id);
    }
    return { ...org, ids };
  }

  /** As somebody counts who reads every one. */
  async function counted({ orgId }: TestOrg, condition = 'true') {
    const [row] = await parley.database.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM conversations
       WHERE org_id = $1 AND status IN ('waiting_human', 'human') AND ${condition}`,
      [orgId],
    );
    return row!.count;
  }

  it('is exact while people work in it at once and its changes are folded', async () => {
    const org = await buildInbox(CONVERSATIONS);
    const colleagues = [org, await parley.buildOrg({ orgId: org.orgId })];
    const steps = ['claim', 'release', 'claim', 'resolve', 'claim', 'release'];
    const work = colleagues.flatMap(({ client }, person) =>
      org.ids.map(async (id, index) => {
        for (const step of steps.slice((index + person) % 3)) {
          const path = step === 'resolve' ? `/api/conversations/${id}/resolve` : `/api/inbox/${id}/${step}`;
          assert.ok([200, 404, 409].includes((await client.post(path)).status));
        }
        if (index % 3 === 0) await client.delete(`/api/conversations/${id}`);
      }),
    );
    const folding = (async () => {
      for (let each = 0; each < 20; each += 1) await fold();
    })();
    await Promise.all([...work, folding]);
    for (const [filter, condition] of [
      ['', 'true'],
      ['&assigned_to=none', 'assigned_to_id IS NULL'],
      ['&assigned_to=me', `assigned_to_id = '${org.userId}'`],
      [`&bot_id=${org.bot.id}`, 'true'],
    ]) {
      assert.equal(await total(org, filter), await counted(org, condition), filter);
    }
  });

  it('is one number for each bot and member once its changes are folded', async () => {
    const org = await buildInbox(3);
    await org.client.post(`/api/inbox/${org.ids[0]}/claim`);
    assert.deepEqual(await changes(org), [-1, 1, 1, 1, 1]);
    await fold();
    assert.deepEqual(await changes(org), [1, 2]);
    assert.deepEqual([await total(org), await total(org, '&assigned_to=me')], [3, 1]);
  });

  it('is nothing when the last one is over', async () => {
    const org = await buildInbox(2);
    await org.client.post('/api/conversations/bulk', { action: 'resolve', ids: org.ids });
    assert.equal(await total(org), 0);
    await fold();
    assert.deepEqual(await changes(org), []);
  });

  it('goes down with the conversations that are deleted', async () => {
    const org = await buildInbox(3);
    await org.client.delete(`/api/conversations/${org.ids[0]}`);
    assert.equal(await total(org), 2);
    await parley.database.sql('DELETE FROM bots WHERE id = $1', [org.bot.id]);
    assert.equal(await total(org), 0);
  });

  it('is nobody’s where a member has gone', async () => {
    const org = await buildInbox(1);
    const colleague = await parley.buildOrg({ orgId: org.orgId });
    await colleague.client.post(`/api/inbox/${org.ids[0]}/claim`);
    await parley.database.sql('DELETE FROM users WHERE id = $1', [colleague.userId]);
    assert.deepEqual(
      [await total(org, '&assigned_to=none'), await total(org, `&assigned_to=${colleague.userId}`)],
      [1, 0],
    );
  });
});
