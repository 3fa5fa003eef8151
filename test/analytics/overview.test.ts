import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { withForm } from '../contacts/lead-form.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';
import { assertRecounted, readOverview } from './support.ts';

const LEAD = { name: 'Rui', email: 'rui@example.com' };

describe('getAnalyticsOverview', () => {
  let model: ModelServer;
  let parley: TestParley;
  before(async () => {
    model = await startModelServer({
      answer: ({ messages }) =>
        messages.at(-1)?.content === 'Fail.'
          ? { raw: { status: 500, contentType: 'text/plain', body: '' } }
          : 'At nine.',
    });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /**
   * Builds a workspace whose bot can hand conversations over to the team, and functions that start and end
   * its conversations.
   */
  async function buildScene() {
    const org = await buildActiveBot(parley, { handoff_enabled: true, ...withForm });
    const begin = async (turns = 1) => {
      const { body } = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
      const path = `/api/public/sessions/${body.session_id}` as const;
      const visitor = parley.client(body.visitor_token);
      for (let turn = 0; turn < turns; turn += 1)
        assert.equal((await visitor.post(`${path}/messages`, { content: 'When do you open?' })).status, 201);
      return { id: body.session_id, visitor, path };
    };
    const end = ({ visitor, path }: Awaited<ReturnType<typeof begin>>) => visitor.post(`${path}/end`);
    return { ...org, begin, end };
  }

  it('returns null rates, averages and percentiles without data', async () => {
    const { client } = await parley.buildOrg();
    const { from, to, days, ...rest } = await readOverview(client);
    const none = { p50: null, p90: null };
    assert.deepEqual(rest, {
      timezone: 'UTC',
      sessions: 0,
      conversations: 0,
      ended: 0,
      resolved: 0,
      resolution_rate: null,
      self_served: 0,
      self_service_rate: null,
      leads: 0,
      lead_rate: null,
      ratings: { count: 0, average: null, satisfied_rate: null, distribution: [0, 0, 0, 0, 0] },
      handoffs: { requested: 0, answered: 0, wait_seconds: none },
      latency_ms: none,
      ttft_ms: none,
      errors: 0,
      unanswered: 0,
    });
    assert.equal(Date.parse(to) - Date.parse(from), 30 * 86_400_000);
    assert.equal(Date.parse(to) % 900_000, 0);
    assert.ok(days!.length >= 30);
  });

  itInSoak(
    'does not count a session without a visitor’s message as a conversation, but counts its rating and lead',
    async () => {
      const { begin, end, client, orgId } = await buildScene();
      const silent = await begin(0);
      await silent.visitor.post(`${silent.path}/rating`, { rating: 5 });
      await silent.visitor.post(`${silent.path}/lead`, { fields: LEAD });
      await end(silent);
      const spoken = await begin(2);
      await end(spoken);
      const overview = await readOverview(client);
      const { sessions, conversations, ended, self_served, self_service_rate, leads, lead_rate, ratings } =
        overview;
      assert.deepEqual(
        [sessions, conversations, ended, self_served, self_service_rate, leads, lead_rate, ratings.count],
        [2, 1, 1, 1, 1, 1, 0, 1],
      );
      await assertRecounted(parley, { client, orgId });
    },
  );

  it('counts the current state of conversations: resolved, reopened, rated again', async () => {
    const { begin, client, orgId } = await buildScene();
    const { id, visitor, path } = await begin();
    const read = async () => {
      await assertRecounted(parley, { client, orgId });
      const { ended, resolved, resolution_rate, self_served, ratings } = await readOverview(client);
      return [ended, resolved, resolution_rate, self_served, ratings.average];
    };
    assert.deepEqual(await read(), [0, 0, 0, 0, null]);
    await client.post(`/api/conversations/${id}/resolve`);
    const resolved = await read();
    assert.deepEqual(resolved.slice(1, 3), [1, 1]);
    await client.post(`/api/conversations/${id}/reopen`);
    assert.deepEqual((await read()).slice(0, 3), [0, 0, 0]);
    await visitor.post(`${path}/end`);
    assert.deepEqual(await read(), [1, 0, 0, 1, null]);
    await visitor.post(`${path}/rating`, { rating: 2 });
    assert.deepEqual(await read(), [1, 0, 0, 0, 2]);
    await visitor.post(`${path}/rating`, { rating: 4 });
    assert.deepEqual(await read(), [1, 0, 0, 1, 4]);
  });

  it('never counts a conversation as self-served that was requested or taken over', async () => {
    const { begin, end, client, orgId } = await buildScene();
    const requested = await begin();
    await requested.visitor.post(`${requested.path}/handoff`, {});
    await client.post(`/api/inbox/${requested.id}/release`);
    await end(requested);
    const claimed = await begin();
    await client.post(`/api/inbox/${claimed.id}/claim`);
    await client.post(`/api/inbox/${claimed.id}/release`);
    await end(claimed);
    const { ended, self_served, self_service_rate, handoffs } = await readOverview(client);
    assert.deepEqual([ended, self_served, self_service_rate], [2, 0, 0]);
    // A member who takes over a conversation without a visitor's request answers no request.
    assert.deepEqual([handoffs.requested, handoffs.answered], [1, 0]);
    await assertRecounted(parley, { client, orgId });
  });

  it('counts an answered request once, for the member who claimed it first, even after reassignment, and counts a second request as unanswered', async () => {
    const { begin, client, orgId } = await buildScene();
    const { id, visitor, path } = await begin();
    const item = `/api/inbox/${id}` as const;
    await visitor.post(`${path}/handoff`, {});
    const colleague = await parley.buildOrg({ orgId });
    await client.post(`${item}/claim`);
    await client.post(`${item}/assign`, { assigned_to_id: colleague.userId });
    await client.post(`${item}/assign`, { assigned_to_id: null });
    await colleague.client.post(`${item}/claim`);
    await client.post(`${item}/release`);
    await visitor.post(`${path}/handoff`, {});
    const { handoffs } = await readOverview(client);
    assert.deepEqual(handoffs, { requested: 2, answered: 1, wait_seconds: { p50: 0, p90: 0 } });
    await assertRecounted(parley, { client, orgId });
    // A member who takes over a conversation after releasing it, and another claim, do not answer the earlier
    // request.
    await client.post(`${item}/release`);
    await client.post(`${item}/claim`);
    await client.post(`${item}/assign`, { assigned_to_id: null });
    await client.post(`${item}/claim`);
    assert.deepEqual((await readOverview(client)).handoffs.answered, 1);
    await assertRecounted(parley, { client, orgId });
  });

  it('counts leads, failed answers and answers without matching documents', async () => {
    const { begin, client, orgId, bot } = await buildScene();
    const { visitor, path } = await begin(2);
    await visitor.post(`${path}/lead`, { fields: LEAD });
    await visitor.post(`${path}/messages`, { content: 'Fail.' });
    const { leads, lead_rate, errors, latency_ms } = await readOverview(client);
    assert.deepEqual([leads, lead_rate, errors], [1, 1, 1]);
    assert.notEqual(latency_ms.p50, null);
    await assertRecounted(parley, { client, orgId });
    await assertRecounted(parley, { client, orgId }, bot.id);
  });

  it('stops counting deleted conversations: a single conversation, several at once, and those of an erased contact', async () => {
    const { begin, client, orgId } = await buildScene();
    const all = [];
    for (let index = 0; index < 5; index += 1) all.push(await begin());
    const [first, second, third, erased] = all;
    await first!.visitor.post(`${first!.path}/handoff`, {});
    await client.post(`/api/inbox/${first!.id}/claim`);
    await client.delete(`/api/conversations/${first!.id}`);
    assert.deepEqual((await readOverview(client)).handoffs.requested, 0);
    await client.post('/api/conversations/bulk', { action: 'delete', ids: [second!.id, third!.id] });
    const lead = await erased!.visitor.post(`${erased!.path}/lead`, { fields: LEAD });
    assert.equal(lead.status, 200);
    await assertRecounted(parley, { client, orgId });
    const { body: contacts } = await client.get('/api/contacts');
    for (const { id } of contacts.items) await client.post(`/api/contacts/${id}/erase`);
    await assertRecounted(parley, { client, orgId });
    await parley.runtime.services.analytics.analyticsFolding.fold(parley.database);
    await assertRecounted(parley, { client, orgId });
  });

  it('covers one bot if bot_id is set', async () => {
    const { begin, client, orgId, bot } = await buildScene();
    await begin();
    const { body: other } = await client.post('/api/bots', { name: 'Other' });
    assert.equal((await readOverview(client, { bot_id: bot.id })).conversations, 1);
    assert.equal((await readOverview(client, { bot_id: other.id })).conversations, 0);
    await assertRecounted(parley, { client, orgId }, bot.id);
  });

  it('refuses bots of other workspaces and unknown bots', async () => {
    const { client } = await parley.buildOrg();
    const { bot } = await buildSession(parley);
    assert.equal((await client.get(`/api/analytics/overview?bot_id=${bot.id}`)).status, 403);
    assert.equal((await client.get(`/api/analytics/overview?bot_id=${newId()}`)).status, 404);
  });

  it('refuses a range that ends before it begins or is too long, and an unknown zone, and names the field', async () => {
    const { client } = await parley.buildOrg();
    const cases: [query: string, field: string][] = [
      ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
      ['from=2026-02-01T00:00:00Z&to=2026-02-01T00:14:59Z', 'to'],
      ['from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
      ['from=2999-01-01T00:00:00Z', 'from'],
      ['from=2020-01-01T00:00:00Z', 'from'],
      ['from=yesterday', 'from'],
      ['to=0001-01-20T00:00:00Z', 'to'],
      ['from=0050-01-01T00:00:00Z&to=0050-01-03T00:00:00Z', 'to'],
      ['from=1999-12-31T23:59:59Z&to=2000-01-03T00:00:00Z', 'from'],
      ['from=9999-01-01T00:00:00Z&to=9999-12-31T23:59:59Z&timezone=Pacific/Kiritimati', 'to'],
      ['from=9998-12-01T00:00:00Z&to=9999-01-01T00:00:00Z&timezone=Pacific/Kiritimati', 'to'],
      ['timezone=Mars/Olympus', 'timezone'],
    ];
    for (const [query, field] of cases) {
      const response = await client.get(`/api/analytics/overview?${query}`);
      assert.deepEqual([response.status, response.problem.details[0]!.field], [422, field], query);
    }
    const last = await client.get(
      '/api/analytics/overview?from=9998-12-31T00:00:00Z&to=9998-12-31T23:59:59Z&timezone=Pacific/Kiritimati',
    );
    assert.deepEqual(
      last.body.days!.map(({ date }) => date),
      ['9998-12-31', '9999-01-01'],
    );
    const whole = await client.get(
      '/api/analytics/overview?from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z',
    );
    assert.equal(formatOutcome(whole), '200');
    assert.equal(whole.body.days, null);
  });
});
