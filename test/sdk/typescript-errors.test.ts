import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ApiError, NotFoundError, Parley } from '../../sdk/typescript/src/index.ts';

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
    it(`have the line of the caller in their stack: ${call.name}`, async () => {
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
    [404, ', but without an error of Parley. Check that PARLEY_URL is the URL of Parley.'],
    [429, '.'],
    [502, '.'],
  ] as const)
    it(`name the URL to check, if another server responds with ${status} where Parley would describe it`, async () => {
      const fetch = () => Promise.resolve(new Response('<h1>Error</h1>', { status }));
      const other = new Parley({ baseUrl: 'http://parley.test', apiKey: 'key', fetch, maxRetries: 0 });
      await assert.rejects(other.bots.get('b1'), {
        code: 'unknown',
        message: `The server responded with status ${status}${advice}`,
      });
    });

  it('show code and request id in logs, and no headers', async () => {
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
