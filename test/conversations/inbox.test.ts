import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../support/parley.ts';
import { eventsOf } from '../support/widget.ts';
import { untilBlocked } from '../support/until-blocked.ts';
import { outcomeOf } from '../support/outcome.ts';
import { changeConversation, startActive, startWaiting } from './inbox-support.ts';

const PARALLEL = 20;

interface Said {
  role: string;
  content: string;
  author_id: string | null;
  event: { kind: string } | null;
  created_at: string;
}

describe('the inbox', () => {
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
  const saidIn = async (client: ApiClient, id: string): Promise<Said[]> =>
    (await client.get(`/api/conversations/${id}/messages`)).body;

  const changeRow = (id: string, changes: string) => changeConversation(parley, id, changes);

  describe('claimInboxItem', () => {
    it('gives a waiting visitor to the caller, who ends the waiting', async () => {
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

    it(`by ${PARALLEL} at once, at two processes, is won by exactly one`, async () => {
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
        [...new Set(answers.filter((each) => !won.includes(each)).map(({ answer }) => outcomeOf(answer)))],
        ['409 conflict'],
      );
      const [taken] = (await client.get('/api/inbox')).body.items;
      assert.equal(taken!.assigned_to_id, won[0]!.userId);
    });

    it('takes a conversation from the bot, which is silent then', async () => {
      const { client, item, visitor, path, userId, orgId } = await buildActive();
      await visitor.post(`${path}/messages`, { content: 'Hi' });
      const asked = model.requests.length;
      const { body } = await client.post(`${item}/claim`);
      assert.deepEqual([body.assigned_to_id, body.handoff_reason, body.waiting_seconds], [userId, null, 0]);
      assert.equal((await client.get('/api/inbox')).body.total, 1);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hello?' })).body.role, 'user');
      assert.equal(model.requests.length, asked);
      assert.equal((await eventsOf(parley, orgId)).includes('handoff.requested'), false);
    });

    it('takes what a colleague had before it ended and was reopened', async () => {
      const { client, item, id, visitor, path, orgId } = await buildWaiting();
      const colleague = await parley.buildOrg({ orgId });
      await colleague.client.post(`${item}/claim`);
      await visitor.post(`${path}/end`);
      await client.post(`/api/conversations/${id}/reopen`);
      assert.equal(outcomeOf(await client.post(`${item}/claim`)), '200');
      assert.equal(outcomeOf(await client.post(`${item}/reply`, { content: 'Hello again.' })), '201');
    });

    it('is refused after the end', async () => {
      const { client, item, visitor, path } = await buildWaiting();
      await visitor.post(`${path}/end`);
      assert.equal(outcomeOf(await client.post(`${item}/claim`)), '409 conflict');
    });
  });

  describe('assignInboxItem', () => {
    it('gives a handoff to another member, and back to nobody', async () => {
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

    it('to whoever has it changes nothing', async () => {
      const { client, item, userId } = await buildWaiting();
      const { body: claimed } = await client.post(`${item}/claim`);
      assert.deepEqual((await client.post(`${item}/assign`, { assigned_to_id: userId })).body, claimed);
    });

    it('takes a handoff over from a colleague in one step', async () => {
      const { client, item, orgId } = await buildWaiting();
      const second = await parley.buildOrg({ orgId });
      await client.post(`${item}/claim`);
      const { status, body } = await second.client.post(`${item}/assign`, { assigned_to_id: 'me' });
      assert.deepEqual([status, body.assigned_to_id], [200, second.userId]);
      assert.equal(
        outcomeOf(await client.post(`${item}/assign`, { assigned_to_id: 'you' })),
        '422 validation_error',
      );
    });

    it('takes whoever may answer, be it by a workspace above', async () => {
      const { item, orgId } = await buildWaiting();
      const parent = await parley.buildOrg({ role: 'admin' });
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [orgId, parent.orgId]);
      const { client } = await parley.signIn({ userId: parent.userId, orgId });
      const { status, body } = await client.post(`${item}/assign`, { assigned_to_id: 'me' });
      assert.deepEqual([status, body.assigned_to_id], [200, parent.userId]);
    });

    it('refuses a viewer, somebody of another workspace, nobody known, and what is no handoff', async () => {
      const { client, item, orgId } = await buildWaiting();
      const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
      const stranger = await parley.buildOrg();
      const assign = async (id: string) =>
        outcomeOf(await client.post(`${item}/assign`, { assigned_to_id: id }));
      assert.equal(await assign(viewer.userId), '422 validation_error');
      assert.equal(await assign(stranger.userId), '403 forbidden');
      assert.equal(await assign(newId()), '404 not_found');
      assert.equal((await client.get('/api/inbox?assigned_to=none')).body.total, 1);
      const active = await buildActive();
      const response = await active.client.post(`${active.item}/assign`, { assigned_to_id: active.userId });
      assert.equal(outcomeOf(response), '409 conflict');
    });
  });

  describe('replyInboxItem', () => {
    it('writes a message that the visitor reads by listWidgetMessages, counted and announced once', async () => {
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

    it('makes a handoff that nobody has the caller’s', async () => {
      const { client, item, userId } = await buildWaiting();
      await client.post(`${item}/reply`, { content: 'Hello.' });
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.assigned_to_id, userId);
    });

    it('is refused, to owners too, while a colleague has the conversation, until they take it over', async () => {
      const { client, item, id, orgId } = await buildWaiting();
      const holder = await parley.buildOrg({ orgId, role: 'member' });
      await parley.database.sql("UPDATE users SET full_name = 'Grace Hopper' WHERE id = $1", [holder.userId]);
      await holder.client.post(`${item}/claim`);
      for (const step of ['reply', 'claim']) {
        const refused = await client.post(`${item}/${step}`, step === 'reply' ? { content: 'Hello.' } : {});
        assert.equal(outcomeOf(refused), '409 conflict');
        assert.match(
          refused.problem.error.message,
          /^Grace Hopper has this conversation\..*assign it to yourself first/,
        );
      }
      await client.post(`${item}/assign`, { assigned_to_id: 'me' });
      assert.equal((await client.post(`${item}/reply`, { content: 'Now me.' })).status, 201);
      assert.equal(
        outcomeOf(await holder.client.post(`${item}/reply`, { content: 'And I?' })),
        '409 conflict',
      );
      const said = await saidIn(client, id);
      assert.deepEqual(
        said.filter(({ role }) => role === 'agent').map(({ content }) => content),
        ['Now me.'],
      );
    });

    it(`by ${PARALLEL} of two colleagues at once, to a handoff that nobody has, is one person’s alone`, async () => {
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
      const said = await saidIn(client, id);
      const authors = said.filter(({ role }) => role === 'agent').map(({ author_id: author }) => author);
      assert.deepEqual([new Set(authors).size, authors.length], [1, PARALLEL / 2]);
      assert.deepEqual([...new Set(answers.map(outcomeOf))].toSorted(), ['201', '409 conflict']);
      const joined = said.filter(({ event }) => event?.kind === 'agent_joined');
      assert.deepEqual(
        joined.map(({ author_id: author }) => author),
        [authors[0]],
      );
    });

    it('keeps the order with what the visitor says', async () => {
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

    it('comes before a message of the visitor that had to wait for it', async () => {
      const { client, visitor, path, id } = await buildWaiting();
      const { repliedAt, said } = await parley.database.transaction(async (db) => {
        await db.sql('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [id]);
        const sent = visitor.post(`${path}/messages`, { content: 'Are you there?' });
        await untilBlocked(parley.database, 'the message');
        const [now] = await db.sql<{ time: Date }>('SELECT clock_timestamp() AS time');
        return { repliedAt: now!.time, said: sent };
      });
      await said;
      const sent = (await saidIn(client, id)).find(({ role }) => role === 'user');
      assert.ok(new Date(sent!.created_at) >= repliedAt);
    });

    it('refuses a text of which nobody would see anything', async () => {
      const { client, item } = await buildWaiting();
      for (const content of [' ', '\u200b', '\u2800', '\u3164\u034f'])
        assert.equal(outcomeOf(await client.post(`${item}/reply`, { content })), '422 validation_error');
      assert.equal((await client.get('/api/inbox?assigned_to=none')).body.total, 1);
    });

    it('is refused while the bot has the conversation, and after the end', async () => {
      const { client, item, visitor, path } = await buildActive();
      assert.equal(outcomeOf(await client.post(`${item}/reply`, { content: 'Hi' })), '409 conflict');
      await visitor.post(`${path}/end`);
      assert.equal(outcomeOf(await client.post(`${item}/reply`, { content: 'Hi' })), '409 conflict');
      assert.deepEqual((await visitor.get(`${path}/messages`)).body, []);
    });
  });

  describe('releaseInboxItem', () => {
    it('lets the bot answer again, which knows what the person said', async () => {
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

    it('of what the bot has changes nothing; after the end it is refused', async () => {
      const { client, item, visitor, path } = await buildActive();
      assert.equal((await client.post(`${item}/release`)).status, 200);
      await visitor.post(`${path}/end`);
      assert.equal(outcomeOf(await client.post(`${item}/release`)), '409 conflict');
    });

    it('is not needed when the conversation ended and goes on: nobody has it then', async () => {
      const { client, item, visitor, path, id } = await buildWaiting();
      await client.post(`${item}/claim`);
      await visitor.post(`${path}/end`);
      await changeRow(id, "status = 'active', ended_at = NULL");
      await visitor.post(`${path}/handoff`, {});
      assert.equal((await client.get('/api/inbox?assigned_to=none')).body.total, 1);
    });

    it('leads to a new handoff when the visitor asks again', async () => {
      const { client, item, visitor, path, orgId } = await buildWaiting();
      await client.post(`${item}/claim`);
      await client.post(`${item}/release`);
      await visitor.post(`${path}/handoff`, { reason: 'Again.' });
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.handoff_reason, 'Again.');
      assert.equal((await eventsOf(parley, orgId)).filter((name) => name === 'handoff.requested').length, 2);
    });
  });
});
