import assert from 'node:assert/strict';
import { isInSoak, itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { withForm } from '../contacts/lead-form.ts';
import { beginSession, changeAtRandom } from './random-changes.ts';
import { assertRecounted, readOverview } from './support.ts';

const VISITORS = 24;
const CHANGES = isInSoak ? 240 : 80;
const AT_ONCE = 12;

describe('analytics figures:', () => {
  let parley: TestParley;
  let other: TestProcess;
  before(async () => {
    parley = await startParley();
    other = await parley.startAnother();
  });
  after(() => parley.stop());

  const fold = (process: TestProcess) =>
    process.runtime.services.analytics.analyticsFolding.fold(parley.database);
  const countDeltas = async (orgId: string) => {
    const rows = await parley.database.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM analytics_changes WHERE org_id = $1',
      [orgId],
    );
    return rows[0]!.n;
  };

  const buildVisitor = (publicKey: string) => beginSession(parley.client(), publicKey);

  it('getAnalyticsOverview equals a recount of rows after random changes by two processes during folds by two other processes', async () => {
    const org = await buildActiveBot(parley, { handoff_enabled: true, ...withForm });
    const { body: second } = await org.client.post('/api/bots', { name: 'Second', handoff_enabled: true });
    await org.client.patch(`/api/bots/${second.id}`, { status: 'active' });
    const keys = [org.bot.public_key, second.public_key];
    const visitors = await Promise.all(
      Array.from({ length: VISITORS }, (_, index) => buildVisitor(keys[index % 2]!)),
    );
    await changeAtRandom({
      count: CHANGES,
      atOnce: AT_ONCE,
      visitors,
      processes: [parley.client, other.client],
      key: org.key,
      meanwhile: () => Promise.all([fold(parley), fold(other)]),
    });
    for (const botId of [undefined, org.bot.id, second.id]) await assertRecounted(parley, org, botId);
    const before = await readOverview(org.client);
    while ((await countDeltas(org.orgId)) > 0) await Promise.all([fold(parley), fold(other)]);
    assert.deepEqual(await readOverview(org.client), before);
    for (const botId of [undefined, org.bot.id, second.id]) await assertRecounted(parley, org, botId);
  });

  itInSoak(
    'getAnalyticsOverview neither doubles nor loses counts if a fold dies before its commit',
    async () => {
      const org = await buildActiveBot(parley);
      const { token, path } = await buildVisitor(org.bot.public_key);
      await parley.client(token).post(`${path}/messages`, { content: 'Hello?' });
      const before = await readOverview(org.client);
      const { analyticsFolding } = parley.runtime.services.analytics;
      await assert.rejects(
        parley.database.transaction(async (tx) => {
          assert.ok((await analyticsFolding.fold(tx)) > 0);
          await tx.sql('SELECT pg_terminate_backend(pg_backend_pid())');
        }),
      );
      assert.ok((await countDeltas(org.orgId)) > 0);
      assert.deepEqual(await readOverview(org.client), before);
      await fold(parley);
      assert.equal(await countDeltas(org.orgId), 0);
      assert.deepEqual(await readOverview(org.client), before);
      assert.equal(await fold(parley), 0);
    },
  );

  it('getAnalyticsOverview omits the counts of a deleted bot, which has no rows', async () => {
    const org = await buildActiveBot(parley);
    const { token, path } = await buildVisitor(org.bot.public_key);
    await parley.client(token).post(`${path}/messages`, { content: 'Hello?' });
    await fold(parley);
    await parley.database.sql('DELETE FROM conversations WHERE bot_id = $1', [org.bot.id]);
    await parley.database.sql('DELETE FROM bots WHERE id = $1', [org.bot.id]);
    assert.equal((await readOverview(org.client)).conversations, 0);
    await fold(parley);
    assert.equal((await readOverview(org.client)).sessions, 0);
    const left = await parley.database.sql('SELECT FROM analytics_rollups WHERE org_id = $1', [org.orgId]);
    assert.deepEqual(left, []);
  });

  itInSoak(
    'getAnalyticsOverview needs no stored row of a quarter hour or day whose sums are zero, and counts later changes in it',
    async () => {
      const org = await buildActiveBot(parley);
      const countRollups = async () => {
        const rows = await parley.database.sql('SELECT FROM analytics_rollups WHERE org_id = $1', [
          org.orgId,
        ]);
        return rows.length;
      };
      const visit = async () => {
        const { id, token, path } = await buildVisitor(org.bot.public_key);
        await parley.client(token).post(`${path}/messages`, { content: 'Hello?' });
        await parley.database.sql(
          "UPDATE conversations SET created_at = date_trunc('day', now()) WHERE id = $1",
          [id],
        );
        await parley.database.sql(
          "UPDATE messages SET created_at = date_trunc('day', now()) WHERE conversation_id = $1",
          [id],
        );
        return id;
      };
      const ids = [await visit(), await visit()];
      await fold(parley);
      const rows = await countRollups();
      await org.client.delete(`/api/conversations/${ids[0]!}`);
      await Promise.all([fold(parley), fold(other)]);
      assert.equal(await countRollups(), rows);
      await org.client.delete(`/api/conversations/${ids[1]!}`);
      await Promise.all([fold(parley), fold(other)]);
      assert.equal(await countRollups(), 0);
      assert.equal((await readOverview(org.client)).sessions, 0);
      await visit();
      await fold(parley);
      assert.equal(await countRollups(), rows);
      await assertRecounted(parley, org);
    },
  );

  it('getAnalyticsOverview counts requests, answers and conversations at their new times after these are corrected', async () => {
    const org = await buildActiveBot(parley, { handoff_enabled: true });
    const { id, token, path } = await buildVisitor(org.bot.public_key);
    await parley.client(token).post(`${path}/messages`, { content: 'Hello?' });
    await parley.client(token).post(`${path}/handoff`, {});
    await parley.database.sql(
      "UPDATE conversations SET handoff_requested_at = handoff_requested_at - interval '100 seconds' WHERE id = $1",
      [id],
    );
    await org.client.post(`/api/inbox/${id}/claim`);
    const { wait_seconds: waited } = (await readOverview(org.client)).handoffs;
    assert.ok(waited.p50! >= 95 && waited.p50! < 130, String(waited.p50));
    await parley.database.sql(
      "UPDATE messages SET created_at = created_at - interval '1 day', latency_ms = 700, is_unanswered = true WHERE conversation_id = $1 AND role = 'assistant'",
      [id],
    );
    await assertRecounted(parley, org);
    assert.equal((await readOverview(org.client)).unanswered, 1);
  });
});
