import assert from 'node:assert/strict';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const MAX_HELD_MS = 50;
const HIDDEN = Buffer.from(Buffer.from('a.b-'.repeat(120)).toString('base64'))
  .toString('base64')
  .slice(0, 800);

describe('POST /mcp with a batch', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  async function postBatch(key: string, count: number): Promise<Response> {
    const messages = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const response = await fetch(`${parley.baseUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    await response.text();
    return response;
  }

  it('counts each message against the rate limit', async () => {
    const { key } = await parley.buildOrg();
    const countRemaining = async (count: number) =>
      Number((await postBatch(key, count)).headers.get('ratelimit-remaining'));
    const remaining = await countRemaining(1);
    assert.equal(await countRemaining(20), remaining - 20);
  });

  it('returns 413 for more than 20 messages, and counts none of them', async () => {
    const { key } = await parley.buildOrg();
    const before = Number((await postBatch(key, 1)).headers.get('ratelimit-remaining'));
    assert.equal((await postBatch(key, 21)).status, 413);
    const after = Number((await postBatch(key, 1)).headers.get('ratelimit-remaining'));
    assert.equal(after, before - 1);
  });
});

describe('POST /mcp with a batch of calls whose arguments are slow to redact', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  itInSoak(`blocks the event loop for at most ${MAX_HELD_MS} ms, and logs each call`, async () => {
    const { key, client } = await parley.buildOrg();
    const given = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`name ${at}`, HIDDEN]));
    const batch = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'list_bots', arguments: given },
    }));
    const post = async () => {
      const response = await fetch(`${parley.baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(batch),
      });
      await response.text();
      await parley.runtime.services.mcp.toolLog.drain();
    };
    await assertLoopBlockedBelow(MAX_HELD_MS, post);
    const { body } = await client.get('/api/tool-invocations?page_size=20');
    assert.equal(body.items.length, 20);
  });
});
