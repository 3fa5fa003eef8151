import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listBots } from '../../api/bots/bots.routes.ts';
import { OperationCalls } from '../../api/mcp/operation-calls.ts';

describe('OperationCalls', () => {
  it('runs an operation with a complete request from the same caller and address', async () => {
    const made: IncomingMessage[] = [];
    const introduced: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      const respond: RequestListener = (inner, reply) => {
        made.push(inner);
        reply.setHeader('content-type', 'application/json');
        reply.end('{"items":[]}');
      };
      const calls = new OperationCalls(respond, request, {
        attachCaller: (inner) => introduced.push(inner),
        version: '2026-09-03',
      });
      void calls.run(listBots, { query: { q: 'a b&c', status: undefined } }).then((page) => {
        response.end(JSON.stringify(page));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: 'Bearer key', 'x-forwarded-for': '192.0.2.7', cookie: 'a=b' };
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, { headers });
    assert.deepEqual(await response.json(), { items: [] });
    server.close();
    assert.deepEqual(introduced, made);
    const [request] = made;
    // The request must be complete, because Parley delays a refusal until the rest of a request has arrived.
    assert.equal(request!.complete, true);
    assert.deepEqual(
      [request!.method, request!.url, request!.socket.remoteAddress],
      ['GET', '/api/bots?q=a+b%26c', '127.0.0.1'],
    );
    assert.deepEqual(request!.headersDistinct['authorization'], ['Bearer key']);
    assert.equal(request!.headers['x-forwarded-for'], '192.0.2.7');
    assert.equal(request!.headers['x-api-version'], '2026-09-03');
    assert.equal(request!.headers['cookie'], undefined);
  });
});
