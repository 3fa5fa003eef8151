import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type CustomEndpoint, CustomEndpointModel } from '../../../adapters/llm/custom-endpoint-model.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { type ModelScript, type ModelServer, startModelServer } from '../../support/model-server.ts';
import { assertModelError, buildRequest, collectAnswer } from './support.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

/** Longest time in milliseconds that a response may block the event loop. */
const MAX_HELD_MS = 50;

describe('CustomEndpointModel', () => {
  let server: ModelServer;
  let script: ModelScript = {};

  before(async () => {
    server = await startModelServer({ answer: () => script });
  });
  after(() => server.close());
  beforeEach(() => server.requests.splice(0));

  const ask = (endpoint: Partial<CustomEndpoint> = {}, silenceMs = 60_000) =>
    collectAnswer(
      new CustomEndpointModel({
        endpoint: {
          endpointUrl: `${server.origin}/answer?team=7`,
          authHeaderName: null,
          authHeaderValue: null,
          model: null,
          responsePath: null,
          ...endpoint,
        },
        fetch,
        silenceMs,
        totalMs: 4 * silenceMs,
      }),
      buildRequest(),
    );
  const json = (value: unknown): ModelScript => ({
    raw: { status: 200, contentType: 'application/json', body: JSON.stringify(value) },
  });

  it('posts a chat-completions body to the owner’s URL and reads text and token counts', async () => {
    script = { text: 'Thirty days [1].' };
    const { text, usage } = await ask({ model: 'house-model' });
    assert.equal(text, 'Thirty days [1].');
    assert.deepEqual(usage, { inputTokens: 9, outputTokens: 3 });
    assert.equal(server.requests[0]?.path, '/answer?team=7');
    assert.deepEqual(server.requests[0].body, {
      model: 'house-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How long can I return an item?' },
      ],
      temperature: 0.2,
      max_tokens: 256,
      stream: false,
    });
  });

  it('sends the owner’s header, as Authorization if it has no name', async () => {
    script = { text: 'Yes.' };
    await ask({ authHeaderName: 'X-House-Key', authHeaderValue: 'abc' });
    await ask({ authHeaderValue: 'Token abc' });
    assert.equal(server.requests[0]?.headers['x-house-key'], 'abc');
    assert.equal(server.requests[0].headers.authorization, undefined);
    assert.equal(server.requests[1]?.headers.authorization, 'Token abc');
  });

  it('refuses a connection header and a malformed header, without a request', async () => {
    await assertModelError(ask({ authHeaderName: 'Host', authHeaderValue: 'internal' }), 'model_refused');
    await assertModelError(ask({ authHeaderName: 'X-Key', authHeaderValue: 'a\r\nX-B: c' }), 'model_refused');
    assert.deepEqual(server.requests, []);
  });

  it('finds the text at the response path', async () => {
    script = json({ output: [{ parts: [{ text: 'Here.' }] }] });
    assert.equal((await ask({ responsePath: 'output.0.parts.0.text' })).text, 'Here.');
  });

  it('streams if the endpoint answers with events', async () => {
    const event = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    script = {
      raw: {
        status: 200,
        contentType: 'text/event-stream; charset=utf-8',
        body:
          event({ content: 'Thirty' }) +
          event({ content: ' days.' }) +
          event({}, 'stop') +
          'data: [DONE]\n\n',
      },
    };
    assert.deepEqual((await ask()).pieces, ['Thirty', ' days.']);
  });

  for (const path of ['output', 'choices.1', 'constructor.name', '__proto__.toString', 'text.length', '..']) {
    it(`finds no text at ${path}`, async () => {
      script = json({ text: 'Here.', choices: [{ message: { content: 'There.' } }] });
      await assertModelError(ask({ responsePath: path }), 'model_invalid_response');
    });
  }

  for (const [what, code, misbehavior] of [
    ['never answers', 'model_timeout', { hang: 'at-once' }],
    [
      'sends HTML',
      'model_invalid_response',
      { raw: { status: 200, contentType: 'text/html', body: '<p>Hello</p>' } },
    ],
    ['sends null', 'model_invalid_response', json(null)],
    ['answers 503', 'model_unavailable', { raw: { status: 503, contentType: 'text/plain', body: 'x' } }],
    ['answers 403', 'model_refused', { raw: { status: 403, contentType: 'text/plain', body: 'x' } }],
    ['answers 429', 'model_rate_limited', { raw: { status: 429, contentType: 'text/plain', body: 'x' } }],
    ['sends a megabyte', 'model_too_long', { text: 'word '.repeat(200_000) }],
  ] as const) {
    it(`fails with ${code} when the endpoint ${what}`, async () => {
      script = misbehavior;
      await assertModelError(ask({}, code === 'model_timeout' ? 500 : undefined), code);
    });
  }

  const whole = (body: string, contentType = 'application/json'): ModelScript => ({
    raw: { status: 200, contentType, body },
  });
  const stream = (body: string) => whole(body, 'text/event-stream');
  const delta = (content: string) =>
    `data:${JSON.stringify({ choices: [{ delta: { content }, finish_reason: null }] })}\n\n`;
  for (const [name, hostile] of [
    ['values', () => whole(`{"a":[${'{},'.repeat(650_000)}1],"choices":[{"message":{"content":"x"}}]}`)],
    ['values in a text', () => whole(`[${'{},'.repeat(100_000)}1]`.replaceAll('},', '},\n'), 'text/plain')],
    ['levels', () => whole('{"a":'.repeat(400_000))],
    ['bytes of JSON', () => whole(`"${'a'.repeat(20_000_000)}"`)],
    ['events', () => stream('data:{}\n\n'.repeat(1_000_000))],
    ['lines', () => stream('\n'.repeat(10_000_000))],
    ['lines of an event', () => stream('data:\n'.repeat(1_000_000))],
    ['values in events', () => stream(`data:[${'1,'.repeat(32_000)}1]\n\n`.repeat(100))],
    ['short texts', () => stream(delta('<').repeat(100_000))],
  ] as const)
    itInSoak(
      `blocks the event loop for less than ${MAX_HELD_MS} ms if the endpoint sends too many ${name}`,
      async () => {
        const { body, contentType } = hostile().raw!;
        const bytes = Buffer.from(body);
        const model = new CustomEndpointModel({
          endpoint: {
            endpointUrl: server.origin,
            authHeaderName: null,
            authHeaderValue: null,
            model: null,
            responsePath: null,
          },
          fetch: () => respondInChunks(bytes, contentType),
          silenceMs: 5000,
          totalMs: 5000,
        });
        const request = { ...buildRequest(), maxTokens: 32_768, thinking: { budgetTokens: 32_000 } };
        await assertLoopBlockedBelow(MAX_HELD_MS, () =>
          assert.rejects(collectAnswer(model, request), { name: 'ModelError' }),
        );
      },
    );

  /**
   * Responds like a remote server: in chunks of 64 KB, and yields to the event loop between them.
   */
  async function respondInChunks(bytes: Buffer, contentType: string): Promise<Response> {
    let at = 0;
    const parts = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await setImmediate();
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(at, (at += 65_536)));
      },
    });
    await setImmediate();
    return new Response(parts, { headers: { 'content-type': contentType } });
  }
});
