import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiResponse, type TestParley, type TestProcess } from '../support/parley.ts';
import {
  ask,
  createSessionStarter,
  buildActiveBot,
  buildSession,
  findOutboxEvents,
} from '../support/widget.ts';
import type { Problem } from '../../api/http/problems/problem.ts';

describe('sendWidgetMessage with caps', () => {
  let model: ModelServer;
  let parley: TestParley;
  let processes: TestProcess[];
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
    processes = [parley, await parley.startAnother()];
  });
  beforeEach(() => model.requests.splice(0));
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /** Builds a bot and visitors that are spread over both API processes. */
  async function buildVisitors(count: number, overrides: object) {
    const org = await buildActiveBot(parley, overrides);
    const sessions = `/api/public/bots/${org.bot.public_key}/sessions` as const;
    const visitors = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const process = processes[index % 2]!;
        const { body } = await process.client().post(sessions, {});
        const client = process.client(body.visitor_token);
        const path = `/api/public/sessions/${body.session_id}` as const;
        return {
          path,
          client,
          id: body.session_id as string,
          say: (content = 'Hi', more: object = {}): Promise<ApiResponse> =>
            client.post(`${path}/messages`, { content, ...more }),
        };
      }),
    );
    return { ...org, visitors };
  }

  const listStatuses = (responses: ApiResponse[]) => responses.map(({ status }) => status).toSorted();

  it('accepts the bot’s rate_limit_per_minute per visitor, and returns when the next message is accepted', async () => {
    const { visitor, path } = await buildSession(parley, { rate_limit_per_minute: 1 });
    const [response, refusal] = [
      await visitor.post(`${path}/messages`, { content: 'Hi' }),
      await visitor.post(`${path}/messages`, { content: 'Hi' }),
    ];
    assert.deepEqual([response.status, refusal.status], [201, 429]);
    assert.deepEqual(
      [response, refusal].map(({ headers }) => headers.get('ratelimit-remaining')),
      ['0', '0'],
    );
    assert.equal(response.headers.get('ratelimit-limit'), '1');
    assert.equal(refusal.headers.get('retry-after'), refusal.headers.get('ratelimit-reset'));
  });

  it('accepts exactly monthly_message_cap messages in parallel, streamed or not', async () => {
    const { visitor, path } = await buildSession(parley, { monthly_message_cap: 3 });
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => visitor.post(`${path}/messages`, { content: 'Hi' })),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 3);
    const refused = responses.find(({ status }) => status !== 201)!;
    assert.equal(formatOutcome(refused), '402 quota_exceeded');
    const stream = await ask(visitor, path, { content: 'Hi' });
    assert.equal(stream.status, 402);
    assert.equal(((await stream.json()) as Problem).error.code, 'quota_exceeded');
    assert.equal((await visitor.get(`${path}/messages`)).body.length, 6);
  });

  describe('per month', () => {
    itInSoak('accepts exactly the cap from 40 simultaneous visitors at two processes', async () => {
      const { visitors, bot, client } = await buildVisitors(40, {
        monthly_message_cap: 7,
        rate_limit_per_minute: 1000,
      });
      const responses = await Promise.all(visitors.map(({ say }) => say()));
      assert.deepEqual(listStatuses(responses), [...Array(7).fill(201), ...Array(33).fill(402)]);
      assert.equal(model.requests.length, 7);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_messages, 14);
    });

    it('returns 402 quota_exceeded with a polite message, even for a stream', async () => {
      const { visitors, orgId } = await buildVisitors(1, { monthly_message_cap: 0 });
      const [{ client, path, say }] = visitors as [(typeof visitors)[0]];
      const { status, problem } = await say();
      assert.equal(status, 402);
      assert.deepEqual(problem.error, {
        code: 'quota_exceeded',
        message: 'The assistant accepts no more messages this month. Please contact us in another way.',
      });
      const stream = await ask(client, path, { content: 'Hi' });
      assert.equal(stream.status, 402);
      assert.deepEqual(((await stream.json()) as { error: object }).error, problem.error);
      assert.deepEqual((await client.get(`${path}/messages`)).body, []);
      assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
      assert.equal(model.requests.length, 0);
    });

    it('accepts any number if the cap is null, and applies a changed cap', async () => {
      const { visitors, client, bot } = await buildVisitors(1, { monthly_message_cap: null });
      const [{ say }] = visitors as [(typeof visitors)[0]];
      const setCap = (monthly_message_cap: number | null) =>
        client.patch(`/api/bots/${bot.id}`, { monthly_message_cap });
      assert.deepEqual(listStatuses([await say(), await say()]), [201, 201]);
      await setCap(2);
      assert.equal((await say()).status, 402);
      await setCap(3);
      assert.deepEqual([(await say()).status, (await say()).status], [201, 402]);
      await setCap(null);
      assert.equal((await say()).status, 201);
    });

    itInSoak('resets the count at the start of the month in UTC by the database’s clock', async () => {
      const { visitors, bot } = await buildVisitors(1, { monthly_message_cap: 1 });
      const [{ say }] = visitors as [(typeof visitors)[0]];
      assert.deepEqual([(await say()).status, (await say()).status], [201, 402]);
      const [{ isThisMonth } = { isThisMonth: false }] = await parley.database.sql<{ isThisMonth: boolean }>(
        `SELECT month = date_trunc('month', now() AT TIME ZONE 'UTC')::date AS "isThisMonth"
         FROM monthly_usage WHERE bot_id = $1`,
        [bot.id],
      );
      assert.equal(isThisMonth, true);
      await parley.database.sql(
        "UPDATE monthly_usage SET month = (month - interval '1 month')::date WHERE bot_id = $1",
        [bot.id],
      );
      assert.deepEqual([(await say()).status, (await say()).status], [201, 402]);
    });

    it('does not count a repeated message', async () => {
      const { visitors } = await buildVisitors(1, { monthly_message_cap: 1 });
      const [{ say }] = visitors as [(typeof visitors)[0]];
      const responses = await Promise.all(Array.from({ length: 5 }, () => say('Hi', { client_id: 'm-1' })));
      assert.deepEqual(listStatuses(responses), Array(5).fill(201));
      assert.equal((await say('Hi', { client_id: 'm-1' })).status, 201);
      assert.equal((await say()).status, 402);
    });

    it('counts simultaneous duplicates of a message once', async () => {
      const { visitors } = await buildVisitors(3, { monthly_message_cap: 3 });
      const twice = visitors.flatMap(({ say }) => [1, 2].map(() => say('Hi', { client_id: 'm-1' })));
      assert.deepEqual(listStatuses(await Promise.all(twice)), Array(6).fill(201));
    });
  });

  it('returns 429 rate_limited with a polite message and the time to wait', async () => {
    const { visitors } = await buildVisitors(2, { rate_limit_per_minute: 1 });
    const responses = [await visitors[0]!.say(), await visitors[1]!.say()];
    assert.deepEqual(listStatuses(responses), [201, 429]);
    const { problem, headers } = responses[1]!;
    const wait = headers.get('retry-after');
    assert.deepEqual(problem.error, {
      code: 'rate_limited',
      message: `The assistant is receiving too many messages at the moment (rate_limit_per_minute of the bot); wait ${wait} s.`,
    });
  });

  itInSoak('limits one address to its share of model calls a minute, across two processes', async () => {
    const { visitors } = await buildVisitors(40, { rate_limit_per_minute: 5 });
    const responses = await Promise.all(visitors.map(({ say }) => say()));
    assert.deepEqual(listStatuses(responses), [...Array(4).fill(201), ...Array(36).fill(429)]);
    assert.equal(model.requests.length, 4);
  });

  itInSoak(
    'counts 50 simultaneous messages exactly in conversations, bot and contact, with their cost',
    async () => {
      const { visitors, bot, client } = await buildVisitors(10, { rate_limit_per_minute: 1000 });
      const twice = Array.from({ length: 50 }, (_, index) => {
        const { say } = visitors[index % 10]!;
        const message = ['What does it cost?', { client_id: `m-${index}` }] as const;
        return Promise.all([say(...message), say(...message)]);
      });
      const responses = (await Promise.all(twice)).flat();
      assert.deepEqual(listStatuses(responses), Array(100).fill(201));
      assert.equal(model.requests.length, 50);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_messages, 100);
      let cost = 0;
      for (const { id } of visitors) {
        const { body } = await client.get(`/api/conversations/${id}`);
        const sumUsage = (key: 'input_tokens' | 'output_tokens' | 'cost_usd') =>
          body.messages.reduce((total, message) => total + (message[key] ?? 0), 0);
        assert.deepEqual([body.message_count, body.messages.length], [10, 10]);
        assert.equal(body.total_input_tokens, sumUsage('input_tokens'));
        assert.equal(body.total_output_tokens, sumUsage('output_tokens'));
        assert.ok(sumUsage('cost_usd') > 0 && Math.abs(body.total_cost_usd - sumUsage('cost_usd')) < 1e-9);
        cost += body.total_cost_usd;
      }
      assert.ok(cost > 0);
      await client.delete(`/api/conversations/${visitors[0]!.id}`);
      const { total_messages, total_conversations } = (await client.get(`/api/bots/${bot.id}`)).body;
      assert.deepEqual([total_messages, total_conversations], [90, 9]);
    },
  );

  it('counts messages in the contact of a visitor’s sessions, and stays exact after deletions', async () => {
    const { bot, client } = await buildVisitors(0, {});
    const browser = createSessionStarter(parley);
    const sessions = [];
    for (const process of processes)
      sessions.push(await browser(bot.public_key, { visitor_id: 'ada' }, {}, process));
    const visits = sessions.map(({ body }, index) => ({
      id: body.session_id as string,
      path: `/api/public/sessions/${body.session_id}/messages` as const,
      visitor: processes[index]!.client(body.visitor_token),
    }));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const { visitor, path } = visits[index % 2]!;
        return visitor.post(path, { content: 'I am ada@example.com.' });
      }),
    );
    const readContact = async () => (await client.get('/api/contacts')).body.items[0]!;
    const { conversation_count, message_count, email } = await readContact();
    assert.deepEqual([conversation_count, message_count, email], [2, 20, 'ada@example.com']);
    await client.delete(`/api/conversations/${visits[0]!.id}`);
    const left = await readContact();
    assert.deepEqual([left.conversation_count, left.message_count], [1, 10]);
  });
});
