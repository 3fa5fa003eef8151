import assert from 'node:assert/strict';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { IdleConversationRepository } from '../../repositories/conversations/idle-conversation.repository.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession, findOutboxEvents } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('changes of a conversation by the team:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function build() {
    const session = await buildSession(parley);
    const id = session.session.session_id as string;
    return { ...session, id, own: `/api/conversations/${id}` as const };
  }

  const updateRow = (id: string, columns: Partial<Omit<Conversation, 'customFields' | 'leadDetails'>>) =>
    parley.database.repository(Conversation).update(id, columns);

  describe('resolveConversation', () => {
    it('marks the conversation as resolved, and returns the same response when repeated', async () => {
      const { client, own } = await build();
      const before = (await client.get(own)).body;
      assert.equal(before.resolved, false);
      const { status, body } = await client.post(`${own}/resolve`);
      assert.equal(status, 200);
      const { messages: _messages, referrer: _referrer, ...rest } = before;
      const { total_input_tokens: _input, total_output_tokens: _output, ...read } = rest;
      assert.deepEqual(body, { ...read, resolved: true });
      assert.deepEqual((await client.post(`${own}/resolve`)).body, body);
      assert.equal((await client.get('/api/conversations?resolved=true')).body.total, 1);
    });

    for (const status of ['waiting_human', 'human'] as const) {
      it(`takes a ${status} conversation out of the inbox, and the bot answers again`, async () => {
        const { client, own, id, visitor, path } = await build();
        await updateRow(id, { status });
        assert.equal((await client.post(`${own}/resolve`)).body.status, 'active');
        const { body } = await visitor.post(`${path}/messages`, { content: 'One more thing.' });
        assert.equal(body.role, 'assistant');
      });
    }

    it('leaves a conversation that endWidgetSession ended as ended', async () => {
      const { client, own, visitor, path, orgId } = await build();
      await visitor.post(`${path}/end`);
      const { ended_at: endedAt } = (await client.get(own)).body;
      const { body } = await client.post(`${own}/resolve`);
      assert.deepEqual([body.status, body.ended_at, body.resolved], ['ended', endedAt, true]);
      const events = await findOutboxEvents(parley, orgId);
      assert.equal(events.filter((name) => name === 'conversation.ended').length, 1);
    });
  });

  describe('reopenConversation', () => {
    it('clears resolved and ended, and the visitor can continue', async () => {
      const { client, own, visitor, path } = await build();
      await visitor.post(`${path}/end`);
      await client.post(`${own}/resolve`);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 409);
      const { status, body } = await client.post(`${own}/reopen`);
      assert.deepEqual([status, body.status, body.ended_at, body.resolved], [200, 'active', null, false]);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 201);
    });

    it('restarts the 30 minutes after which the session expires and the conversation ends', async () => {
      const { client, own, id, visitor, path } = await build();
      const longAgo = new Date(Date.now() - 24 * 3_600_000);
      await updateRow(id, { createdAt: longAgo, lastMessageAt: longAgo, visitorSeenAt: longAgo });
      const sweepIdle = () =>
        new IdleConversationRepository().end(parley.database, { kind: 'active', seconds: 30 * 60 }, 10);
      assert.deepEqual(
        (await sweepIdle()).map((ended) => ended.id),
        [id],
      );
      const expired = await visitor.get(path);
      assert.deepEqual([expired.status, expired.problem.details], [401, []]);
      await client.post(`${own}/reopen`);
      assert.deepEqual(await sweepIdle(), []);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 201);
    });

    for (const status of ['waiting_human', 'human'] as const) {
      it(`leaves a ${status} conversation in the inbox`, async () => {
        const { client, own, id } = await build();
        await updateRow(id, { status, isResolved: true });
        const { body } = await client.post(`${own}/reopen`);
        assert.deepEqual([body.status, body.resolved], [status, false]);
      });
    }
  });

  describe('deleteConversation', () => {
    it('deletes the conversation with its messages, after which getConversation returns 404', async () => {
      const { client, own, id, visitor, path } = await build();
      await visitor.post(`${path}/messages`, { content: 'Hi' });
      const { status, body } = await client.delete(own);
      assert.deepEqual([status, body], [200, { message: 'The conversation is deleted.', ok: true }]);
      const messages = await parley.database.sql('SELECT FROM messages WHERE conversation_id = $1', [id]);
      assert.deepEqual(messages, []);
      for (const response of [
        await client.delete(own),
        await client.get(own),
        await client.post(`${own}/reopen`),
      ])
        assert.equal(formatOutcome(response), '404 not_found');
    });

    it('returns session_id removed to the visitor’s next requests', async () => {
      const { client, own, visitor, path } = await build();
      await client.delete(own);
      for (const response of [await visitor.get(path), await visitor.post(`${path}/rating`, { rating: 5 })]) {
        assert.equal(formatOutcome(response), '401 unauthenticated');
        assert.deepEqual(
          response.problem.details.map(({ field, code }) => `${field} ${code}`),
          ['session_id removed'],
        );
      }
    });

    it('subtracts the conversation from the bot’s counts', async () => {
      const { client, own, bot, visitor, path } = await build();
      const { body: other } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
      const second = parley.client(other.visitor_token);
      await second.post(`/api/public/sessions/${other.session_id}/messages`, { content: 'Hi' });
      for (const content of ['One', 'Two']) await visitor.post(`${path}/messages`, { content });
      const readCounts = async () => {
        const { body } = await client.get(`/api/bots/${bot.id}`);
        return [body.total_conversations, body.total_messages];
      };
      assert.deepEqual(await readCounts(), [2, 6]);
      await client.delete(own);
      assert.deepEqual(await readCounts(), [1, 2]);
    });

    itInSoak('keeps exact counts if visitors write and several callers delete at once', async () => {
      const { client, own, bot, visitor, path } = await build();
      await Promise.all([
        ...Array.from({ length: 6 }, (_, index) =>
          visitor.post(`${path}/messages`, { content: `Message ${index}` }),
        ),
        ...Array.from({ length: 4 }, () => client.delete(own)),
        parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {}),
      ]);
      const { body } = await client.get(`/api/bots/${bot.id}`);
      assert.deepEqual([body.total_conversations, body.total_messages], [1, 0]);
    });

    it('requires the role admin', async () => {
      const { orgId, own } = await build();
      const { client: member } = await parley.buildOrg({ orgId, role: 'member' });
      assert.equal((await member.delete(own)).problem.error.code, 'forbidden');
      const { client: admin } = await parley.buildOrg({ orgId, role: 'admin' });
      assert.equal((await admin.delete(own)).status, 200);
    });
  });
});
