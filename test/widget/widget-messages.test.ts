import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { answerTexts, type TextLanguage } from '../../core/conversations/answer-texts.ts';
import { readEvents } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { strangersTexts } from '../support/strangers-texts.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { ask, buildSession, findOutboxEvents } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';
import { assertAsyncCpuBelow } from '../support/cost.ts';

describe('sendWidgetMessage and streamWidgetMessage', () => {
  let model: Awaited<ReturnType<typeof startModelServer>>;
  let parley: TestParley;
  let script: Parameters<typeof startModelServer>[0];
  before(async () => {
    model = await startModelServer({ answer: (request) => script!.answer!(request) });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  beforeEach(() => {
    script = { answer: () => 'A day pass costs 12 euros.' };
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  it('return 401 if the conversation is deleted while the answer is stored', async () => {
    const { visitor, path } = await buildSession(parley);
    await parley.database.sql(`CREATE FUNCTION delete_answered() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN DELETE FROM conversations WHERE id = NEW.conversation_id; RETURN NULL; END $$`);
    await parley.database.sql(`CREATE CONSTRAINT TRIGGER delete_answered AFTER UPDATE ON messages
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.content = 'Goodbye') EXECUTE FUNCTION delete_answered()`);
    script = { answer: () => 'Goodbye' };
    const response = await visitor.post(`${path}/messages`, { content: 'Hello' });
    assert.equal(formatOutcome(response), '401 unauthenticated');
  });

  it('count the cost of a discarded answer', async () => {
    const { visitor, path, client, session } = await buildSession(parley);
    await visitor.post(`${path}/messages`, { content: 'Hello' });
    const { body: before } = await client.get(`/api/conversations/${session.session_id}`);
    const asked = model.requests.length;
    const deleted = new EventEmitter();
    script = { answer: () => ({ text: 'Too late', after: once(deleted, 'done') }) };
    const sent = visitor.post(`${path}/messages`, { content: 'Hello' });
    while (model.requests.length === asked) await delay(5);
    await parley.database.transaction(async (tx) => {
      await tx.sql("DELETE FROM messages WHERE conversation_id = $1 AND state = 'generating'", [
        session.session_id,
      ]);
      deleted.emit('done');
      await waitUntilBlocked(parley.database, 'the answer');
    });
    await sent;
    const { body } = await client.get(`/api/conversations/${session.session_id}`);
    for (const total of ['total_input_tokens', 'total_output_tokens', 'total_cost_usd'] as const)
      assert.ok(body[total] > before[total], total);
    assert.equal(body.message_count, 3);
  });

  it('answer, store the turn with tokens and cost, and return the turn to the visitor without these figures', async () => {
    const { visitor, path, client, session, bot, orgId } = await buildSession(parley);
    const { status, body } = await visitor.post(`${path}/messages`, {
      content: 'What does a day pass cost?',
    });
    assert.equal(status, 201);
    assert.equal(body.role, 'assistant');
    assert.equal(body.content, 'A day pass costs 12 euros.');
    assert.equal('cost_usd' in body, false);

    const history = await visitor.get(`${path}/messages`);
    assert.deepEqual(
      history.body.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`),
      ['user: What does a day pass cost?', 'assistant: A day pass costs 12 euros.'],
    );
    const after = await visitor.get(`${path}/messages?after=${history.body[0]!.id}`);
    assert.deepEqual(after.body, [history.body[1]]);
    const last = await visitor.get(`${path}/messages?before=end&limit=1`);
    assert.deepEqual(last.body, [history.body[1]]);
    const before = await visitor.get(`${path}/messages?before=${history.body[1]!.id}`);
    assert.deepEqual(before.body, [history.body[0]]);
    assert.deepEqual((await visitor.get(`${path}/messages?before=end`)).body, history.body);
    assert.equal((await visitor.get(`${path}/messages?before=now`)).status, 422);

    const { body: detail } = await client.get(`/api/conversations/${session.session_id}`);
    const answer = detail.messages[1];
    assert.equal(answer!.model, 'gpt-4o-mini');
    assert.ok(answer!.input_tokens! > 0 && answer!.output_tokens! > 0);
    const cost = (answer!.input_tokens! * 0.15 + answer!.output_tokens! * 0.6) / 1e6;
    assert.ok(Math.abs(answer!.cost_usd! - cost) < 1e-8);
    assert.ok(answer!.ttft_ms! <= answer!.latency_ms!);
    assert.equal(detail.message_count, 2);
    assert.equal(detail.total_cost_usd, answer!.cost_usd);
    assert.equal(detail.total_input_tokens, answer!.input_tokens);
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_messages, 2);
    assert.deepEqual(await findOutboxEvents(parley, orgId), [
      'conversation.started',
      'message.created',
      'message.created',
    ]);
  });

  it('stream message.started, deltas, citations and done', async () => {
    const { visitor, path } = await buildSession(parley);
    const response = await ask(visitor, path, { content: 'What does a day pass cost?' });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const events = await readEvents(response);
    assert.deepEqual(
      [...new Set(events.map(({ event }) => event))],
      ['message.started', 'delta', 'citations', 'done'],
    );
    const text = events
      .filter(({ event }) => event === 'delta')
      .map(({ data }) => data.text)
      .join('');
    const { message } = events.at(-1)!.data;
    assert.equal(text, 'A day pass costs 12 euros.');
    assert.equal(message.content, text);
    assert.equal(message.id, events[0]!.data.message_id);
    assert.deepEqual((await visitor.get(`${path}/messages`)).body[1], message);
  });

  it('finish the answer of a visitor who disconnects, and resume after Last-Event-ID', async () => {
    script = {
      answer: () => ({ text: 'One two three four five six seven eight nine ten.', tokenDelayMs: 30 }),
    };
    const { visitor, path } = await buildSession(parley);
    const body = { content: 'Count.', client_id: 'c-1' };
    const leaving = new AbortController();
    const response = await visitor.fetch(`${path}/messages/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const seen = await readEvents(response, 3);
    leaving.abort();
    const again = await readEvents(await ask(visitor, path, body, { 'last-event-id': seen.at(-1)!.id! }));
    const joinDeltas = (events: typeof seen) =>
      events
        .filter(({ event }) => event === 'delta')
        .map(({ data }) => data.text)
        .join('');
    assert.equal(joinDeltas(seen) + joinDeltas(again), 'One two three four five six seven eight nine ten.');
    assert.equal(
      again.some(({ event }) => event === 'message.started'),
      false,
    );
    const finished = await readEvents(await ask(visitor, path, body));
    assert.equal(joinDeltas(finished), 'One two three four five six seven eight nine ten.');
    assert.equal((await visitor.get(`${path}/messages`)).body.length, 2);
    assert.equal((await ask(visitor, path, { ...body, content: 'Other.' })).status, 409);
  });

  it('create one turn for simultaneous calls with the same client_id', async () => {
    const { visitor, path } = await buildSession(parley);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => visitor.post(`${path}/messages`, { content: 'Hi', client_id: 'same' })),
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    );
    assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1);
    assert.equal((await visitor.get(`${path}/messages`)).body.length, 2);
  });

  it('refuse a message that is blank, too long, or sent after the end of the conversation', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    for (const content of ['', ' \n\t ', 'x'.repeat(20001)]) {
      const { status, problem } = await visitor.post(`${path}/messages`, { content });
      assert.equal(status, 422);
      assert.equal(problem.details[0]!.field, 'content');
    }
    assert.equal((await visitor.post(`${path}/messages`, { content: 'x'.repeat(20000) })).status, 201);
    assert.equal((await visitor.post(`${path}/end`)).status, 200);
    assert.equal((await visitor.post(`${path}/end`)).status, 200);
    assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 409);
    assert.equal(
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'conversation.ended').length,
      1,
    );
  });

  itInSoak('use less than a second of CPU time for any text', async () => {
    const { visitor, path, bot } = await buildSession(parley, { rate_limit_per_minute: 1000 });
    await parley.database.sql('UPDATE bots SET indexed_chunk_count = 1 WHERE id = $1', [bot.id]);
    const worst = [
      'a ligature that stands for eighteen characters',
      'ideographs',
      'quotes',
      'words of one letter',
    ];
    for (const name of worst) {
      const content = strangersTexts.get(name)!;
      const send = async () =>
        assert.equal((await visitor.post(`${path}/messages`, { content })).status, 201, name);
      await assertAsyncCpuBelow(1000, send, name);
    }
  });

  it('end with an error without details if the model fails', async () => {
    script = {
      answer: () => ({
        raw: {
          status: 401,
          contentType: 'application/json',
          body: '{"error":{"message":"bad key sk-123"}}',
        },
      }),
    };
    const { visitor, path, client, bot } = await buildSession(parley);
    const events = await readEvents(await ask(visitor, path, { content: 'Hi' }));
    const error = events.find(({ event }) => event === 'error')!;
    assert.equal(error.data.code, 'model_refused');
    assert.doesNotMatch(JSON.stringify(events), /sk-123|key/);
    assert.equal(events.at(-1)!.data.message.is_error, true);
    assert.match((await client.get(`/api/bots/${bot.id}`)).body.last_error!, /refused/);
    script = { answer: () => 'Back again.' };
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.last_error, null);
  });

  it('return the fallback of a strict bot without documents, without a model call', async () => {
    const { visitor, path } = await buildSession(parley, {
      strict_kb_mode: true,
      fallback_message: 'Ask the front desk.',
    });
    const asked = model.requests.length;
    assert.equal(
      (await visitor.post(`${path}/messages`, { content: 'What is a day pass?' })).body.content,
      'Ask the front desk.',
    );
    assert.equal(model.requests.length, asked);
  });

  describe('for a strict bot', () => {
    const passage = 'A day pass costs 12 euros. It ends at midnight.';
    const question = 'What does a day pass cost?';
    const fallback = answerTexts('en').fallback;

    async function buildStrictBot(overrides: object = {}) {
      const session = await buildSession(parley, { strict_kb_mode: true, ...overrides });
      await buildPassage(parley.database, { orgId: session.orgId, botId: session.bot.id }, passage);
      return session;
    }

    async function streamReply(said: string, overrides: object = {}) {
      const { visitor, path } = await buildStrictBot(overrides);
      script = { answer: () => said };
      const events = await readEvents(await ask(visitor, path, { content: question }));
      const shown = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text as string] : []));
      return { shown: shown.join(''), events, message: events.at(-1)!.data.message };
    }

    for (const [name, said] of [
      ['names no source', 'Surely it is about a dozen, as everywhere.'],
      ['names only a source that does not exist', 'Surely it is about a dozen [4].'],
      ['names a source only in code', 'Surely it is `list[1]`.'],
      ['says the fallback with a source', `${fallback} [1]`],
      ['says the fallback with sources in it', fallback.replace('. ', ' [1]. ').replace(/\.$/, ' [1].')],
    ] as const) {
      it(`return the fallback without citations, streamed and stored, if the model ${name}`, async () => {
        const { shown, events, message } = await streamReply(said);
        assert.equal(shown, fallback);
        assert.equal(message.content, fallback);
        assert.deepEqual(message.citations, []);
        assert.equal(events.filter(({ event }) => event === 'message.started').length, 1);
      });
    }

    it('return the fallback if an apparent citation turns out to be code', async () => {
      const { message } = await streamReply('Surely ``` a ```` [1] ` it is a dozen.');
      assert.equal(message.content, fallback);
      assert.deepEqual(message.citations, []);
    });

    it('return the model’s text if it cites a source, including the text after the citation', async () => {
      const said = 'A day pass costs 12 euros. [1]\n\nIt ends at midnight.';
      const { shown, message } = await streamReply(said);
      assert.equal(shown, said);
      assert.equal(message.content, said);
      assert.deepEqual(
        message.citations.map(({ index }: { index: number }) => index),
        [1],
      );
    });

    itInSoak('discard an answer that was interrupted before its first citation', async () => {
      const { visitor, path } = await buildStrictBot();
      script = { answer: () => ({ text: 'Surely it is about a dozen, as everywhere.', cutAfter: 3 }) };
      const { body } = await visitor.post(`${path}/messages`, { content: question });
      assert.equal(body.content, answerTexts('en').failure);
    });

    it('give the model the same fallback text that visitors get', async () => {
      const { message } = await streamReply('No source.', { fallback_message: 'Ask the front desk.' });
      assert.equal(message.content, 'Ask the front desk.');
      assert.ok(model.requests.at(-1)!.body.messages[0]!.content.includes('"Ask the front desk."'));
    });
  });

  it('return the fallback in the language of the bot, the message or the browser', async () => {
    const readFallback = async (content: string, overrides: object, acceptLanguage: string) => {
      const { visitor, path } = await buildSession(parley, { strict_kb_mode: true, ...overrides });
      const { body } = await visitor.post(
        `${path}/messages`,
        { content },
        { 'accept-language': acceptLanguage },
      );
      return body.content;
    };
    const written = {
      en: 'When are you open in the winter?',
      de: 'Wie lange dauert der Versand?',
      es: '¿Cuánto cuesta el envío a casa?',
      fr: 'Combien coûte la livraison à domicile ?',
      it: 'Quanto costa la spedizione?',
      nl: 'Hoeveel kost de verzending?',
      pt: 'Quanto custa o envio para casa?',
    };
    for (const [language, content] of Object.entries(written) as [TextLanguage, string][])
      assert.equal(
        await readFallback(content, { fallback_message: '' }, 'ja'),
        answerTexts(language).fallback,
      );
    assert.equal(await readFallback('M22', {}, 'xx, pt-BR;q=0.8, en'), answerTexts('pt').fallback);
    assert.equal(await readFallback(written.de, { language: 'fr-CA' }, 'de'), answerTexts('fr').fallback);
    assert.equal(await readFallback('M22', {}, 'xx'), answerTexts('en').fallback);
  });

  itInSoak('answer at another process after a process has died', async () => {
    const { visitor, path, session } = await buildSession(parley);
    await visitor.post(`${path}/messages`, { content: 'Hi', client_id: 'lost' });
    await parley.database.sql(
      `UPDATE messages SET state = 'generating', content = '', lease_expires_at = now() - interval '1 second'
       WHERE conversation_id = $1 AND role = 'assistant'`,
      [session.session_id],
    );
    assert.equal((await visitor.get(`${path}/messages`)).body.length, 1);
    await parley.runtime.services.conversations.answerRunner.recoverAbandoned();
    for (let tries = 0; tries < 100 && (await visitor.get(`${path}/messages`)).body.length < 2; tries += 1)
      await delay(20);
    assert.equal((await visitor.get(`${path}/messages`)).body[1]?.content, 'A day pass costs 12 euros.');
  });

  itInSoak('generate an answer only once if its lease was lost in an outage', async () => {
    script = { answer: () => ({ text: 'A day pass costs 12 euros.', tokenDelayMs: 50 }) };
    const { visitor, path, session } = await buildSession(parley);
    const asked = model.requests.length;
    const response = visitor.post(`${path}/messages`, { content: 'Hi' });
    while (model.requests.length === asked) await delay(10);
    await parley.database.sql(
      "UPDATE messages SET lease_expires_at = now() - interval '1 second' WHERE conversation_id = $1 AND state = 'generating'",
      [session.session_id],
    );
    await parley.runtime.services.conversations.answerRunner.recoverAbandoned();
    assert.equal((await response).body.content, 'A day pass costs 12 euros.');
    assert.equal(model.requests.length, asked + 1);
  });

  it('return the stored answer if another process finished first', async () => {
    script = { answer: () => ({ text: 'Too late.', tokenDelayMs: 50 }) };
    const { visitor, path, session } = await buildSession(parley);
    const asked = model.requests.length;
    const response = visitor.post(`${path}/messages`, { content: 'Hi' });
    while (model.requests.length === asked) await delay(10);
    await parley.database.sql(
      "UPDATE messages SET state = 'complete', content = 'First.' WHERE conversation_id = $1 AND state = 'generating'",
      [session.session_id],
    );
    const { status, body } = await response;
    assert.deepEqual([status, body.content], [201, 'First.']);
  });

  itInSoak('end an answer that has failed for ten minutes with an apology', async () => {
    const { visitor, path, session } = await buildSession(parley);
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    await parley.database.sql(
      `UPDATE messages SET state = 'generating', content = '', created_at = now() - interval '11 minutes',
         lease_expires_at = now() - interval '1 second'
       WHERE conversation_id = $1 AND role = 'assistant'`,
      [session.session_id],
    );
    await parley.runtime.services.conversations.answerRunner.recoverAbandoned();
    const [, answer] = (await visitor.get(`${path}/messages`)).body;
    assert.equal(answer?.is_error, true);
    assert.equal(answer?.error_code, 'answer_given_up');
  });
});
