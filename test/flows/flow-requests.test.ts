import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { buildFlowBot } from './flow-visits.ts';
import { openShop, type Shop, type ShopRequest } from './shop.ts';
import type { ServerResponse } from 'node:http';

describe('a node http_request of a flow', () => {
  let parley: SharedParley;
  let shop: Shop;
  let elsewhere: Shop;
  let respond: (request: ShopRequest, response: ServerResponse) => void;
  before(async () => {
    parley = await startSharedParley();
    shop = await openShop((request, response) => respond(request, response));
    elsewhere = await openShop((_request, response) => void response.end('{"state":"elsewhere"}'));
  });
  beforeEach(() => {
    respond = (_request, response) => void response.end('{"order":{"state":"sent"}}');
    shop.requests.length = elsewhere.requests.length = 0;
  });
  after(async () => {
    await Promise.all([shop.close(), elsewhere.close()]);
  });

  const buildRequestGraph = (data: object) =>
    buildGraph(
      [
        buildNode('question', { text: 'Which order?', input: 'text', variable: 'order' }, 'which'),
        buildNode(
          'http_request',
          { method: 'GET', url: `${shop.origin}/orders/{{vars.order}}`, ...data } as Record<string, unknown>,
          'ask',
        ),
        buildNode('end', { message: 'It is {{vars.state|unknown}}, {{http.body.order.state|nothing}}.' }),
        buildNode('end', { message: 'The shop is closed: {{http.body.reason|no reason}}' }, 'closed'),
      ],
      'which ask',
      'ask end',
      'ask error closed',
    );

  async function visitWith(data: object) {
    const built = await buildFlowBot(parley, [{ graph: buildRequestGraph(data), trigger: 'first_message' }]);
    const visitor = await built.visit();
    await visitor.say('Hi');
    return { ...built, ...visitor };
  }

  it('sends the values of variables and an idempotency key, and stores the requested fields', async () => {
    const { say, history } = await visitWith({
      method: 'POST',
      headers: [
        { name: 'X-Order', value: '{{vars.order}}' },
        { name: 'X-Token', value: 'abc', secret: true },
      ],
      body: '{"order": "{{vars.order}}"}',
      save: [{ path: 'order.state', variable: 'state' }],
    });
    assert.equal((await say('a/b "1"')).content, 'It is sent, sent.');
    const [request] = shop.requests;
    assert.deepEqual([request!.method, request!.path], ['POST', '/orders/a%2Fb%20%221%22']);
    assert.deepEqual(JSON.parse(request!.body), { order: 'a/b "1"' });
    const { headers } = request!;
    assert.deepEqual(
      [headers['x-order'], headers['x-token'], headers['content-type']],
      ['a/b "1"', 'abc', 'application/json'],
    );
    const turn = (await history())[2]!;
    assert.equal(headers['idempotency-key'], `${turn.id}:ask:3`);
    assert.equal(shop.requests.length, 1);
  });

  it('takes the `error` port with the server’s message after a 409 response', async () => {
    respond = (_request, response) => void response.writeHead(409).end('{"reason":"inventory"}');
    const { say, client, bot } = await visitWith({});
    assert.equal((await say('1')).content, 'The shop is closed: inventory');
    const { body } = await client.get(`/api/bots/${bot.id}`);
    assert.equal(body.last_error, null);
  });

  for (const [what, data] of [
    ['of cloud metadata', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['that is private', { url: 'http://10.0.0.1/orders' }],
    [
      'that is private, with a secret',
      { url: 'https://10.0.0.1/', headers: [{ name: 'X', value: 'x', secret: true }] },
    ],
  ] as const)
    it(`takes the port “error” if it would reach an address ${what}`, async () => {
      const { say, client, bot } = await visitWith(data);
      assert.equal((await say('1')).content, 'The shop is closed: no reason');
      const { body } = await client.get(`/api/bots/${bot.id}`);
      assert.match(body.last_error!, /^Node "ask": /);
    });

  itInSoak('takes the `error` port if the server takes longer than timeout_ms', async () => {
    respond = () => undefined;
    const { say } = await visitWith({ timeout_ms: 100 });
    assert.equal((await say('1')).content, 'The shop is closed: no reason');
  });

  itInSoak('takes the `error` port if the response is longer than 256 KB', async () => {
    respond = (_request, response) => void response.end(JSON.stringify('x'.repeat(256 * 1024)));
    const { say } = await visitWith({});
    assert.equal((await say('1')).content, 'The shop is closed: no reason');
  });

  it('follows a redirect, but takes the `error` port if the request has a secret header', async () => {
    respond = (_request, response) => void response.writeHead(307, { location: elsewhere.origin }).end();
    const plain = await visitWith({ save: [{ path: 'state', variable: 'state' }] });
    assert.equal((await plain.say('1')).content, 'It is elsewhere, nothing.');
    assert.equal(elsewhere.requests.length, 1);
    const secret = await visitWith({ headers: [{ name: 'X-Token', value: 'abc', secret: true }] });
    assert.equal((await secret.say('1')).content, 'The shop is closed: no reason');
    assert.equal(elsewhere.requests.length, 1);
  });

  it('removes NUL from a response', async () => {
    respond = (_request, response) => void response.end(String.raw`{"order":{"state":"s\u0000ent"}}`);
    const { say } = await visitWith({ save: [{ path: 'order.state', variable: 'state' }] });
    assert.equal((await say('1')).content, 'It is sent, sent.');
  });

  itInSoak('is sent at most five times in a turn, after which the flow fails', async () => {
    const graph = buildGraph(
      [buildNode('http_request', { method: 'GET', url: shop.origin }, 'ask'), buildNode('end')],
      'ask ask',
      'ask error end',
    );
    const { visit } = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }], {
      fallback_message: 'Sorry.',
    });
    const { say, findFlowSession } = await visit();
    assert.equal((await say('Hi')).content, 'Sorry.');
    assert.equal(shop.requests.length, 5);
    assert.equal((await findFlowSession())!.status, 'failed');
    assert.equal(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size, 5);
  });
});
