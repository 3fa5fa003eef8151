import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../support/parley.ts';
import { findOutboxEvents } from '../support/widget.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { formatOutcome } from '../support/outcome.ts';
import { changeConversation, startActive, startWaiting } from './inbox-support.ts';

const PARALLEL = 20;

interface ListedMessage {
  role: string;
  content: string;
  author_id: string | null;
  event: { kind: string } | null;
  created_at: string;
}

describe('the inbox:', () => {
  let model: ModelServer;
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    model = await startModelServer();
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
    second = await parley.startAnother();
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const buildActive = () => startActive(parley);
  const buildWaiting = () => startWaiting(parley);
  const listMessages = async (client: ApiClient, id: string): Promise<ListedMessage[]> =>
    (await client.get(`/api/conversations/${id}/messages`)).body;

  const changeRow = (id: string, changes: string) => changeConversation(parley, id, changes);

  describe('claimInboxItem', () => {
    it('assigns a waiting conversation to the caller, which ends its waiting time', async () => {
      const { client, item, userId, id, visitor, path } = await buildWaiting();
      await changeRow(id, "handoff_requested_at = now() - interval '60 seconds'");
      const { status, body } = await client.post(`${item}/claim`);
      assert.equal(status, 200);
      assert.deepEqual([body.assigned_to_id, body.assigned_to_name], [userId, 'Ada Okafor']);
      assert.ok(body.waiting_seconds >= 60 && body.waiting_seconds < 90);
      assert.deepEqual((await client.get('/api/inbox')).body.items, [body]);
      const session = await visitor.get(path);
      assert.deepEqual([session.body.status, session.body.agent_name], ['human', 'Ada']);
    });

    itInSoak(`succeeds for exactly one of ${PARALLEL} simultaneous callers at two processes`, async () => {
      const { item, orgId, client } = await buildWaiting();
      const colleagues = await Promise.all(Array.from({ length: 4 }, () => parley.buildOrg({ orgId })));
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, async (_, index) => {
          const { key, userId } = colleagues[index % colleagues.length]!;
          const process = index % 2 ? second : parley;
          return { userId, answer: await process.client(key).post(`${item}/claim`) };
        }),
      );
      const won = answers.filter(({ answer }) => answer.status === 200);
      assert.equal(won.length, 1);
      assert.deepEqual(
        [
          ...new Set(
            answers.filter((each) => !won.includes(each)).map(({ answer }) => formatOutcome(answer)),
          ),
        ],
        ['409 conflict'],
      );
      const [taken] = (await client.get('/api/inbox')).body.items;
      assert.equal(taken!.assigned_to_id, won[0]!.userId);
    });

    it('takes over a conversation from the bot, which then stops answering', async () => {
      const { client, item, visitor, path, userId, orgId } = await buildActive();
      await visitor.post(`${path}/messages`, { content: 'Hi' });
      const requestCount = model.requests.length;
      const { body } = await client.post(`${item}/claim`);
      assert.deepEqual([body.assigned_to_id, body.handoff_reason, body.waiting_seconds], [userId, null, 0]);
      assert.equal((await client.get('/api/inbox')).body.total, 1);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hello?' })).body.role, 'user');
      assert.equal(model.requests.length, requestCount);
      assert.equal((await findOutboxEvents(parley, orgId)).includes('handoff.requested'), false);
    });

    it('succeeds after a colleague’s conversation ended and was reopened', async () => {
      const { client, item, id, visitor, path, orgId } = await buildWaiting();
      const colleague = await parley.buildOrg({ orgId });
      await colleague.client.post(`${item}/claim`);
      await visitor.post(`${path}/end`);
      await client.post(`/api/conversations/${id}/reopen`);
      assert.equal(formatOutcome(await client.post(`${item}/claim`)), '200');
      assert.equal(formatOutcome(await client.post(`${item}/reply`, { content: 'Hello again.' })), '201');
    });

    it('returns 409 after the conversation ended', async () => {
      const { client, item, visitor, path } = await buildWaiting();
      await visitor.post(`${path}/end`);
      assert.equal(formatOutcome(await client.post(`${item}/claim`)), '409 conflict');
    });
  });

  describe('assignInboxItem', () => {
    it('assigns a handoff to another member, and unassigns it', async () => {
      const { client, item, orgId, visitor, path } = await buildWaiting();
      const { userId } = await parley.buildOrg({ orgId, role: 'member' });
      await client.post(`${item}/claim`);
      const { status, body } = await client.post(`${item}/assign`, { assigned_to_id: userId });
      assert.deepEqual([status, body.assigned_to_id], [200, userId]);
      const { body: free } = await client.post(`${item}/assign`, { assigned_to_id: null });
      assert.deepEqual([free.assigned_to_id, free.assigned_to_name, free.assigned_at], [null, null, null]);
      assert.equal((await visitor.get(path)).body.status, 'waiting_human');
      assert.equal((await client.post(`${item}/claim`)).status, 200);
    });

    it('changes nothing for the current assignee', async () => {
      const { client, item, userId } = await buildWaiting();
      const { body: claimed } = await client.post(`${item}/claim`);
      assert.deepEqual((await client.post(`${item}/assign`, { assigned_to_id: userId })).body, claimed);
    });

    it('takes over a colleague’s handoff in one call', async () => {
      const { client, item, orgId } = await buildWaiting();
      const second = await parley.buildOrg({ orgId });
      await client.post(`${item}/claim`);
      const { status, body } = await second.client.post(`${item}/assign`, { assigned_to_id: 'me' });
      assert.deepEqual([status, body.assigned_to_id], [200, second.userId]);
      assert.equal(
        formatOutcome(await client.post(`${item}/assign`, { assigned_to_id: 'you' })),
        '422 validation_error',
      );
    });

    it('accepts a user who may answer through a parent workspace', async () => {
      const { item, orgId } = await buildWaiting();
      const parent = await parley.buildOrg({ role: 'admin' });
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [orgId, parent.orgId]);
      const { client } = await parley.signIn({ userId: parent.userId, orgId });
      const { status, body } = await client.post(`${item}/assign`, { assigned_to_id: 'me' });
      assert.deepEqual([status, body.assigned_to_id], [200, parent.userId]);
    });

    it('refuses a viewer, another workspace’s user, an unknown user, and a conversation that is not a handoff', async () => {
      const { client, item, orgId } = await buildWaiting();
      const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
      const stranger = await parley.buildOrg();
      const assignTo = async (id: string) =>
        formatOutcome(await client.post(`${item}/assign`, { assigned_to_id: id }));
      assert.equal(await assignTo(viewer.userId), '422 validation_error');
      assert.equal(await assignTo(stranger.userId), '403 forbidden');
      assert.equal(await assignTo(newId()), '404 not_found');
      assert.equal((await client.get('/api/inbox?assigned_to=none')).body.total, 1);
      const active = await buildActive();
      const response = await active.client.post(`${active.item}/assign`, { assigned_to_id: active.userId });
      assert.equal(formatOutcome(response), '409 conflict');
    });
  });

  describe('replyInboxItem', () => {
    it('adds a message to listWidgetMessages, which is counted and emitted once', async () => {
      const { client, item, visitor, path, orgId, bot, id, userId } = await buildWaiting();
      await client.post(`${item}/claim`);
      const { status, body } = await client.post(`${item}/reply`, { content: 'I have found your order.' });
      assert.deepEqual([status, body.role, body.content], [201, 'agent', 'I have found your order.']);
      assert.deepEqual([body.author_id, body.author_name], [userId, 'Ada Okafor']);
      const seen = (await visitor.get(`${path}/messages`)).body.at(-1)!;
      assert.deepEqual([seen.id, seen.role, seen.created_at], [body.id, 'agent', body.created_at]);
      assert.deepEqual(['author_id' in seen, seen.author_name], [false, 'Ada']);
      assert.equal('cost_usd' in seen, false);
      assert.equal((await client.get(`/api/conversations/${id}`)).body.message_count, 1);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_messages, 1);
      const events = await parley.database.sql<{ payload: object }>(
        "SELECT payload FROM outbox WHERE org_id = $1 AND name = 'message.created'",
        [orgId],
      );
      assert.deepEqual(
        events.map(({ payload }) => payload),
        [
          {
            message_id: body.id,
            conversation_id: id,
            bot_id: bot.id,
            role: 'agent',
            content: 'I have found your order.',
            citations: [],
            is_error: false,
            created_at: body.created_at,
          },
        ],
      );
    });

    it('assigns an unassigned handoff to the caller', async () => {
      const { client, item, userId } = await buildWaiting();
      await client.post(`${item}/reply`, { content: 'Hello.' });
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.assigned_to_id, userId);
    });

    it('returns 409, even to owners, while a colleague is assigned', async () => {
      const { client, item, id, orgId } = await buildWaiting();
      const holder = await parley.buildOrg({ orgId, role: 'member' });
      await parley.database.sql("UPDATE users SET full_name = 'Grace Hopper' WHERE id = $1", [holder.userId]);
      await holder.client.post(`${item}/claim`);
      for (const step of ['reply', 'claim']) {
        const refused = await client.post(`${item}/${step}`, step === 'reply' ? { content: 'Hello.' } : {});
        assert.equal(formatOutcome(refused), '409 conflict');
        assert.match(
          refused.problem.error.message,
          /^Grace Hopper is handling this conversation\. .*assign it to yourself first/,
        );
      }
      await client.post(`${item}/assign`, { assigned_to_id: 'me' });
      assert.equal((await client.post(`${item}/reply`, { content: 'Now me.' })).status, 201);
      assert.equal(
        formatOutcome(await holder.client.post(`${item}/reply`, { content: 'And I?' })),
        '409 conflict',
      );
      const said = await listMessages(client, id);
      assert.deepEqual(
        said.filter(({ role }) => role === 'agent').map(({ content }) => content),
        ['Now me.'],
      );
    });

    itInSoak(
      `accepts the replies of one of two colleagues if ${PARALLEL} replies to an unassigned handoff arrive at once`,
      async () => {
        const { client, key, item, id, orgId } = await buildWaiting();
        const colleague = await parley.buildOrg({ orgId });
        const answers = await Promise.all(
          Array.from({ length: PARALLEL }, (_, index) => {
            const process = index % 4 < 2 ? parley : second;
            return process
              .client(index % 2 ? colleague.key : key)
              .post(`${item}/reply`, { content: `${index}` });
          }),
        );
        const said = await listMessages(client, id);
        const authors = said.filter(({ role }) => role === 'agent').map(({ author_id: author }) => author);
        assert.deepEqual([new Set(authors).size, authors.length], [1, PARALLEL / 2]);
        assert.deepEqual([...new Set(answers.map(formatOutcome))].toSorted(), ['201', '409 conflict']);
        const joined = said.filter(({ event }) => event?.kind === 'agent_joined');
        assert.deepEqual(
          joined.map(({ author_id: author }) => author),
          [authors[0]],
        );
      },
    );

    it('keeps the order of replies and the visitor’s messages', async () => {
      const { client, item, visitor, path } = await buildWaiting();
      await visitor.post(`${path}/messages`, { content: 'one' });
      await client.post(`${item}/reply`, { content: 'two' });
      await visitor.post(`${path}/messages`, { content: 'three' });
      const { body } = await visitor.get(`${path}/messages`);
      assert.deepEqual(
        body.flatMap(({ role, content }) => (role === 'system' ? [] : [content])),
        ['one', 'two', 'three'],
      );
    });

    itInSoak(
      'dates the reply before a visitor’s message that waited for the transaction of the reply',
      async () => {
        const { client, visitor, path, id } = await buildWaiting();
        const { repliedAt, said } = await parley.database.transaction(async (db) => {
          await db.sql('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [id]);
          const sent = visitor.post(`${path}/messages`, { content: 'Are you there?' });
          await waitUntilBlocked(parley.database, 'the message');
          const [now] = await db.sql<{ time: Date }>('SELECT clock_timestamp() AS time');
          return { repliedAt: now!.time, said: sent };
        });
        await said;
        const sent = (await listMessages(client, id)).find(({ role }) => role === 'user');
        assert.ok(new Date(sent!.created_at) >= repliedAt);
      },
    );

    it('refuses an invisible text', async () => {
      const { client, item } = await buildWaiting();
      for (const content of [' ', '\u200b', '\u2800', '\u3164\u034f'])
        assert.equal(formatOutcome(await client.post(`${item}/reply`, { content })), '422 validation_error');
      assert.equal((await client.get('/api/inbox?assigned_to=none')).body.total, 1);
    });

    it('returns 409 while the bot answers the conversation, and after its end', async () => {
      const { client, item, visitor, path } = await buildActive();
      assert.equal(formatOutcome(await client.post(`${item}/reply`, { content: 'Hi' })), '409 conflict');
      await visitor.post(`${path}/end`);
      assert.equal(formatOutcome(await client.post(`${item}/reply`, { content: 'Hi' })), '409 conflict');
      assert.deepEqual((await visitor.get(`${path}/messages`)).body, []);
    });
  });

  describe('releaseInboxItem', () => {
    it('lets the bot answer again, with the agent’s messages in its history', async () => {
      const { client, item, visitor, path } = await buildWaiting();
      await visitor.post(`${path}/messages`, { content: 'Where is it?' });
      await client.post(`${item}/reply`, { content: 'Your order arrives on Monday.' });
      const { status, body } = await client.post(`${item}/release`);
      assert.deepEqual([status, body.assigned_to_id, body.handoff_requested_at], [200, null, null]);
      assert.equal((await client.get('/api/inbox')).body.total, 0);
      const session = await visitor.get(path);
      assert.deepEqual([session.body.status, session.body.agent_name], ['active', null]);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'When?' })).body.role, 'assistant');
      assert.match(JSON.stringify(model.requests.at(-1)!.body.messages), /arrives on Monday/);
    });

    it('changes nothing if the bot already answers the conversation, and returns 409 after its end', async () => {
      const { client, item, visitor, path } = await buildActive();
      assert.equal((await client.post(`${item}/release`)).status, 200);
      await visitor.post(`${path}/end`);
      assert.equal(formatOutcome(await client.post(`${item}/release`)), '409 conflict');
    });

    it('is not needed after an ended conversation is reopened, because the conversation is unassigned', async () => {
      const { client, item, visitor, path, id } = await buildWaiting();
      await client.post(`${item}/claim`);
      await visitor.post(`${path}/end`);
      await changeRow(id, "status = 'active', ended_at = NULL");
      await visitor.post(`${path}/handoff`, {});
      assert.equal((await client.get('/api/inbox?assigned_to=none')).body.total, 1);
    });

    it('allows a new handoff when the visitor asks again', async () => {
      const { client, item, visitor, path, orgId } = await buildWaiting();
      await client.post(`${item}/claim`);
      await client.post(`${item}/release`);
      await visitor.post(`${path}/handoff`, { reason: 'Again.' });
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.handoff_reason, 'Again.');
      assert.equal(
        (await findOutboxEvents(parley, orgId)).filter((name) => name === 'handoff.requested').length,
        2,
      );
    });
  });
});
