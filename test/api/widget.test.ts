import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { startModelServer } from '../support/model-server.ts';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { readEvents } from '../support/event-stream.ts';

type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

describe('the widget', () => {
  let model: ModelServer;
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

  async function buildActiveBot(overrides: object = {}) {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk', ...overrides });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    return { ...org, bot };
  }

  async function buildSession(overrides: object = {}) {
    const org = await buildActiveBot(overrides);
    const { body, status } = await parley
      .client()
      .post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
    assert.equal(status, 201);
    const visitor = parley.client(body.visitor_token);
    return { ...org, session: body, visitor, path: `/api/public/sessions/${body.session_id}` };
  }

  const ask = (visitor: ApiClient, path: string, body: object, headers: Record<string, string> = {}) =>
    visitor.fetch(`${path}/messages/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const eventsOf = async (orgId: string): Promise<string[]> => {
    const rows = await parley.database.sql<{ name: string }>(
      "SELECT name FROM outbox WHERE org_id = $1 AND kind = 'event' ORDER BY id",
      [orgId],
    );
    return rows.map(({ name }) => name);
  };

  describe('GET config', () => {
    it('shows an active bot’s public face, to any origin', async () => {
      const { bot } = await buildActiveBot({ welcome_message: 'Hello', starter_questions: ['Prices?'] });
      const response = await parley.client().fetch(`/api/public/bots/${bot.public_key}/config`, {
        headers: { origin: 'https://shop.example' },
      });
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.deepEqual(await response.json(), {
        public_key: bot.public_key,
        name: 'Help desk',
        language: 'auto',
        welcome_message: 'Hello',
        starter_questions: ['Prices?'],
        theme: {},
        lead_capture: null,
        directory: null,
        handoff_enabled: false,
      });
    });

    it('knows no bot that is not active or not public', async () => {
      const { client, bot } = await buildActiveBot();
      const config = async () =>
        (await parley.client().get(`/api/public/bots/${bot.public_key}/config`)).status;
      assert.equal(await config(), 200);
      await client.patch(`/api/bots/${bot.id}`, { is_public: false });
      assert.equal(await config(), 404);
      await client.patch(`/api/bots/${bot.id}`, { is_public: true, status: 'paused' });
      assert.equal(await config(), 404);
    });

    const cases: [string[] | null, string | null, number][] = [
      [null, null, 200],
      [null, 'https://anything.example', 200],
      [[], 'https://anything.example', 403],
      [['shop.example'], 'https://shop.example', 200],
      [['shop.example'], 'https://shop.example:8443', 200],
      [['shop.example'], 'https://SHOP.example', 200],
      [['shop.example'], 'https://www.shop.example', 403],
      [['shop.example'], 'https://notshop.example', 403],
      [['shop.example'], 'https://shop.example.evil.test', 403],
      [['shop.example'], 'null', 403],
      [['shop.example'], null, 403],
      [['*.shop.example'], 'https://www.shop.example', 200],
      [['*.shop.example'], 'https://a.b.shop.example', 200],
      [['*.shop.example'], 'https://shop.example', 403],
      [['*.shop.example'], 'https://evilshop.example', 403],
      [['müller.example'], 'https://xn--mller-kva.example', 200],
    ];
    for (const [domains, origin, expected] of cases) {
      it(`${JSON.stringify(domains)} answers ${expected} to origin ${origin}`, async () => {
        const { bot } = await buildActiveBot({ allowed_domains: domains });
        const headers: Record<string, string> = origin === null ? {} : { origin };
        const path = `/api/public/bots/${bot.public_key}`;
        assert.equal((await parley.client().get(`${path}/config`, headers)).status, expected);
        const { status } = await parley.client().post(`${path}/sessions`, {}, headers);
        assert.equal(status, expected === 200 ? 201 : expected);
      });
    }
  });

  describe('POST sessions', () => {
    it('opens a conversation, counts it and emits conversation.started', async () => {
      const { session, client, bot, orgId } = await buildSession();
      assert.equal(session.expires_in, 1800);
      const { body } = await client.get(`/api/conversations/${session.session_id}`);
      assert.equal(body.status, 'active');
      assert.equal(body.visitor_id, session.visitor_id);
      assert.deepEqual(body.messages, []);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 1);
      assert.deepEqual(await eventsOf(orgId), ['conversation.started']);
    });

    it('takes the page’s own visitor id, and refuses an identity token it cannot verify', async () => {
      const { bot } = await buildActiveBot();
      const path = `/api/public/bots/${bot.public_key}/sessions`;
      assert.equal((await parley.client().post(path, { visitor_id: 'v-1' })).body.visitor_id, 'v-1');
      const { status, body } = await parley.client().post(path, { identity_token: 'x.y.z' });
      assert.equal(status, 422);
      assert.equal(body.details[0].field, 'identity_token');
    });
  });

  describe('visitor tokens', () => {
    it('open their own session and nothing else', async () => {
      const { session, visitor, path } = await buildSession();
      const other = await buildSession();
      assert.equal((await visitor.get(path)).status, 200);
      assert.equal((await visitor.get(other.path)).status, 403);
      assert.equal((await visitor.get('/api/bots')).status, 401);
      assert.equal((await parley.client().get(path)).status, 401);
      assert.equal((await parley.client(`${session.visitor_token}x`).get(path)).status, 401);
      const [payload, signature] = session.visitor_token.split('.');
      const forged = Buffer.from(JSON.stringify({ conversation_id: other.session.session_id })).toString(
        'base64url',
      );
      assert.equal((await parley.client(`${forged}.${signature}`).get(other.path)).status, 401);
      assert.equal((await parley.client(payload).get(path)).status, 401);
    });

    it('end half an hour after their last use', async () => {
      const { session, visitor, path } = await buildSession();
      const seen = (minutes: number) =>
        parley.database.sql(
          `UPDATE conversations SET visitor_seen_at = now() - $2 * interval '1 minute' WHERE id = $1`,
          [session.session_id, minutes],
        );
      await seen(29);
      assert.equal((await visitor.get(path)).status, 200);
      const [row] = await parley.database.sql<{ fresh: boolean }>(
        "SELECT visitor_seen_at > now() - interval '1 minute' AS fresh FROM conversations WHERE id = $1",
        [session.session_id],
      );
      assert.equal(row!.fresh, true);
      await seen(31);
      assert.equal((await visitor.get(path)).status, 401);
    });
  });

  describe('messages', () => {
    it('are answered, stored with tokens and cost, and shown to the visitor without them', async () => {
      const { visitor, path, client, session, bot, orgId } = await buildSession();
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
      const after = await visitor.get(`${path}/messages?after=${history.body[0].id}`);
      assert.deepEqual(after.body, [history.body[1]]);

      const { body: detail } = await client.get(`/api/conversations/${session.session_id}`);
      const answer = detail.messages[1];
      assert.equal(answer.model, 'gpt-4o-mini');
      assert.ok(answer.input_tokens > 0 && answer.output_tokens > 0);
      const cost = (answer.input_tokens * 0.15 + answer.output_tokens * 0.6) / 1e6;
      assert.ok(Math.abs(answer.cost_usd - cost) < 1e-8);
      assert.ok(answer.ttft_ms <= answer.latency_ms);
      assert.equal(detail.message_count, 2);
      assert.equal(detail.total_cost_usd, answer.cost_usd);
      assert.equal(detail.total_input_tokens, answer.input_tokens);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_messages, 2);
      assert.deepEqual(await eventsOf(orgId), ['conversation.started', 'message.created', 'message.created']);
    });

    it('stream as started, deltas, citations, done', async () => {
      const { visitor, path } = await buildSession();
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

    it('are answered although the visitor has left, and read on by Last-Event-ID', async () => {
      script = {
        answer: () => ({ text: 'One two three four five six seven eight nine ten.', tokenDelayMs: 30 }),
      };
      const { visitor, path } = await buildSession();
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
      const textOf = (events: typeof seen) =>
        events
          .filter(({ event }) => event === 'delta')
          .map(({ data }) => data.text)
          .join('');
      assert.equal(textOf(seen) + textOf(again), 'One two three four five six seven eight nine ten.');
      assert.equal(
        again.some(({ event }) => event === 'message.started'),
        false,
      );
      const finished = await readEvents(await ask(visitor, path, body));
      assert.equal(textOf(finished), 'One two three four five six seven eight nine ten.');
      assert.equal((await visitor.get(`${path}/messages`)).body.length, 2);
      assert.equal((await ask(visitor, path, { ...body, content: 'Other.' })).status, 409);
    });

    it('sent twice at once with one client_id are one turn', async () => {
      const { visitor, path } = await buildSession();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          visitor.post(`${path}/messages`, { content: 'Hi', client_id: 'same' }),
        ),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 201, 201, 201],
      );
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
      assert.equal((await visitor.get(`${path}/messages`)).body.length, 2);
    });

    it('are refused when blank, too long, or after the end', async () => {
      const { visitor, path, orgId } = await buildSession();
      for (const content of ['', ' \n\t ', 'x'.repeat(20001)]) {
        const { status, body } = await visitor.post(`${path}/messages`, { content });
        assert.equal(status, 422);
        assert.equal(body.details[0].field, 'content');
      }
      assert.equal((await visitor.post(`${path}/messages`, { content: 'x'.repeat(20000) })).status, 201);
      assert.equal((await visitor.post(`${path}/end`)).status, 200);
      assert.equal((await visitor.post(`${path}/end`)).status, 200);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 409);
      assert.equal((await eventsOf(orgId)).filter((name) => name === 'conversation.ended').length, 1);
    });

    it('keep within the bot’s limit a minute', async () => {
      const { visitor, path } = await buildSession({ rate_limit_per_minute: 2 });
      const answers = [];
      for (let index = 0; index < 3; index += 1)
        answers.push(await visitor.post(`${path}/messages`, { content: 'Hi' }));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 429],
      );
      assert.equal(answers[0]!.headers.get('ratelimit-limit'), '2');
      assert.deepEqual(
        answers.map(({ headers }) => headers.get('ratelimit-remaining')),
        ['1', '0', '0'],
      );
      assert.equal(answers[2]!.headers.get('retry-after'), answers[2]!.headers.get('ratelimit-reset'));
    });

    it('keep within the bot’s month, exactly, in parallel', async () => {
      const { visitor, path } = await buildSession({ monthly_message_cap: 3 });
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => visitor.post(`${path}/messages`, { content: 'Hi' })),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 3);
      const refused = answers.find(({ status }) => status !== 201)!;
      assert.equal(refused.status, 402);
      assert.equal(refused.body.error.code, 'quota_exceeded');
      assert.equal((await visitor.get(`${path}/messages`)).body.length, 6);
    });

    it('that the model fails on end with an error that tells the visitor nothing', async () => {
      script = {
        answer: () => ({
          raw: {
            status: 401,
            contentType: 'application/json',
            body: '{"error":{"message":"bad key sk-123"}}',
          },
        }),
      };
      const { visitor, path, client, bot } = await buildSession();
      const events = await readEvents(await ask(visitor, path, { content: 'Hi' }));
      const error = events.find(({ event }) => event === 'error')!;
      assert.equal(error.data.code, 'model_refused');
      assert.doesNotMatch(JSON.stringify(events), /sk-123|key/);
      assert.equal(events.at(-1)!.data.message.is_error, true);
      assert.match((await client.get(`/api/bots/${bot.id}`)).body.last_error, /refused/);
      script = { answer: () => 'Back again.' };
      await visitor.post(`${path}/messages`, { content: 'Hi' });
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.last_error, null);
    });

    it('of a strict bot without documents get the fallback, and no model is asked', async () => {
      const { visitor, path } = await buildSession({
        strict_kb_mode: true,
        fallback_message: 'Ask the front desk.',
      });
      const asked = model.requests.length;
      assert.equal(
        (await visitor.post(`${path}/messages`, { content: 'Hi' })).body.content,
        'Ask the front desk.',
      );
      assert.equal(model.requests.length, asked);
    });

    it('whose process died are answered by another one', async () => {
      const { visitor, path, session, bot, orgId } = await buildSession();
      await visitor.post(`${path}/messages`, { content: 'Hi', client_id: 'lost' });
      await parley.database.sql(
        `UPDATE messages SET state = 'generating', content = '', lease_expires_at = now() - interval '1 second'
         WHERE conversation_id = $1 AND role = 'assistant'`,
        [session.session_id],
      );
      assert.equal((await visitor.get(`${path}/messages`)).body.length, 1);
      await parley.runtime.services.turns.recoverAbandoned();
      for (let tries = 0; tries < 100 && (await visitor.get(`${path}/messages`)).body.length < 2; tries += 1)
        await delay(20);
      assert.equal((await visitor.get(`${path}/messages`)).body[1].content, 'A day pass costs 12 euros.');
      assert.ok(bot.id && orgId);
    });

    it('that lost their lease in an outage are made only once', async () => {
      script = { answer: () => ({ text: 'A day pass costs 12 euros.', tokenDelayMs: 50 }) };
      const { visitor, path, session } = await buildSession();
      const asked = model.requests.length;
      const answer = visitor.post(`${path}/messages`, { content: 'Hi' });
      while (model.requests.length === asked) await delay(10);
      await parley.database.sql(
        "UPDATE messages SET lease_expires_at = now() - interval '1 second' WHERE conversation_id = $1 AND state = 'generating'",
        [session.session_id],
      );
      await parley.runtime.services.turns.recoverAbandoned();
      assert.equal((await answer).body.content, 'A day pass costs 12 euros.');
      assert.equal(model.requests.length, asked + 1);
    });

    it('that another process has finished first are shown as it stored them', async () => {
      script = { answer: () => ({ text: 'Too late.', tokenDelayMs: 50 }) };
      const { visitor, path, session } = await buildSession();
      const asked = model.requests.length;
      const answer = visitor.post(`${path}/messages`, { content: 'Hi' });
      while (model.requests.length === asked) await delay(10);
      await parley.database.sql(
        "UPDATE messages SET state = 'complete', content = 'First.' WHERE conversation_id = $1 AND state = 'generating'",
        [session.session_id],
      );
      const { status, body } = await answer;
      assert.deepEqual([status, body.content], [201, 'First.']);
    });

    it('that fail for ten minutes end with an apology', async () => {
      const { visitor, path, session } = await buildSession();
      await visitor.post(`${path}/messages`, { content: 'Hi' });
      await parley.database.sql(
        `UPDATE messages SET state = 'generating', content = '', created_at = now() - interval '11 minutes',
           lease_expires_at = now() - interval '1 second'
         WHERE conversation_id = $1 AND role = 'assistant'`,
        [session.session_id],
      );
      await parley.runtime.services.turns.recoverAbandoned();
      const [, answer] = (await visitor.get(`${path}/messages`)).body;
      assert.equal(answer.is_error, true);
      assert.equal(answer.error_code, 'answer_given_up');
    });
  });

  it('GET session tells the state for a reload', async () => {
    const { visitor, path, session } = await buildSession({
      lead_capture_config: {
        enabled: true,
        trigger: 'after_n_messages',
        trigger_value: 2,
        fields: [{ key: 'email', label: 'E-mail' }],
      },
    });
    const before = await visitor.get(path);
    assert.deepEqual(before.body, {
      session_id: session.session_id,
      visitor_id: session.visitor_id,
      status: 'active',
      handoff_enabled: false,
      agent_name: null,
      lead_form_due: false,
      consent: 'unknown',
      message_count: 0,
      rating: null,
    });
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    assert.equal((await visitor.get(path)).body.lead_form_due, true);
  });

  it('may be called from other origins, the workspace’s operations may not', async () => {
    const { bot } = await buildActiveBot();
    const preflight = (path: string) =>
      parley.client().fetch(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
      });
    const open = await preflight(`/api/public/bots/${bot.public_key}/sessions`);
    assert.equal(open.status, 204);
    assert.equal(open.headers.get('access-control-allow-origin'), '*');
    assert.match(open.headers.get('access-control-allow-headers')!, /Authorization/);
    const closed = await preflight('/api/bots');
    assert.equal(closed.headers.get('access-control-allow-origin'), null);
    assert.equal(closed.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  });
});
