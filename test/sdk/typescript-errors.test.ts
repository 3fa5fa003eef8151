import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  ApiError,
  NotFoundError,
  Parley,
  ParleyError,
  ValidationError,
} from '../../sdk/typescript/src/index.ts';

const PROBLEM = {
  error: { code: 'not_found', message: 'There is no such bot.' },
  request_id: 'req_1',
  details: [],
};
const DESCRIPTION = 'NotFoundError: There is no such bot. (not_found, req_1)';

const refuse = async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return Response.json(PROBLEM, { status: 404, headers: { 'x-secret-header': 'visible' } });
};
const client = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch: refuse });

async function getMissingBot(): Promise<unknown> {
  return await client.bots.get('b1');
}

async function iterateMissingBots(): Promise<void> {
  for await (const _ of client.bots.list()) continue;
}

async function streamFromMissingBot(): Promise<void> {
  for await (const _ of client.bots.tryStreaming('b1', { message: 'Hello' })) continue;
}

describe('errors of the TypeScript SDK', () => {
  for (const call of [getMissingBot, iterateMissingBots, streamFromMissingBot])
    it(`contain the line of the caller in their stack: ${call.name}`, async () => {
      const error = await call().catch((thrown: unknown) => thrown);
      assert.ok(error instanceof NotFoundError);
      const [first = '', ...frames] = (error.stack ?? '').split('\n');
      assert.equal(first, DESCRIPTION);
      assert.match(
        frames.join('\n'),
        new RegExp(`at ${call.name} \\(.*typescript-errors\\.test\\.ts:\\d+:\\d+\\)`),
      );
    });

  for (const [status, advice] of [
    [404, ', but without a Parley error. Check that baseUrl is the URL of Parley.'],
    [429, '.'],
    [502, '.'],
  ] as const)
    it(`name the URL to check if another server responds with ${status} where Parley would describe the error`, async () => {
      const fetch = () => Promise.resolve(new Response('<h1>Error</h1>', { status }));
      const other = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch, maxRetries: 0 });
      await assert.rejects(other.bots.get('b1'), {
        code: 'unknown',
        message: `The server responded with status ${status}${advice}`,
      });
    });

  it('name the target of a redirect, and the URL to check', async () => {
    const headers = { location: 'https://parley.test/api/bots/b1' };
    const fetch = () => Promise.resolve(new Response(null, { status: 308, headers }));
    const other = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch });
    await assert.rejects(other.bots.get('b1'), {
      status: 308,
      message:
        'The server responded with a redirect to https://parley.test/api/bots/b1. Check that baseUrl is the URL of Parley.',
    });
  });

  for (const [body, fault] of [
    ['<h1>Welcome</h1>', 'is not JSON'],
    ['{}', 'is not a Parley response'],
  ] as const)
    it(`name the URL to check, if the response ${fault}`, async () => {
      const fetch = () => Promise.resolve(new Response(body));
      const other = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch });
      await assert.rejects(Promise.resolve(other.bots.list()), {
        message: `The response from the server ${fault}. Check that baseUrl is the URL of Parley.`,
      });
    });

  for (const [given, message] of [
    ['parley_live_0', 'new Parley() requires an object of options: new Parley({ apiKey }).'],
    [{ api_key: 'x' }, 'new Parley() has no option api_key. Did you mean apiKey?'],
    [{ token: 'x' }, 'new Parley() has no option token.'],
  ] as const)
    it(`name the mistake in the options ${JSON.stringify(given)}`, () => {
      assert.throws(
        () => new Parley(given as object),
        (error) => {
          assert.ok(error instanceof ParleyError);
          return error.message === message;
        },
      );
    });

  it('list the paths of all invalid fields once in their text and stack', async () => {
    const details = ['a', 'b', 'c', 'fields[1].key'].map((field) => ({ field, message: 'is required' }));
    const message = '4 fields are not valid: a is required; b is required; c is required; …';
    const problem = { error: { code: 'validation_error', message }, details, request_id: 'req_2' };
    const fetch = () => Promise.resolve(Response.json(problem, { status: 422 }));
    const other = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch });
    const error = await other.bots.get('b1').catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ValidationError);
    assert.equal(error.message, message);
    const text = `ValidationError: ${message} (validation_error, req_2)\n  fields[1].key: is required`;
    assert.equal(String(error), text);
    assert.ok(error.stack?.startsWith(`${text}\n    at `), error.stack);
  });

  it('suggest `for await` if a list or page is used in a plain `for`, a spread, Array.from or map', async () => {
    const body = { items: [{}], total: 1, page: 1, page_size: 1, has_more: false, next_cursor: null };
    const fetch = () => Promise.resolve(Response.json(body));
    const lists = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch });
    const expected = {
      name: 'TypeError',
      message:
        'A list is read page by page: use `for await (const item of list)` for all items, or `(await list).items` for one page.',
    };
    for (const list of [lists.bots.list(), await lists.bots.list()]) {
      const iterable = list as unknown as Iterable<unknown>;
      assert.throws(() => {
        for (const _ of iterable) continue;
      }, expected);
      assert.throws(() => [...iterable], expected);
      assert.throws(() => Array.from(iterable), expected);
      assert.throws(() => (list as unknown as unknown[]).map(String), expected);
      let count = 0;
      for await (const _ of list) count += 1;
      assert.equal(count, 1);
    }
    assert.match(inspect(await lists.bots.list()), /^Page \{/);
    const stream = lists.bots.tryStreaming('b1', { message: 'Hello' }) as unknown as Iterable<unknown>;
    assert.throws(() => [...stream], {
      message: 'Events arrive over time: use `for await (const event of stream)`.',
    });
  });

  it('show code and request id in logs, but no headers', async () => {
    const error = await getMissingBot().catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ApiError);
    assert.equal(String(error), DESCRIPTION);
    const logged = inspect(error);
    assert.ok(logged.startsWith(`${DESCRIPTION}\n    at `), logged);
    assert.match(logged, /\n {2}code: 'not_found',\n/);
    assert.match(logged, /\n {2}requestId: 'req_1',\n/);
    assert.doesNotMatch(logged, /header/i);
    assert.doesNotMatch(JSON.stringify(error), /header/i);
    assert.equal(error.headers.get('x-secret-header'), 'visible');
  });
});
