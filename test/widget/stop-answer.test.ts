import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { startApiProcess } from '../support/api-process.ts';
import { readEvents, type ReceivedEvent } from '../support/event-stream.ts';
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { ask, buildSession, findOutboxEvents } from '../support/widget.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const LONG_ANSWER = 'A day pass costs twelve euros, and a night pass costs seven. '.repeat(6).trim();
const QUESTION = { content: 'What does a pass cost?', client_id: 'm-1' };

const buildStopPath = (sessionId: string, answerId: string) =>
  `/api/ext/public/sessions/${sessionId}/messages/${answerId}/stop` as const;

describe('POST /api/ext/public/sessions/:session_id/messages/:message_id/stop', () => {
  let model: ModelServer;
  let parley: TestParley;
  let script: string | ModelScript;
  before(async () => {
    model = await startModelServer({ answer: () => script });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  beforeEach(() => model.requests.splice(0));
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /**
   * Starts an answer for which the model writes `tokens` tokens and then waits. Returns the first events of
   * the answer's stream.
   */
  async function startAnswer(tokens: number, overrides: object = {}) {
    const built = await buildSession(parley, overrides);
    script = { text: LONG_ANSWER, pause: { after: tokens, until: new Promise(() => {}) } };
    const seen: ReceivedEvent[] = [];
    const response = await ask(built.visitor, built.path, QUESTION);
    const reading = readEvents(response, Infinity, (event) => seen.push(event));
    await waitUntil(() => seen.length >= (tokens > 0 ? 2 : 1), 'the answer has not started');
    const answerId = seen[0]!.data.message_id as string;
    const stopPath = buildStopPath(built.session.session_id, answerId);
    return { ...built, answerId, stopPath, reading, seen };
  }

  it('stopWidgetAnswer stores the text so far as the answer, ends the model’s stream, and lets the visitor go on', async () => {
    const { visitor, path, client, session, orgId, stopPath, answerId, reading } = await startAnswer(5);
    const abandoned = model.countAbandoned();
    const stopped = await visitor.post(stopPath, {});
    assert.equal(stopped.status, 200);
    const events = await reading;
    const { message } = events.at(-1)!.data;
    assert.equal(events.at(-1)!.event, 'done');
    assert.equal(message.id, answerId);
    assert.ok(message.content.length > 0 && LONG_ANSWER.startsWith(message.content), message.content);
    assert.notEqual(message.content, LONG_ANSWER);
    assert.equal(typeof message.stopped_at, 'string');
    assert.equal(message.is_error, false);
    await waitUntilEqual(() => model.countAbandoned() - abandoned, 1);

    const { body: stored } = await client.get(`/api/conversations/${session.session_id}`);
    assert.deepEqual(
      stored.messages.map(({ role, content, stopped_at: at }) => [role, content, at === undefined]),
      [
        ['user', QUESTION.content, true],
        ['assistant', message.content, false],
      ],
    );
    const transcript = await client.fetch(`/api/conversations/${session.session_id}/transcript?format=txt`);
    assert.match(await transcript.text(), /\(Stopped by the visitor\)/);
    const [row] = await parley.database.sql<{ is_unanswered: boolean }>(
      'SELECT is_unanswered FROM messages WHERE id = $1',
      [answerId],
    );
    assert.deepEqual(row, { is_unanswered: false });
    assert.equal(
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'message.created').length,
      2,
    );

    script = 'Seven euros.';
    const next = await visitor.post(`${path}/messages`, { content: 'And at night?' });
    assert.equal(next.body.content, 'Seven euros.');
    const { messages } = model.requests.at(-1)!.body;
    assert.deepEqual(
      messages.slice(1).map(({ content }) => content),
      [QUESTION.content, message.content, 'And at night?'],
    );
    assert.equal((await visitor.post(stopPath, {})).status, 200);
    const { body: later } = await visitor.get(`${path}/messages`);
    assert.deepEqual(later[1], message);
  });

  itInSoak(
    'stopWidgetAnswer before the first text stores an empty answer, which no model reads later',
    async () => {
      const { visitor, path, stopPath, reading } = await startAnswer(0);
      await waitUntil(() => model.requests.length === 1, 'the model was not asked');
      await visitor.post(stopPath, {});
      const { message } = (await reading).at(-1)!.data;
      assert.deepEqual([message.content, message.is_error], ['', false]);
      assert.equal(typeof message.stopped_at, 'string');
      script = 'Seven euros.';
      await visitor.post(`${path}/messages`, { content: 'And at night?' });
      assert.deepEqual(
        model.requests
          .at(-1)!
          .body.messages.slice(1)
          .map(({ role }) => role),
        ['user', 'user'],
      );
    },
  );

  it('stopWidgetAnswer does nothing after the end, and refuses questions, unknown ids and answers of other sessions', async () => {
    const { visitor, path, session, stopPath } = await startAnswer(5);
    await visitor.post(stopPath, {});
    script = 'Seven euros.';
    const { body: answer } = await visitor.post(`${path}/messages`, { content: 'And at night?' });
    const stop = async (id: string, caller = visitor, sessionId = session.session_id) =>
      (await caller.post(buildStopPath(sessionId, id), {})).status;
    assert.equal(await stop(answer.id), 200);
    const { body: messages } = await visitor.get(`${path}/messages`);
    assert.deepEqual(messages.at(-1), answer);
    assert.equal(answer.stopped_at, undefined);
    assert.equal(await stop(messages[0]!.id), 409);
    assert.equal(await stop(newId()), 404);
    const other = await buildSession(parley);
    assert.equal(await stop(answer.id, other.visitor), 403);
    assert.equal(await stop(answer.id, other.visitor, other.session.session_id), 403);
  });

  itInSoak(
    'stopWidgetAnswer reaches the process that generates, also if another one serves the request and the stream was cut',
    async () => {
      const other = await startApiProcess({ ...parley.runtime.settings, port: 0 });
      try {
        const { session, path, visitor, stopPath, seen } = await startAnswer(5);
        const authorization = `Bearer ${session.visitor_token}`;
        const stopped = await fetch(other.baseUrl + stopPath, { method: 'POST', headers: { authorization } });
        assert.equal(stopped.status, 200);
        const again = await readEvents(
          await ask(visitor, path, QUESTION, { 'last-event-id': seen.at(-1)!.id! }),
        );
        const { message } = again.at(-1)!.data;
        assert.equal(typeof message.stopped_at, 'string');
        assert.notEqual(message.content, LONG_ANSWER);
        assert.equal(model.requests.length, 1);
      } finally {
        await other.stop();
      }
    },
  );
});
