import assert from 'node:assert/strict';
import { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { newId } from '../../core/ids.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildKnowledgeBase } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { connectMcp, type TestMcp } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('listToolInvocations', () => {
  let parley: TestParley;
  const open: TestMcp[] = [];

  before(async () => {
    parley = await startParley();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((mcp) => mcp.close()));
  });
  after(() => parley.stop());

  async function buildCaller() {
    const org = await buildKnowledgeBase(parley);
    const mcp = await connectMcp(parley.baseUrl, org);
    open.push(mcp);
    return {
      ...org,
      /** Calls an MCP tool, and waits until Parley has logged the call. */
      call: async (...args: Parameters<TestMcp['call']>) => {
        await mcp.call(...args);
        await parley.runtime.services.mcp.toolLog.drain();
      },
    };
  }

  it('returns each call with its key, outcome and duration, newest first, without private content', async () => {
    const org = await buildCaller();
    await org.call('add_knowledge', {
      bot_id: org.botId,
      text: 'Our safe opens with 4711.',
      title: 'For ada@example.com',
    });
    await org.call('get_bot', { bot_id: newId() });
    const { body } = await org.client.get('/api/tool-invocations');
    assert.deepEqual([body.total, body.has_more], [2, false]);
    const [missing, added] = body.items;
    assert.deepEqual(
      [missing!.tool, missing!.outcome, missing!.error_code, missing!.api_key_name, missing!.client],
      ['get_bot', 'failed', 'not_found', 'Test key', 'test-client 1.2.3'],
    );
    assert.deepEqual([added!.tool, added!.outcome, added!.error_code], ['add_knowledge', 'succeeded', null]);
    assert.equal(added!.arguments['title'], 'For …');
    assert.deepEqual((added!.arguments['text'] as { length: number }).length, 25);
    assert.ok(added!.duration_ms >= 0 && added!.request_id.startsWith('req_'));
  });

  async function post(key: string, body: object, headers: Record<string, string> = {}) {
    const response = await parley.client(key).fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', ...body }),
    });
    return response.text();
  }

  it('returns refused calls: with a missing scope, an unknown name or unreadable arguments', async () => {
    const { orgId, client } = await parley.buildOrg();
    const reader = await parley.buildOrg({ orgId, scopes: ['bots:read'] });
    const given = { bot_id: newId(), text: 'Nine to five.' };
    const refused = await post(reader.key, { params: { name: 'add_knowledge', arguments: given } });
    assert.match(refused, /-32602/);
    await post(reader.key, { params: { name: 'delete_all for jane%40leak.example', arguments: {} } });
    await post(reader.key, { params: { name: 'list_bots', arguments: { status: '\u0000' } } });
    await post(reader.key, { params: { arguments: {} } });
    await post(reader.key, { params: { name: 'list_bots', arguments: 'none' } });
    const listOutcomes = async () =>
      (await client.get('/api/tool-invocations')).body.items.map(({ tool, outcome, error_code: code }) =>
        [tool, outcome, code].join(' '),
      );
    await waitUntilEqual(async () => (await listOutcomes()).length, 5);
    assert.deepEqual((await listOutcomes()).toSorted(), [
      ' failed validation_error',
      'add_knowledge failed forbidden',
      'delete_all for … failed not_found',
      'list_bots failed validation_error',
      'list_bots failed validation_error',
    ]);
  });

  itInSoak('returns at most 60 calls a minute of a key above its rate limit', async () => {
    const limited = await parley.startAnother({ rateLimitPerMinute: 3 });
    const { key, client } = await parley.buildOrg();
    for (let index = 0; index < 70; index += 1)
      await limited.client(key).fetch('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'none' } }),
      });
    await limited.runtime.services.mcp.toolLog.drain();
    const { body } = await client.get('/api/tool-invocations?page_size=100');
    const codes = body.items.map(({ error_code: code }) => code);
    assert.equal(codes.filter((code) => code === 'not_found').length, 3);
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 60);
  });

  it('filters by tool, key and outcome, within one workspace', async () => {
    const org = await buildCaller();
    await org.call('list_bots');
    await org.call('list_bots', { status: 'nothing' });
    const find = async (query: string) => (await org.client.get(`/api/tool-invocations?${query}`)).body;
    assert.equal((await find('tool=list_bots')).total, 2);
    assert.equal((await find('tool=get_bot')).total, 0);
    assert.deepEqual(
      (await find('outcome=failed')).items.map(({ error_code: code }) => code),
      ['validation_error'],
    );
    const ofNone = await org.client.get(`/api/tool-invocations?api_key_id=${newId()}`);
    assert.equal(formatOutcome(ofNone), '404 not_found');
    const other = await parley.buildOrg();
    assert.equal((await other.client.get('/api/tool-invocations')).body.total, 0);
  });

  it('requires an admin, or a key with its scope', async () => {
    for (const overrides of [{ role: 'member' }, { scopes: ['bots:read'] }] as const) {
      const { client } = await parley.buildOrg(overrides);
      assert.equal((await client.get('/api/tool-invocations')).status, 403);
    }
  });

  it('omits calls after the number of days for which they are kept', async () => {
    const { orgId, client } = await parley.buildOrg();
    const day = 86_400_000;
    const call = {
      orgId,
      apiKeyId: newId(),
      tool: 'list_bots',
      outcome: 'succeeded',
      durationMs: 1,
      requestId: 'req_1',
    } as const;
    const ids = [Date.now() - 31 * day, Date.now() - 29 * day].map((time) => newIdAt(time));
    for (const id of ids) await parley.database.repository(ToolInvocation).insert({ ...call, id });
    await new ExpiryRepository(parley.runtime.settings).deleteBatch(parley.database);
    assert.deepEqual(
      (await client.get('/api/tool-invocations')).body.items.map(({ id }) => id),
      [ids[1]],
    );
  });

  it('decrypts the arguments of a workspace with encrypted content', async () => {
    const sealing = await startParley({ PARLEY_SEAL_CONTENT: 'true' });
    try {
      const org = await buildKnowledgeBase(sealing);
      const mcp = await connectMcp(sealing.baseUrl, org);
      open.push(mcp);
      await mcp.call('search_knowledge', { bot_id: org.botId, query: 'Where is the harbour?' });
      await sealing.runtime.services.mcp.toolLog.drain();
      const rows = await sealing.database.sql<{ arguments: unknown; key_id: string | null }>(
        'SELECT arguments, key_id FROM tool_invocations',
      );
      assert.doesNotMatch(JSON.stringify(rows), /harbour/);
      assert.ok(rows[0]!.key_id);
      const { body } = await org.client.get('/api/tool-invocations');
      assert.equal(body.items[0]!.arguments['query'], 'Where is the harbour?');
    } finally {
      await sealing.stop();
    }
  });
});

/** Builds a UUIDv7 of the time. */
function newIdAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
