import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../core/ids.ts';
import { readEvents } from '../support/event-stream.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ask, buildSession, findOutboxEvents } from '../support/widget.ts';
import { startWaiting } from './inbox-support.ts';

describe('during a handoff, the bot', () => {
  let model: ModelServer;
  let parley: TestParley;
  let answer: string | ModelScript;
  before(async () => {
    model = await startModelServer({ answer: () => answer });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  beforeEach(() => {
    answer = 'A day pass costs 12 euros.';
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function buildWaiting() {
    return { ...(await startWaiting(parley)), asked: model.requests.length };
  }

  const assignAgent = (sessionId: string, userId: string) =>
    parley.database.sql(
      "UPDATE conversations SET status = 'human', assigned_to_id = $2, assigned_at = now() WHERE id = $1",
      [sessionId, userId],
    );

  /** Returns the roles of a conversation’s messages, in order. */
  async function listRoles(conversationId: string): Promise<string[]> {
    const rows = await parley.database.sql<{ role: string }>(
      "SELECT role FROM messages WHERE conversation_id = $1 AND role <> 'system' ORDER BY id",
      [conversationId],
    );
    return rows.map(({ role }) => role);
  }

  it('does not call the model; the message is stored, emitted, counted and returned', async () => {
    const { visitor, path, client, session, orgId, asked } = await buildWaiting();
    const { status, body } = await visitor.post(`${path}/messages`, { content: 'Anybody there?' });
    assert.deepEqual([status, body.role, body.content], [201, 'user', 'Anybody there?']);
    assert.equal(model.requests.length, asked);

    assert.deepEqual((await visitor.get(`${path}/messages`)).body.slice(1), [body]);
    const { body: seen } = await client.get(`/api/conversations/${session.session_id}`);
    assert.equal(seen.messages[1]!.content, 'Anybody there?');
    assert.equal(seen.message_count, 1);
    assert.equal((await findOutboxEvents(parley, orgId)).at(-1), 'message.created');
  });

  it('streams the waiting status and the stored message', async () => {
    const { visitor, path, asked } = await buildWaiting();
    const body = { content: 'Anybody there?', client_id: newId() };
    const events = await readEvents(await ask(visitor, path, body));
    const stored = (await visitor.get(`${path}/messages`)).body.at(-1)!;
    assert.deepEqual(events, [
      {
        id: `${stored.id}:0:0`,
        event: 'handoff',
        data: { status: 'waiting_human', agent_name: null, queue_position: 1 },
      },
      { id: `${stored.id}:1:0`, event: 'done', data: { message: stored } },
    ]);
    assert.deepEqual(await readEvents(await ask(visitor, path, body)), events);
    assert.equal(model.requests.length, asked);
  });

  it('streams the agent’s name, which getWidgetSession also returns', async () => {
    const { visitor, path, session, userId, asked } = await buildWaiting();
    await assignAgent(session.session_id, userId);
    const [handoff] = await readEvents(await ask(visitor, path, { content: 'Hello?' }));
    assert.deepEqual(handoff!.data, { status: 'human', agent_name: 'Ada' });
    const { body } = await visitor.get(path);
    assert.deepEqual([body.status, body.agent_name], ['human', 'Ada']);
    assert.equal(model.requests.length, asked);
  });

  it('does not use the monthly quota', async () => {
    const { visitor, path } = await buildSession(parley, { handoff_enabled: true, monthly_message_cap: 1 });
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    await visitor.post(`${path}/handoff`, {});
    const { status, body } = await visitor.post(`${path}/messages`, { content: 'Hello?' });
    assert.deepEqual([status, body.role], [201, 'user']);
  });

  for (const [where, of] of [
    ['at the same process', async () => parley],
    ['at another process', () => parley.startAnother()],
  ] as const) {
    it(`stops an answer and its model call once an agent claims the conversation ${where}`, async () => {
      answer = {
        text: 'One two three four five six seven eight nine ten.',
        pause: { after: 1, until: new Promise(() => {}) },
      };
      const { visitor, path, session, key, orgId } = await buildSession(parley, { handoff_enabled: true });
      const client = (await of()).client(key);
      const abandoned = model.countAbandoned();
      const whole = visitor.post(`${path}/messages`, { content: 'Hello?' });
      const body = { content: 'Count.', client_id: newId() };
      const events: string[] = [];
      const reading = readEvents(await ask(visitor, path, body), Infinity, ({ event }) => events.push(event));
      while (!events.includes('delta')) await delay(10);
      assert.equal((await client.post(`/api/inbox/${session.session_id}/claim`)).status, 200);
      const seen = events.length;
      const { data } = (await reading).at(-1)!;
      assert.deepEqual(events.slice(seen), ['handoff', 'done']);
      assert.equal(data.message.role, 'user');
      assert.deepEqual([(await whole).status, (await whole).body.role], [201, 'user']);
      await waitUntil(async () => model.countAbandoned() === abandoned + 2, 'both calls are broken off');
      assert.deepEqual(await listRoles(session.session_id), ['user', 'user']);
      assert.equal(
        (await findOutboxEvents(parley, orgId)).filter((name) => name === 'message.created').length,
        2,
      );
    });
  }

  itInSoak(
    'discards an answer if an agent replied and released the conversation in the meantime',
    async () => {
      let goOn = (): void => undefined;
      answer = { text: 'The bot’s answer.', after: new Promise<void>((resolve) => (goOn = resolve)) };
      const { visitor, path, session, client } = await buildSession(parley, { handoff_enabled: true });
      const asked = model.requests.length;
      const whole = visitor.post(`${path}/messages`, { content: 'Hello?' });
      while (model.requests.length === asked) await delay(10);
      const item = `/api/inbox/${session.session_id}` as const;
      await client.post(`${item}/claim`);
      await client.post(`${item}/reply`, { content: 'All done by me.' });
      await client.post(`${item}/release`);
      goOn();
      assert.deepEqual([(await whole).status, (await whole).body.role], [201, 'user']);
      assert.deepEqual(await listRoles(session.session_id), ['user', 'agent']);
    },
  );

  itInSoak('finishes an answer that was in progress when the visitor asked for a person', async () => {
    let goOn = (): void => undefined;
    answer = {
      text: 'One two three four.',
      pause: { after: 1, until: new Promise<void>((resolve) => (goOn = resolve)) },
    };
    const { visitor, path } = await buildSession(parley, { handoff_enabled: true });
    const asked = model.requests.length;
    const whole = visitor.post(`${path}/messages`, { content: 'Count.' });
    while (model.requests.length === asked) await delay(10);
    await visitor.post(`${path}/handoff`, {});
    goOn();
    assert.equal((await whole).body.content, 'One two three four.');
  });

  describe('does not generate an answer whose process has died', () => {
    /**
     * Builds a conversation of this status with an unfinished answer whose process has died, so that its
     * lease has expired.
     */
    async function buildAbandoned(status: string) {
      const session = await buildSession(parley, { handoff_enabled: true });
      const body = { content: 'Hi', client_id: newId() };
      await session.visitor.post(`${session.path}/messages`, body);
      await parley.database.sql(
        `UPDATE messages SET state = 'generating', content = '', lease_expires_at = now() - interval '1 second'
         WHERE conversation_id = $1 AND role = 'assistant'`,
        [session.session.session_id],
      );
      await parley.database.sql('UPDATE conversations SET status = $2 WHERE id = $1', [
        session.session.session_id,
        status,
      ]);
      return { ...session, body, asked: model.requests.length };
    }

    for (const status of selectCases(['waiting_human', 'human'], 1)) {
      it(`while the conversation is ${status}`, async () => {
        const { session, asked } = await buildAbandoned(status);
        await parley.runtime.services.conversations.answerRunner.recoverAbandoned();
        assert.deepEqual(await listRoles(session.session_id), ['user']);
        assert.equal(model.requests.length, asked);
      });

      it(`when its turn is repeated while the conversation is ${status}`, async () => {
        const { session, visitor, path, body, asked } = await buildAbandoned(status);
        const events = await readEvents(await ask(visitor, path, body));
        const names = events.map(({ event }) => event);
        // Ignore the start of the answer: the API recovers such answers by itself, and may have started this
        // one.
        if (names[0] === 'message.started') names.shift();
        assert.deepEqual(names, ['handoff', 'done']);
        assert.equal(events.at(-1)!.data.message.role, 'user');
        assert.deepEqual(await listRoles(session.session_id), ['user']);
        assert.equal(model.requests.length, asked);
      });
    }
  });
});
