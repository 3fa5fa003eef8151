import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import { OpenAiChatModel } from '../../../adapters/llm/openai-chat-model.ts';
import { type ModelScript, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { assertModelError, buildRequest, collectAnswer } from './support.ts';

describe('OpenAiChatModel', () => {
  let server: ModelServer;
  let script: ModelScript = {};

  before(async () => {
    server = await startModelServer({ answer: () => script });
  });
  after(() => server.close());
  beforeEach(() => server.requests.splice(0));

  const model = (overrides: Partial<ConstructorParameters<typeof OpenAiChatModel>[0]> = {}) =>
    new OpenAiChatModel({
      baseUrl: server.baseUrl,
      apiKey: 'sk-test',
      model: 'test-model',
      fetch,
      silenceMs: 60_000,
      totalMs: 120_000,
      ...overrides,
    });
  const ask = (overrides: Partial<Parameters<typeof buildRequest>[0]> = {}) =>
    collectAnswer(model(), buildRequest(overrides));
  const raw = (status: number, body: string, contentType = 'application/json'): ModelScript => ({
    raw: { status, body, contentType },
  });

  it('streams the text token by token and then the token counts of the endpoint', async () => {
    script = { text: 'Thirty days [1].' };
    const { pieces, usage } = await ask();
    assert.deepEqual(pieces, ['Thirty', ' days', ' [1].']);
    assert.deepEqual(usage, { inputTokens: 9, outputTokens: 3 });
  });

  it('sends the model, the conversation, the limits and the key, and nothing from the environment', async () => {
    process.env['OPENAI_ORG_ID'] = 'org-of-the-operator';
    try {
      script = { text: 'Yes.' };
      await ask({ maxTokens: 99 });
    } finally {
      delete process.env['OPENAI_ORG_ID'];
    }
    const [request] = server.requests;
    assert.equal(request?.path, '/v1/chat/completions');
    assert.equal(request.headers.authorization, 'Bearer sk-test');
    assert.equal(request.headers['openai-organization'], undefined);
    assert.deepEqual(request.body, {
      model: 'test-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How long can I return an item?' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 99,
      temperature: 0.2,
    });
  });

  it('sends no Authorization header without a key', async () => {
    script = { text: 'Yes.' };
    await collectAnswer(model({ apiKey: null }), buildRequest());
    assert.equal(server.requests[0]?.headers.authorization, undefined);
  });

  it('adds a reasoning budget to the answer’s tokens for a reasoning model, and sends no temperature', async () => {
    script = { text: 'Yes.' };
    await collectAnswer(
      model({ model: 'o4-mini' }),
      buildRequest({ maxTokens: 100, thinking: { budgetTokens: 8_000 } }),
    );
    const body = server.requests[0]?.body;
    assert.equal(body?.['max_completion_tokens'], 8_100);
    assert.equal(body['reasoning_effort'], 'medium');
    assert.equal('temperature' in body, false);
    assert.equal('max_tokens' in body, false);
  });

  for (const [budgetTokens, effort] of [
    [1024, 'low'],
    [4096, 'low'],
    [8000, 'medium'],
    [32_000, 'high'],
  ] as const) {
    it(`sends the effort ${effort} to an unknown model for ${budgetTokens} tokens of reasoning`, async () => {
      script = { text: 'Yes.' };
      await ask({ maxTokens: 100, thinking: { budgetTokens } });
      const body = server.requests[0]?.body;
      assert.equal(body?.['reasoning_effort'], effort);
      assert.equal(body['max_tokens'], 100 + budgetTokens);
      assert.equal(body['temperature'], 0.2);
    });
  }

  it('sends no reasoning options to a model that cannot reason', async () => {
    script = { text: 'Yes.' };
    await collectAnswer(
      model({ model: 'gpt-4o-2024-08-06' }),
      buildRequest({ maxTokens: 100, thinking: { budgetTokens: 8000 } }),
    );
    const body = server.requests[0]?.body;
    assert.equal(body?.['max_tokens'], 100);
    assert.equal('reasoning_effort' in body, false);
  });

  it('omits reasoning, whether it is in a separate field or in the text', async () => {
    const events = [
      { choices: [{ index: 0, delta: { reasoning_content: 'The secret plan.' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { reasoning: 'More of it.', content: '<thi' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { content: 'nk>hidden</th' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { content: 'ink>\n\nThirty days.' }, finish_reason: 'stop' }] },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    script = raw(200, `${body}data: [DONE]\n\n`, 'text/event-stream');
    assert.equal((await ask()).text, 'Thirty days.');
  });

  it('fails if a model returned only reasoning', async () => {
    script = { text: '<think>Hm, let me see' };
    await assertModelError(ask(), 'model_invalid_response');
  });

  it('omits characters that cannot be stored', async () => {
    const events = [
      { choices: [{ index: 0, delta: { content: 'Thirty\0 days.' }, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 1e12, completion_tokens: 3 } },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    script = raw(200, `${body}data: [DONE]\n\n`, 'text/event-stream');
    const { pieces, usage } = await ask();
    assert.deepEqual([pieces, usage], [['Thirty days.'], null]);
  });

  it('reports no token counts when the endpoint sends none', async () => {
    script = { text: 'Thirty days.', omitUsage: true };
    const { text, usage } = await ask();
    assert.equal(text, 'Thirty days.');
    assert.equal(usage, null);
  });

  for (const [what, code, misbehavior] of [
    ['never answers', 'model_timeout', { hang: 'at-once' }],
    ['falls silent', 'model_timeout', { text: 'one two three', hang: 1 }],
    [
      'drips for longer than an answer may take',
      'model_timeout',
      { text: 'a '.repeat(100), tokenDelayMs: 50 },
    ],
    ['answers 500', 'model_unavailable', raw(500, '{"error":{"message":"secret-from-upstream"}}')],
    ['answers 500 with HTML', 'model_unavailable', raw(502, '<h1>Bad gateway</h1>', 'text/html')],
    ['answers 429', 'model_rate_limited', raw(429, '{"error":{"message":"secret-from-upstream"}}')],
    ['refuses the key', 'model_refused', raw(401, '{"error":{"message":"secret-from-upstream"}}')],
    ['does not know the model', 'model_refused', raw(404, '{"error":{"message":"secret-from-upstream"}}')],
    ['finds the prompt too long', 'model_too_long', raw(400, '{"error":{"code":"context_length_exceeded"}}')],
    ['answers 200 with HTML', 'model_invalid_response', raw(200, '<h1>Hello</h1>', 'text/html')],
    ['answers with an empty body', 'model_invalid_response', raw(200, '', 'text/event-stream')],
    [
      'sends JSON of an unexpected shape',
      'model_invalid_response',
      raw(200, 'data: {"foo":1}\n\n', 'text/event-stream'),
    ],
    ['sends an empty answer', 'model_invalid_response', { text: '' }],
    ['sends a line that is not JSON', 'model_invalid_response', { text: 'one two three', garbageAt: 1 }],
    ['closes the connection mid-answer', 'model_unavailable', { text: 'one two three', cutAfter: 2 }],
    ['ends mid-answer without saying why', 'model_unavailable', { text: 'one two three', endAfter: 2 }],
    ['sends a megabyte in words', 'model_too_long', { text: `${'word'.repeat(25)} `.repeat(10_000) }],
    ['sends a megabyte in one token', 'model_too_long', { text: 'x'.repeat(1_000_000) }],
    [
      'sends a megabyte without a line break',
      'model_too_long',
      raw(200, 'x'.repeat(1e6), 'text/event-stream'),
    ],
    [
      'reports an error inside the stream',
      'model_unavailable',
      raw(200, 'data: {"error":{"message":"secret-from-upstream"}}\n\n', 'text/event-stream'),
    ],
  ] as const) {
    it(`fails with ${code} when the endpoint ${what}`, async () => {
      script = misbehavior;
      const patience = code === 'model_timeout' ? { silenceMs: 500, totalMs: 4_000 } : {};
      await assertModelError(collectAnswer(model(patience), buildRequest()), code);
    });
  }

  it('follows no redirect, so that the key is sent only to its endpoint', async () => {
    script = {
      raw: {
        status: 307,
        contentType: 'text/plain',
        body: '',
        headers: { location: `${server.origin}/thief` },
      },
    };
    await assertModelError(ask(), 'model_refused');
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/v1/chat/completions'],
    );
  });

  it('connects twice if the connection fails, and once if the response is 500', async () => {
    let connections = 0;
    const slammer = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(slammer, 'listening');
    const address = slammer.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await assertModelError(
      collectAnswer(model({ baseUrl: `http://127.0.0.1:${port}/v1` }), buildRequest()),
      'model_unavailable',
    );
    assert.equal(connections, 2);
    slammer.close();

    script = raw(500, '{}');
    await assertModelError(ask(), 'model_unavailable');
    assert.equal(server.requests.length, 1);
  });

  it('fails with model_refused for an address that the outbound guard refuses', async () => {
    let calls = 0;
    const refuseCall = async () => {
      calls += 1;
      throw new OutboundError('refused', 'The address 127.0.0.1 is not public.');
    };
    await assertModelError(collectAnswer(model({ fetch: refuseCall }), buildRequest()), 'model_refused');
    assert.equal(calls, 1);
  });

  it('does not count the reader’s time as the model’s silence', async () => {
    script = { text: 'one two three' };
    const words: string[] = [];
    const silenceMs = 4_000;
    for await (const chunk of model({ silenceMs }).stream(buildRequest(), new AbortController().signal)) {
      if (chunk.type === 'text') words.push(chunk.text);
      if (words.length === 1) await sleep(silenceMs + 250);
    }
    assert.deepEqual(words, ['one', ' two', ' three']);
  });

  it('stops with the caller’s reason if the caller aborts, and drops the connection', async () => {
    script = { text: 'word '.repeat(1_000), tokenDelayMs: 5 };
    const abandoned = server.countAbandoned();
    const abort = new AbortController();
    const reason = new Error('the visitor has left');
    await assert.rejects(async () => {
      for await (const _ of model().stream(buildRequest({ maxTokens: 9_000 }), abort.signal))
        abort.abort(reason);
    }, reason);
    await waitUntilAbandoned(server, abandoned + 1);
  });

  it('drops the connection if the reader stops early', async () => {
    script = { text: 'word '.repeat(1_000), tokenDelayMs: 5 };
    const abandoned = server.countAbandoned();
    for await (const _ of model().stream(buildRequest(), new AbortController().signal)) break;
    await waitUntilAbandoned(server, abandoned + 1);
  });
});

async function waitUntilAbandoned(server: ModelServer, count: number): Promise<void> {
  while (server.countAbandoned() < count) await sleep(20);
  assert.equal(server.countAbandoned(), count);
}
