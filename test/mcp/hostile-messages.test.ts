import assert from 'node:assert/strict';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Longest time in milliseconds that a message may block the event loop, including the sender in this process. */
const MAX_HELD_MS = 50;

const keys = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const callWith = (given: unknown) => message('tools/call', { name: 'list_bots', arguments: given });

describe('/mcp, with a message of any shape,', () => {
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => {
    parley = await startSharedParley();
    org = await parley.buildOrg();
    // Send one request first, because it loads modules.
    await send(callWith({}));
  });

  async function send(body: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`${parley.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${org.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  }

  for (const [name, body, status] of [
    ['60,000 unknown arguments', callWith(keys(60_000)), 413],
    ['19,000 unknown arguments', callWith(keys(19_000)), 200],
    ['19,000 objects as arguments', callWith(keys(9_000, {})), 200],
    ['a list of 90,000 numbers', callWith({ cursor: Array(90_000).fill(1) }), 413],
    ['60,000 keys of its metadata', message('tools/list', { _meta: keys(60_000) }), 413],
    ['19,000 keys of its metadata', message('tools/list', { _meta: keys(19_000) }), 200],
    ['60,000 members', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', ...keys(60_000) }), 413],
    ['10,000 messages', `[${Array(10_000).fill('1').join(',')}]`, 413],
  ] as const)
    itInSoak(`blocks the event loop for less than ${MAX_HELD_MS} ms: ${name}`, async () => {
      let response = { status: 0, text: '' };
      await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
        response = await send(body);
      });
      assert.equal(response.status, status, response.text);
      assert.ok(response.text.length < 20_000, `${response.text.length} characters`);
    });

  it('names a hundred of the unknown arguments', async () => {
    const { text } = await send(callWith(keys(19_000)));
    const [, listed = ''] = /"text":"([^"]*)"/.exec(text.replace(/^data: /m, '')) ?? [];
    assert.match(listed, /k0 is not a known field/);
    assert.equal(listed.split('is not a known field').length - 1, 100);
  });

  it('refuses a message of more than 20,000 values', async () => {
    const { status, text } = await send(callWith(keys(20_000)));
    assert.equal(status, 413);
    assert.match(text, /The message has more than 20000 values\./);
  });
});
