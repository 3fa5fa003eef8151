import assert from 'node:assert/strict';
import { inBatches } from '../support/in-batches.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { withForm } from '../contacts/lead-form.ts';
import { assertRecounted, readOverview } from './support.ts';

const VISITORS = 24;
const CHANGES = 240;
const AT_ONCE = 12;

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the figures of analytics', () => {
  let parley: TestParley;
  let other: TestProcess;
  before(async () => {
    parley = await startParley();
    other = await parley.startAnother();
  });
  after(() => parley.stop());

  const fold = (process: TestProcess) => process.runtime.services.analyticsFolding.fold(parley.database);
  const countDeltas = async (orgId: string) => {
    const rows = await parley.database.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM analytics_changes WHERE org_id = $1',
      [orgId],
    );
    return rows[0]!.n;
  };

  async function buildVisitor(publicKey: string) {
    const { body } = await parley.client().post(`/api/public/bots/${publicKey}/sessions`, {});
    return {
      id: body.session_id,
      token: body.visitor_token,
      path: `/api/public/sessions/${body.session_id}` as const,
    };
  }

  it('getAnalyticsOverview: are what rows come to, after any changes by two processes while two others fold', async () => {
    const org = await buildActiveBot(parley, { handoff_enabled: true, ...withForm });
    const { bot: second } = await (async () => {
      const { body: bot } = await org.client.post('/api/bots', { name: 'Second', handoff_enabled: true });
      await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
      return { bot };
    })();
    const keys = [org.bot.public_key, second.public_key];
    const visitors = await Promise.all(
      Array.from({ length: VISITORS }, (_, index) => buildVisitor(keys[index % 2]!)),
    );
    const random = randomNumbers(20_261_121);
    const changes = Array.from({ length: CHANGES }, () => ({
      visitor: visitors[random(VISITORS)]!,
      process: random(2) === 0 ? parley : other,
      kind: random(12),
      stars: 1 + random(5),
    }));
    const changed = inBatches(
      changes,
      AT_ONCE,
      async ({ visitor: { id, token, path }, process, kind, stars }) => {
        const [visitor, team] = [process.client(token), process.client(org.key)];
        const kinds = [
          () => visitor.post(`${path}/messages`, { content: 'And then?' }),
          () => visitor.post(`${path}/messages`, { content: 'Is it open?' }),
          () => visitor.post(`${path}/end`),
          () => visitor.post(`${path}/rating`, { rating: stars }),
          () => visitor.post(`${path}/handoff`, {}),
          () => team.post(`/api/inbox/${id}/claim`),
          () => team.post(`/api/inbox/${id}/release`),
          () => team.post(`/api/inbox/${id}/assign`, { assigned_to_id: null }),
          () => visitor.post(`${path}/lead`, { fields: { name: 'Rui', email: `${id}@example.com` } }),
          () => team.post(`/api/conversations/${id}/resolve`),
          () => team.post(`/api/conversations/${id}/reopen`),
          () =>
            stars === 1
              ? team.delete(`/api/conversations/${id}`)
              : team.post(`/api/conversations/${id}/reopen`),
        ];
        await kinds[kind]!();
        if (kind === 0) await Promise.all([fold(parley), fold(other)]);
      },
    );
    await changed;
    for (const botId of [undefined, org.bot.id, second.id]) await assertRecounted(parley, org, botId);
    const before = await readOverview(org.client);
    while ((await countDeltas(org.orgId)) > 0) await Promise.all([fold(parley), fold(other)]);
    assert.deepEqual(await readOverview(org.client), before);
    for (const botId of [undefined, org.bot.id, second.id]) await assertRecounted(parley, org, botId);
  });

  it('getAnalyticsOverview: are neither doubled nor lost where a fold dies before it is committed', async () => {
    const org = await buildActiveBot(parley);
    const { token, path } = await buildVisitor(org.bot.public_key);
    await parley.client(token).post(`${path}/messages`, { content: 'Hello?' });
    const before = await readOverview(org.client);
    const { analyticsFolding } = parley.runtime.services;
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
  });

  it('getAnalyticsOverview: of a workspace lose what a bot has had when it is removed, and nothing of it is left', async () => {
    const org = await buildActiveBot(parley);
    const { token, path } = await buildVisitor(org.bot.public_key);
    await parley.client(token).post(`${path}/messages`, { content: 'Hello?' });
    await fold(parley);
    await parley.database.sql('DELETE FROM conversations WHERE bot_id = $1', [org.bot.id]);
    await parley.database.sql('DELETE FROM bots WHERE id = $1', [org.bot.id]);
    assert.equal((await readOverview(org.client)).conversations, 0);
    await fold(parley);
    assert.equal((await readOverview(org.client)).sessions, 0);
    const left = await parley.database.sql('SELECT FROM analytics_rollups WHERE bot_id = $1', [org.bot.id]);
    assert.deepEqual(left, []);
  });

  it('getAnalyticsOverview: follow requests, answers and conversations whose times are corrected', async () => {
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
