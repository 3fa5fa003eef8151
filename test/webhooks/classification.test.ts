import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createEndpoint } from './support.ts';
import { readReasonCode, useWebhooks } from './suite.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const failWith = (code: string) => () =>
  Promise.reject(Object.assign(new Error(`query to 10.0.0.53 failed`), { code }));

describe('the classification of an attempt', () => {
  const suite = useWebhooks();

  describe('by status', () => {
    const byResult: Record<'delivered' | 'retrying' | 'failed', number[]> = {
      delivered: [200, 201, 202, 204, 205, 206, 226, 299],
      retrying: [408, 425, 429, 500, 501, 502, 503, 504, 507, 520, 599],
      failed: [
        300, 301, 302, 303, 304, 305, 307, 308, 400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 413,
      ].concat([414, 415, 417, 418, 421, 422, 423, 424, 426, 428, 431, 451, 499]),
    };
    for (const [result, statuses] of Object.entries(byResult)) {
      it(`is ${result} for ${statuses.join(', ')}`, async () => {
        const { url } = await suite.receiver((response, { path }) =>
          response.writeHead(Number(path.split('/').at(-1))).end(),
        );
        const ids = new Map<string, number>();
        for (const status of statuses) {
          ids.set((await createEndpoint(suite.org, `${url}/${status}`)).id, status);
        }
        await suite.emit();
        suite.dispatcher();
        for (const { webhookId, status, attempts, responseStatus, reason } of await suite.waitUntilTried()) {
          const expected = ids.get(webhookId)!;
          assert.deepEqual([responseStatus, status, attempts], [expected, result, 1]);
          if (result === 'delivered') assert.equal(reason, null);
          else
            assert.match(reason!, new RegExp(`^http_${expected}: The receiver responded with ${expected}`));
        }
      });
    }

    it('is failed for a redirect, which is stored with its body and not followed', async () => {
      const second = await suite.receiver();
      const urls = await Promise.all(
        [301, 302, 303, 307, 308].map((status) =>
          suite.receiver((response) =>
            response.writeHead(status, { location: second.url }).end(`moved ${status}`),
          ),
        ),
      );
      for (const { url } of urls) await createEndpoint(suite.org, url);
      await suite.emit();
      suite.dispatcher();
      const tried = await suite.waitUntilTried();
      assert.deepEqual(
        tried
          .map(({ status, responseStatus, responseBody }) => [status, responseStatus, responseBody])
          .sort(),
        [301, 302, 303, 307, 308].map((status) => ['failed', status, `moved ${status}`]),
      );
      for (const { reason } of tried) assert.match(reason!, /redirects are not followed\.$/);
      assert.equal(second.requests.length, 0);
    });

    it('uses the response after early hints', async () => {
      const { status, responseStatus } = await suite.attemptAnswered(
        'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
      );
      assert.deepEqual([status, responseStatus], ['delivered', 204]);
    });

    it('uses the response after 100 Continue and 102 Processing', async () => {
      const { url } = await suite.receiver((response) => {
        response.writeContinue();
        response.writeProcessing();
        response.end('ok');
      });
      const { status, responseStatus, responseBody } = await suite.attemptAt(url);
      assert.deepEqual([status, responseStatus, responseBody], ['delivered', 200, 'ok']);
    });

    it('is retrying with connection_reset if the server switches protocols', async () => {
      const delivery = await suite.attemptAnswered(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      );
      assert.deepEqual([delivery.status, readReasonCode(delivery)], ['retrying', 'connection_reset']);
    });

    itInSoak('uses the status alone if the body cannot be decoded', async () => {
      const gzip = gzipSync('x'.repeat(5000));
      const bodies: [encoding: string, body: Buffer][] = [
        ['gzip', Buffer.from('no gzip at all')],
        ['gzip', gzip.subarray(0, gzip.length - 12)],
        ['br', Buffer.from('no brotli')],
        ['zstd', Buffer.from('not requested')],
        ['gzip, gzip, gzip', gzip],
      ];
      const statuses = [200, 404, 503];
      for (const status of statuses) {
        for (const [encoding, body] of bodies) {
          const { url } = await suite.receiver((response) =>
            response.writeHead(status, { 'content-encoding': encoding }).end(body),
          );
          await createEndpoint(suite.org, url);
        }
      }
      await suite.emit();
      suite.dispatcher();
      const results = (await suite.waitUntilTried()).map(
        ({ status, responseStatus }) => `${responseStatus} ${status}`,
      );
      assert.deepEqual(
        results.sort(),
        ['200 delivered', '404 failed', '503 retrying'].flatMap((result) => bodies.map(() => result)),
      );
    });

    it('uses a response that arrives before the request has been read', async () => {
      let isRead = false;
      const delivery = await suite.attemptWith((socket) => {
        socket.on('data', () => (isRead = true)).pause();
        socket.end('HTTP/1.1 202 Accepted\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      });
      assert.deepEqual([isRead, delivery.status, delivery.responseStatus], [false, 'delivered', 202]);
    });
  });

  describe('by connection', () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n';
    const cases: [string, string, (socket: Socket) => void][] = [
      ['reset at once', 'connection_reset', (socket) => socket.resetAndDestroy()],
      [
        'reset after the request',
        'connection_reset',
        (socket) => socket.once('data', () => socket.resetAndDestroy()),
      ],
      ['closed at once', 'connection_reset', (socket) => socket.end()],
      ['closed before the answer', 'connection_reset', (socket) => socket.once('data', () => socket.end())],
      [
        'closed in the head',
        'connection_reset',
        (socket) => socket.once('data', () => socket.end('HTTP/1.1 200')),
      ],
      [
        'closed in the body',
        'connection_reset',
        (socket) => socket.once('data', () => socket.end(`${head}ab`)),
      ],
      [
        'reset in the body',
        'connection_reset',
        (socket) =>
          socket.once('data', () =>
            socket.write(`${head}ab`, () => setTimeout(() => socket.resetAndDestroy(), 30)),
          ),
      ],
    ];
    for (const [what, code, onSocket] of cases) {
      it(`is retrying with ${code} if the connection is ${what}`, async () => {
        const delivery = await suite.attemptWith(onSocket);
        assert.deepEqual(
          [delivery.status, delivery.attempts, readReasonCode(delivery)],
          ['retrying', 1, code],
        );
        assert.equal(delivery.responseStatus, null);
        assert.ok(delivery.durationMs! >= 0);
      });
    }

    it('is retrying with connection_refused if no server listens', async () => {
      const port = await suite.servers.tcp(() => {});
      await suite.servers.close();
      const delivery = await suite.attemptAt(`http://127.0.0.1:${port}/`);
      assert.deepEqual([delivery.status, readReasonCode(delivery)], ['retrying', 'connection_refused']);
      assert.match(
        delivery.reason!,
        /^connection_refused: No connection to 127\.0\.0\.1 could be made\. Check its address and port, and that the server is running\.$/,
      );
    });

    for (const [what, bytes] of [
      ['not HTTP', 'SSH-2.0-OpenSSH_9.7\r\n'],
      ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`],
    ] as const) {
      itInSoak(`is failed with invalid_response if the response is ${what}`, async () => {
        const delivery = await suite.attemptAnswered(bytes);
        assert.deepEqual([delivery.status, readReasonCode(delivery)], ['failed', 'invalid_response']);
      });
    }

    itInSoak(
      'is retrying after a closed keep-alive connection only if a new connection fails too',
      async () => {
        const sockets: Socket[] = [];
        const port = await suite.servers.http((request, response) => {
          sockets.push(request.socket);
          request.resume().on('end', () => response.end());
        });
        await createEndpoint(suite.org, `http://127.0.0.1:${port}/`);
        suite.dispatcher();
        for (const _round of [1, 2, 3]) {
          await suite.emit();
          const tried = await suite.waitUntilTried();
          assert.ok(tried.every(({ status }) => status === 'delivered'));
          const [socket] = sockets.splice(0);
          const closed = once(socket!, 'close');
          socket!.end();
          await closed;
        }
      },
    );
  });

  describe('by name resolution', () => {
    const cases = [
      ['ENOTFOUND', 'retrying', 'dns_not_found: The name hooks.example.test does not exist.'],
      ['ENODATA', 'retrying', 'dns_not_found: The name hooks.example.test does not exist.'],
      ['EAI_AGAIN', 'retrying', 'dns_timeout: The name hooks.example.test could not be looked up.'],
      ['ETIMEOUT', 'retrying', 'dns_timeout: The name hooks.example.test could not be looked up.'],
      ['ESERVFAIL', 'retrying', 'dns_timeout: The name hooks.example.test could not be looked up.'],
    ] as const;
    for (const [code, status, reason] of cases) {
      itInSoak(`is ${status} if the lookup ends with ${code}, without the resolver’s message`, async () => {
        const outbound = suite.outbound(failWith(code));
        const delivery = await suite.attemptAt('https://hooks.example.test/', { outbound });
        assert.deepEqual([delivery.status, delivery.reason], [status, reason]);
      });
    }

    itInSoak('is retrying if the lookup takes longer than 5 of the 15 seconds of an attempt', async () => {
      const outbound = suite.outbound(() => new Promise(() => {}));
      const delivery = await suite.attemptAt('https://hooks.example.test/', { outbound });
      assert.deepEqual([delivery.status, readReasonCode(delivery)], ['retrying', 'dns_timeout']);
      assert.ok(delivery.durationMs! >= 4990 && delivery.durationMs! < 12_000);
    });
  });
});
