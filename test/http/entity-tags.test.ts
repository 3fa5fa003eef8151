import assert from 'node:assert/strict';
import { findCreatedResource } from '../../api/http/created-resource.ts';
import { operations } from '../../api/registry.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildBot } from '../support/build-bot.ts';
import { startSharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';

const graph = buildGraph([buildNode('message', { text: 'Hello' }), buildNode('end')], 'message end');

describe('changes with If-Match:', () => {
  let parley: SharedParley;
  let client: ApiClient;
  let bot: Bot;
  let paths: Record<string, { path: string; method: 'PATCH' | 'PUT'; change: (name: string) => object }>;
  before(async () => {
    parley = await startSharedParley();
    const built = await buildBot(parley);
    ({ client } = built);
    const { id } = built.bot;
    bot = await parley.database.repository(Bot).findOneByOrFail({ id });
    const flow = (name: string) => ({ bot_id: id, name, graph });
    const { body: saved } = await client.post('/api/flows', flow('Refunds'));
    const { body: webhook } = await client.post('/api/webhooks', { url: 'https://example.com/hook' });
    const patch = { method: 'PATCH' } as const;
    paths = {
      updateBot: { ...patch, path: `/api/bots/${id}`, change: (name) => ({ name }) },
      saveFlow: { method: 'PUT', path: `/api/flows/${saved.id}`, change: flow },
      updateWebhook: {
        ...patch,
        path: `/api/webhooks/${webhook.id}`,
        change: (description) => ({ description }),
      },
      updateOrg: { ...patch, path: `/api/orgs/${bot.orgId}`, change: (name) => ({ name }) },
    };
  });

  async function readTag(path: string): Promise<string> {
    const { status, headers } = await client.fetch(path);
    assert.equal(status, 200);
    return headers.get('etag') ?? '';
  }

  async function write(id: string, name: string, headers: Record<string, string> = {}) {
    const { path, method, change } = paths[id]!;
    const response = await client.fetch(path, {
      method,
      body: JSON.stringify(change(name)),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const { error } = (await response.json()) as { error?: { code: string; message: string } };
    return { status: response.status, tag: response.headers.get('etag'), error, headers: response.headers };
  }

  for (const id of ['updateBot', 'saveFlow', 'updateWebhook', 'updateOrg']) {
    it(`${id} refuses an outdated ETag with precondition_failed`, async () => {
      const { path, method } = paths[id]!;
      const tag = await readTag(path);
      assert.match(tag, /^"[\w-]{22}"$/);
      const first = await write(id, 'First', { 'if-match': `"other", ${tag}` });
      assert.equal(first.status, 200);
      const lost = await write(id, 'Second', { 'if-match': tag });
      assert.deepEqual(
        [lost.status, lost.error?.code, lost.error?.message],
        [
          412,
          'precondition_failed',
          'The resource has changed since you read it. Read it again, and repeat your change with its new ETag.',
        ],
      );
      const present = await readTag(path);
      assert.notEqual(present, tag);
      assert.equal(first.tag, method === 'PATCH' ? present : null);
      const weak = await write(id, 'Second', { 'if-match': `W/${present}` });
      assert.equal(weak.error?.code, 'precondition_failed');
      const accepted: Record<string, string>[] = [{ 'if-match': present }, { 'if-match': '*' }, {}];
      for (const headers of accepted) assert.equal((await write(id, 'Third', headers)).status, 200);
    });

    it(`${id} accepts one of several concurrent changes with the same ETag`, async () => {
      const tag = await readTag(paths[id]!.path);
      const writes = ['North', 'East', 'South', 'West'].map((name) => write(id, name, { 'if-match': tag }));
      const statuses = (await Promise.all(writes)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 412, 412, 412]);
    });
  }

  it('updateBot refuses a malformed If-Match with validation_error', async () => {
    for (const value of ['abc', '"a" "b"', '"a', '*, "a"']) {
      const { status, error } = await write('updateBot', 'Other', { 'if-match': value });
      assert.deepEqual(
        [status, error?.code, error?.message],
        [422, 'validation_error', 'If-Match must be * or a list of ETags in double quotes'],
      );
    }
  });

  it('updateBot replays the first response to a repeated request with an outdated ETag', async () => {
    const tag = await readTag(paths['updateBot']!.path);
    const headers = { 'if-match': tag, 'idempotency-key': 'repeated' };
    const first = await write('updateBot', 'Once', headers);
    const second = await write('updateBot', 'Once', headers);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.headers.get('idempotent-replay'), 'true');
    assert.equal(second.tag, first.tag);
  });

  it('getBot and getWebhook keep their ETag when only counters change', async () => {
    const [botPath, webhookPath] = [paths['updateBot']!.path, paths['updateWebhook']!.path];
    const tags = await Promise.all([readTag(botPath), readTag(webhookPath)]);
    const id = webhookPath.split('/').at(-1)!;
    await parley.database.repository(Bot).increment({ id: bot.id }, 'totalMessages', 1);
    await parley.database.repository(Webhook).increment({ id }, 'consecutiveFailures', 1);
    const totals = await client.get(botPath as '/api/bots/{bot_id}');
    assert.equal(totals.body.total_messages, bot.totalMessages + 1);
    assert.deepEqual(await Promise.all([readTag(botPath), readTag(webhookPath)]), tags);
  });
});

describe('Location after 201', () => {
  it('is the path of the GET of the created resource', () => {
    const located = operations.flatMap((operation) => {
      const created = findCreatedResource(operation, operations);
      return created ? [[operation.id, created.path, created.field]] : [];
    });
    assert.deepEqual(located, [
      ['createBot', '/api/bots/{bot_id}', 'id'],
      ['duplicateBot', '/api/bots/{bot_id}', 'id'],
      ['saveBotVersion', '/api/bots/{bot_id}/versions/{version}', 'version'],
      ['createDocument', '/api/bots/{bot_id}/knowledge/{document_id}', 'id'],
      ['uploadDocument', '/api/bots/{bot_id}/knowledge/{document_id}', 'id'],
      ['createFlow', '/api/flows/{flow_id}', 'id'],
      ['createBooking', '/api/bookings/{booking_id}', 'id'],
      ['createWebhook', '/api/webhooks/{id}', 'id'],
      ['createChildOrg', '/api/orgs/{org_id}', 'id'],
      ['createOrg', '/api/orgs/{org_id}', 'id'],
      ['startWidgetSession', '/api/public/sessions/{session_id}', 'session_id'],
      ['createTestSet', '/api/ext/bots/{bot_id}/test-sets/{test_set_id}', 'id'],
    ]);
  });

  it('leads to the created resource, even in a replay', async () => {
    const parley = await startSharedParley();
    const { client, bot } = await buildBot(parley);
    const create = (path: string, body: object) =>
      client.fetch(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': `create ${path}` },
      });
    const requests: [path: string, body: object][] = [
      ['/api/bots', { name: 'Help desk' }],
      [`/api/bots/${bot.id}/duplicate`, {}],
      [`/api/bots/${bot.id}/knowledge`, { source_type: 'raw_text', raw_text: 'We open at seven.' }],
      ['/api/flows', { bot_id: bot.id, name: 'Refunds', graph }],
      ['/api/webhooks', { url: 'https://example.com/hook' }],
    ];
    for (const [path, body] of requests) {
      const first = await create(path, body);
      const { id } = (await first.json()) as { id: string };
      assert.equal(first.status, 201, path);
      const location = first.headers.get('location');
      const read = await client.fetch(location!);
      assert.deepEqual([read.status, ((await read.json()) as { id: string }).id], [200, id], path);
      assert.equal((await create(path, body)).headers.get('location'), location);
    }
  });
});
