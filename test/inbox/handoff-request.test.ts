import assert from 'node:assert/strict';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession, eventsOf } from '../support/widget.ts';

describe('asking for a person', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  const buildHandoffSession = () => buildSession(parley, { handoff_enabled: true });

  async function handoffEvents(orgId: string): Promise<object[]> {
    const rows = await parley.database.sql<{ payload: object }>(
      "SELECT payload FROM outbox WHERE org_id = $1 AND name = 'handoff.requested'",
      [orgId],
    );
    return rows.map(({ payload }) => payload);
  }

  it('puts the session among those that wait for one, and says so in one event', async () => {
    const { visitor, path, session, bot, orgId } = await buildHandoffSession();
    const { status, body } = await visitor.post(`${path}/handoff`, { reason: 'My order is lost.' });
    assert.equal(status, 200);
    assert.equal(body.status, 'waiting_human');
    assert.equal(body.agent_name, null);
    assert.deepEqual((await visitor.get(path)).body, body);
    assert.deepEqual(await handoffEvents(orgId), [
      {
        conversation_id: session.session_id,
        bot_id: bot.id,
        reason: 'My order is lost.',
        requested_by: 'visitor',
      },
    ]);
  });

  it('needs no reason', async () => {
    for (const request of [{}, { reason: null }, { reason: ' \u200b ' }]) {
      const { visitor, path, client } = await buildHandoffSession();
      assert.equal((await visitor.post(`${path}/handoff`, request)).body.status, 'waiting_human');
      assert.equal((await client.get('/api/inbox')).body.items[0].handoff_reason, null);
    }
  });

  it('a second time changes nothing and says the same', async () => {
    const { visitor, path, orgId } = await buildHandoffSession();
    const first = await visitor.post(`${path}/handoff`, { reason: 'First.' });
    const again = await visitor.post(`${path}/handoff`, { reason: 'Second.' });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal((await handoffEvents(orgId)).length, 1);
  });

  it('by twenty clicks at once, at two processes, is one request', async () => {
    const { visitor, path, session, orgId } = await buildHandoffSession();
    const elsewhere = second.client(session.visitor_token);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? elsewhere : visitor).post(`${path}/handoff`, {})),
    );
    assert.deepEqual(
      [...new Set(answers.map(({ status, body }) => `${status} ${body.status}`))],
      ['200 waiting_human'],
    );
    assert.equal((await handoffEvents(orgId)).length, 1);
  });

  it('is refused where the bot offers none, and nothing happens', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const { status, body } = await visitor.post(`${path}/handoff`, {});
    assert.equal(`${status} ${body.error.code}`, '409 handoff_disabled');
    assert.equal((await visitor.get(path)).body.status, 'active');
    assert.deepEqual(await eventsOf(parley, orgId), ['conversation.started']);
  });

  it('is refused after the end', async () => {
    const { visitor, path } = await buildHandoffSession();
    await visitor.post(`${path}/end`);
    const { status, body } = await visitor.post(`${path}/handoff`, {});
    assert.equal(`${status} ${body.error.code}`, '409 conflict');
  });

  it('opens a conversation again that was marked resolved', async () => {
    const { visitor, path, client, session } = await buildHandoffSession();
    await parley.database.sql('UPDATE conversations SET is_resolved = true WHERE id = $1', [
      session.session_id,
    ]);
    await visitor.post(`${path}/handoff`, {});
    assert.equal((await client.get(`/api/conversations/${session.session_id}`)).body.resolved, false);
  });

  describe('by a flow', () => {
    const escalate = (orgId: string, conversationId: string, reason: string | null = 'Wants a refund.') =>
      parley.runtime.services.handoffs.request({ orgId, db: parley.database }, conversationId, {
        requestedBy: 'flow',
        reason,
      });

    it('does the same, and says that it was a flow', async () => {
      const { visitor, path, session, bot, client, orgId } = await buildHandoffSession();
      await escalate(orgId, session.session_id);
      assert.equal((await visitor.get(path)).body.status, 'waiting_human');
      const [item] = (await client.get('/api/inbox')).body.items;
      assert.deepEqual([item.id, item.handoff_reason], [session.session_id, 'Wants a refund.']);
      assert.deepEqual(await handoffEvents(orgId), [
        {
          conversation_id: session.session_id,
          bot_id: bot.id,
          reason: 'Wants a refund.',
          requested_by: 'flow',
        },
      ]);
      const mails = await parley.database.sql(
        "SELECT id FROM outbox WHERE org_id = $1 AND name = 'notifyHandoff'",
        [orgId],
      );
      assert.equal(mails.length, 1);
    });

    it('and by the visitor at once is one request', async () => {
      const { visitor, path, session, orgId } = await buildHandoffSession();
      await Promise.all([escalate(orgId, session.session_id), visitor.post(`${path}/handoff`, {})]);
      assert.equal((await handoffEvents(orgId)).length, 1);
    });

    it('is refused where the bot offers none, after the end, and in another workspace', async () => {
      const without = await buildSession(parley);
      const { visitor, path, session, orgId } = await buildHandoffSession();
      await assert.rejects(escalate(without.orgId, without.session.session_id), { code: 'handoff_disabled' });
      await assert.rejects(escalate(without.orgId, session.session_id), { code: 'forbidden' });
      await visitor.post(`${path}/end`);
      await assert.rejects(escalate(orgId, session.session_id), { code: 'conflict' });
      assert.deepEqual(await handoffEvents(orgId), []);
    });
  });
});
