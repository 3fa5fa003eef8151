import assert from 'node:assert/strict';
import { EmbeddingError, type Embedder } from '../../../adapters/embedding/embedder.ts';
import { EndpointEmbedder } from '../../../adapters/embedding/endpoint-embedder.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import {
  startModelServer,
  embedWords,
  type EmbeddingRequestBody,
  type ModelScript,
  type ModelServer,
} from '../../support/model-server.ts';

const passage = (text: string) => ({ context: 'Manual', text });
const error = (status: number, body = '{"error":{"message":"no"}}', headers = {}): ModelScript => ({
  raw: { status, contentType: 'application/json', body, headers },
});
const vectors = (...data: unknown[]): ModelScript => ({
  raw: { status: 200, contentType: 'application/json', body: JSON.stringify({ data }) },
});

describe('an embedding endpoint', () => {
  let server: ModelServer;
  let embed: (body: EmbeddingRequestBody) => number[][] | ModelScript = embedWords;
  const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
  const never = new AbortController().signal;
  before(async () => {
    server = await startModelServer({ embed: (body) => embed(body) });
  });
  afterEach(() => {
    embed = embedWords;
    server.requests.length = 0;
  });
  after(async () => {
    await server.close();
    await client.close();
  });

  const endpoint = (overrides: Partial<ConstructorParameters<typeof EndpointEmbedder>[0]> = {}): Embedder =>
    new EndpointEmbedder({
      baseUrl: server.baseUrl,
      apiKey: 'sk-test',
      name: 'tiny-embed',
      fingerprint: '',
      dimensions: undefined,
      batchSize: 2,
      windowTokens: 40,
      passagePrefix: '',
      questionPrefix: '',
      timeoutMs: 2000,
      client,
      count: (text) => text.split(/\s+/).filter(Boolean).length,
      ...overrides,
    });

  const embedAndFail = async (script: ModelScript, overrides = {}) => {
    embed = () => script;
    try {
      await endpoint(overrides).embedPassages([passage('brakes'), passage('gears')], never);
    } catch (caught) {
      assert.ok(caught instanceof EmbeddingError, String(caught));
      return caught;
    }
    return assert.fail('It did not fail.');
  };

  it('receives the windows of all passages, in batches, with its key', async () => {
    const long = Array.from({ length: 12 }, (_, index) => `Sentence ${index} has exactly six words.`).join(
      ' ',
    );
    const embedded = await endpoint().embedPassages([passage('Brakes squeal.'), passage(long)], never);
    assert.equal(embedded[0]!.length, 1);
    assert.ok(embedded[1]!.length >= 2);
    const bodies = server.requests.map(({ body }) => body as unknown as EmbeddingRequestBody);
    assert.ok(bodies.every(({ model, input }) => model === 'tiny-embed' && input.length <= 2));
    assert.deepEqual(bodies[0]!.input[0], 'Manual\nBrakes squeal.');
    assert.deepEqual(server.requests.map(({ headers }) => headers.authorization)[0], 'Bearer sk-test');
    assert.ok(Math.abs(embedded[0]![0]!.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-6);
  });

  it('receives the prefixes and the dimensions, which are part of the model’s name', async () => {
    const embedder = endpoint({ dimensions: 16, passagePrefix: 'passage: ', questionPrefix: 'query: ' });
    const vector = await embedder.embedQuestion('Why?', never);
    await embedder.embedPassages([passage('Because.')], never);
    const bodies = server.requests.map(({ body }) => body as unknown as EmbeddingRequestBody);
    assert.deepEqual(
      bodies.map(({ input, dimensions }) => [...input, dimensions]),
      [
        ['query: Why?', 16],
        ['passage: Manual\nBecause.', 16],
      ],
    );
    assert.equal(vector.length, 16);
    assert.equal(embedder.model, 'tiny-embed@16');
  });

  it('may return its vectors in any order', async () => {
    embed = ({ input }) =>
      vectors(...input.map((_, index) => ({ index, embedding: index === 0 ? [1, 0] : [0, 1] })).reverse());
    const embedded = await endpoint().embedPassages([passage('brakes'), passage('gears')], never);
    assert.deepEqual(
      embedded.map(([vector]) => [...vector!]),
      [
        [1, 0],
        [0, 1],
      ],
    );
  });

  it('creates vectors of a previous model of the endpoint, but not of a local model', async () => {
    const former = endpoint().forModel('older-embed@8');
    await former!.embedQuestion('Why?', never);
    const [{ body } = { body: null }] = server.requests;
    assert.deepEqual(
      [former!.model, (body as unknown as EmbeddingRequestBody).model],
      ['older-embed@8', 'older-embed'],
    );
    assert.equal(endpoint().forModel('local:mini@00112233'), undefined);
    assert.equal(endpoint().forModel('older-embed@8#00112233')?.model, 'older-embed@8#00112233');
  });

  for (const item of [`[${'[],'.repeat(100_000)}0]`, '['.repeat(100), 'null', '5'])
    it(`fails with unclear or unfit if the response contains the item ${item.slice(0, 12)}`, async () => {
      const body = `{"data":[${item},{"embedding":[1]}]}`;
      const { failure } = await embedAndFail({ raw: { status: 200, contentType: 'application/json', body } });
      assert.ok(failure === 'unclear' || failure === 'unfit', failure);
    });

  it('quotes at most 200 storable characters of an error', async () => {
    const { message } = await embedAndFail(error(400, `no\u0000pe ${'x'.repeat(10_000)}`));
    assert.equal(message, `The endpoint responded with 400: nope ${'x'.repeat(195)}`);
  });

  it('fails with the time of Retry-After as retryAfterMs, an hour at most', async () => {
    const limited = await embedAndFail(error(429, '{}', { 'retry-after': '7' }));
    assert.deepEqual([limited.failure, limited.retryAfterMs], ['unavailable', 7000]);
    const exact = await embedAndFail(error(429, '{}', { 'retry-after-ms': '250', 'retry-after': '1' }));
    assert.equal(exact.retryAfterMs, 250);
    const dated = await embedAndFail(
      error(503, '{}', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }),
    );
    assert.ok(dated.retryAfterMs! > 50_000 && dated.retryAfterMs! <= 60_000);
    const absurd = await embedAndFail(error(503, '{}', { 'retry-after': '99999999' }));
    assert.equal(absurd.retryAfterMs, 3_600_000);
    assert.equal((await embedAndFail(error(500, '{}', { 'retry-after': 'soon' }))).retryAfterMs, undefined);
  });

  it('fails with unavailable, unclear, unfit or misconfigured, depending on its status', async () => {
    const failures = {
      429: 'unavailable',
      503: 'unavailable',
      500: 'unclear',
      504: 'unclear',
      408: 'unclear',
      400: 'unfit',
      413: 'unfit',
      422: 'unfit',
      401: 'misconfigured',
      404: 'misconfigured',
      302: 'misconfigured',
    };
    for (const [status, failure] of Object.entries(failures)) {
      const caught = await embedAndFail(error(Number(status)));
      assert.deepEqual([caught.failure, caught.message.includes(status)], [failure, true], status);
    }
  });

  it('fails with unclear, unfit or misconfigured if its vectors are malformed', async () => {
    const one = { embedding: [1, 0] };
    const answers: [ModelScript, string, RegExp][] = [
      [vectors(one), 'unclear', /1 vectors for 2 texts/],
      [vectors(one, { embedding: [0, 0] }), 'unfit', /length is zero or not finite/],
      [vectors(one, { embedding: [null, 1] }), 'unfit', /not a list of numbers/],
      [vectors(one, { embedding: 'AAAA' }), 'unfit', /not a list of numbers/],
      [vectors(one, null), 'unfit', /not a list of numbers/],
      [error(200, '{"data":[{"embedding":[NaN,1]}]}'), 'unclear', /no list of vectors/],
      [error(200, '<html>'), 'unclear', /no list of vectors/],
    ];
    for (const [answer, failure, message] of answers) {
      const caught = await embedAndFail(answer);
      assert.equal(caught.failure, failure, caught.message);
      assert.match(caught.message, message);
    }
    const large = await embedAndFail(error(200, `{"data":[],"more":"${'x'.repeat(1024 * 1024)}"}`));
    assert.deepEqual(
      [large.failure, /exceeds the limit of 576 KB/.test(large.message)],
      ['unclear', true],
      large.message,
    );
    const wrong = await embedAndFail(vectors(one, one), { dimensions: 16 });
    assert.deepEqual([wrong.failure, /2 numbers instead of 16/.test(wrong.message)], ['misconfigured', true]);
  });

  it('fails with unclear after a timeout, unavailable if unreachable, and the caller’s reason after an abort', async () => {
    assert.equal((await embedAndFail({ hang: 'at-once' }, { timeoutMs: 100 })).failure, 'unclear');
    const gone = new AbortController();
    const asking = endpoint().embedQuestion('Why?', gone.signal);
    const reason = new Error('gone');
    gone.abort(reason);
    await assert.rejects(asking, (caught) => caught === reason);
    const dead = await embedAndFail({}, { baseUrl: 'http://127.0.0.1:9/v1' });
    assert.equal(dead.failure, 'unavailable');
  });
});
