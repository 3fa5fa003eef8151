import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import { bufferResponse } from '../../../adapters/http/buffered-response.ts';
import { OutboundClient, type BufferedRequest } from '../../../adapters/http/outbound-client.ts';
import { LocalServers, matchesKind } from './local-servers.ts';
import { drip } from '../../support/drip.ts';

const limits = { timeoutMs: 5000, maxBytes: 1024 * 1024 };
/** Request options with which Parley reads only the beginning of the response. */
const TRUNCATING = { redirect: 'manual', onOverflow: 'truncate' } as const;
/**
 * A block of DEFLATE-compressed data without text (RFC 1951, 3.2.4). Any number of them may follow the header
 * of zlib, 78 01.
 */
const EMPTY_BLOCK = Buffer.from([0, 0, 0, 0xff, 0xff]);
const options = { allow: ['127.0.0.0/8'], userAgent: 'Parley-Test/1.0' };

describe('OutboundClient', () => {
  const servers = new LocalServers();
  let client: OutboundClient;
  beforeEach(() => {
    client = new OutboundClient(options);
  });
  afterEach(async () => {
    await client.close();
    await servers.close();
  });

  const send = (port: number, path = '/', request: Partial<BufferedRequest> = {}) =>
    client.request({ url: `http://127.0.0.1:${port}${path}`, ...limits, ...request });
  describe('with a timeout', () => {
    const cases: Record<string, (socket: Socket) => void> = {
      'never answers': () => {},
      'never reads': (socket) => socket.pause(),
      'stops in the status line': (socket) => socket.write('HTTP/1.1 2'),
      'stops in the middle of the headers': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-'),
      'drips its headers': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'x'),
      'drips its body': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'x'),
      'drips chunks': (socket) =>
        drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
      'sends early hints without end': (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      'drips a body that unpacks to nothing': (socket) =>
        drip(socket, 'HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n\x78\x01', EMPTY_BLOCK),
    };
    for (const [what, onSocket] of Object.entries(cases)) {
      it(`times out on a server that ${what}`, async () => {
        const port = await servers.tcp(onSocket);
        for (const way of [{}, TRUNCATING]) {
          const startedAt = performance.now();
          await assert.rejects(send(port, '/', { timeoutMs: 200, ...way }), {
            kind: 'timeout',
            isTransient: true,
            message: 'No complete response arrived within 0.2 s.',
          });
          const tookMs = performance.now() - startedAt;
          assert.ok(tookMs >= 190 && tookMs < 10_000, `took ${tookMs} ms`);
        }
      });
    }

    it('times out by the total time of all redirects', async () => {
      const port = await servers.http((req, res) => {
        setTimeout(() => res.writeHead(302, { location: `${req.url}x` }).end(), 80);
      });
      await assert.rejects(send(port, '/', { timeoutMs: 200 }), matchesKind('timeout'));
    });

    it('times out on a resolver that never answers', async () => {
      const slow = new OutboundClient({ ...options, resolver: () => new Promise(() => {}) });
      const startedAt = performance.now();
      await assert.rejects(
        slow.request({ url: 'http://slow.test/', timeoutMs: 100, maxBytes: 1 }),
        matchesKind('timeout'),
      );
      assert.ok(performance.now() - startedAt < 10_000);
      await slow.close();
    });

    it('sends nothing after a timeout while connecting', async () => {
      let requests = 0;
      const port = await servers.http((_req, res) => {
        requests += 1;
        res.end();
      });
      let connectable: (() => void) | undefined;
      const slow = new OutboundClient({
        ...options,
        resolver: () =>
          new Promise((resolve) => {
            connectable = () => resolve([{ address: '127.0.0.1', family: 4 }]);
          }),
      });
      const url = `http://slow.test:${port}/`;
      await assert.rejects(slow.request({ url, timeoutMs: 50, maxBytes: 1 }), matchesKind('timeout'));
      connectable?.();
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(requests, 0);
      await slow.close();
    });

    it('rejects as aborted if the caller’s signal aborts, before and during the response', async () => {
      const port = await servers.tcp((socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
      );
      const controller = new AbortController();
      const pending = send(port, '/', { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await assert.rejects(pending, matchesKind('aborted'));
      await assert.rejects(send(port, '/', { signal: controller.signal }), matchesKind('aborted'));
    });
  });

  describe('with a connection that ends while its reader is busy', () => {
    const body = Buffer.alloc(65_536, 'a');
    const whole: Record<string, string> = {
      'without a length': '\r\n',
      'with a length': `content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
      'in chunks': `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${body.length.toString(16)}\r\n`,
    };
    const broken: Record<string, string> = {
      'shorter than its length': `content-length: ${body.length + 1}\r\nconnection: close\r\n\r\n`,
      'without its last chunk': `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${body.length.toString(16)}\r\n`,
    };
    const serve = (head: string, tail: string, end: (socket: Socket) => void) =>
      servers.tcp((socket) =>
        socket.once('data', () => {
          socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}`), body, Buffer.from(tail)]));
          end(socket);
        }),
      );
    const readLate = (port: number) =>
      client.stream({ url: `http://127.0.0.1:${port}/`, ...limits }, async ({ body: chunks }) => {
        await sleep(100);
        let sizeBytes = 0;
        for await (const chunk of chunks) {
          sizeBytes += chunk.length;
          await sleep(20);
        }
        return sizeBytes;
      });

    for (const [what, head] of Object.entries(whole))
      it(`reads a body ${what} to its end`, async () => {
        const tail = what === 'in chunks' ? '\r\n0\r\n\r\n' : '';
        const port = await serve(head, tail, (socket) => socket.end());
        assert.equal(await readLate(port), body.length);
      });

    for (const [what, head] of Object.entries(broken))
      it(`throws an OutboundError for a body ${what}`, async () => {
        const port = await serve(head, '', (socket) => socket.end());
        await assert.rejects(readLate(port), { name: 'OutboundError' });
      });

    it('returns the body or throws an OutboundError after a reset', async () => {
      for (const head of [...Object.values(whole), ...Object.values(broken)]) {
        const port = await serve(head, '', (socket) => setTimeout(() => socket.resetAndDestroy(), 50));
        await readLate(port).catch((error: Error) => assert.equal(error.name, 'OutboundError'));
      }
    });
  });

  describe('with a maximum size', () => {
    it('rejects 1 GB as too_large by its declared length, without reading it', async () => {
      let sentBytes = 0;
      const port = await servers.http((_req, res) => {
        res.writeHead(200, { 'content-length': 1e9 });
        const chunk = Buffer.alloc(65536);
        const more = () => {
          while (!res.destroyed && res.write(chunk)) sentBytes += chunk.length;
        };
        res.on('drain', more);
        more();
      });
      await assert.rejects(send(port), matchesKind('too_large'));
      assert.ok(sentBytes < 20e6);
    });

    it('rejects an endless body as too_large, or truncates it if onOverflow is truncate', async () => {
      const port = await servers.http((_req, res) => {
        const more = () => {
          while (!res.destroyed && res.write(Buffer.alloc(65536)));
        };
        res.on('drain', more);
        more();
      });
      await assert.rejects(send(port), {
        kind: 'too_large',
        isTransient: false,
        message: `The response from 127.0.0.1:${port} exceeds the limit of 1 MB.`,
      });
      for (const way of [{ onOverflow: 'truncate' }, TRUNCATING] as const) {
        const cut = await send(port, '/', { maxBytes: 4096, ...way });
        assert.deepEqual([cut.status, cut.body.length, cut.truncated], [200, 4096, true]);
      }
    });

    it('returns the whole of a body of exactly the limit', async () => {
      const port = await servers.http((_req, res) => res.end(Buffer.alloc(4096)));
      for (const way of [{}, { onOverflow: 'truncate' }, TRUNCATING] as const) {
        const response = await send(port, '/', { maxBytes: 4096, ...way });
        assert.deepEqual([response.body.length, response.truncated], [4096, false]);
      }
      await assert.rejects(send(port, '/', { maxBytes: 4095 }), matchesKind('too_large'));
    });

    it('truncates a compressed body, and returns no bytes of a body that cannot be decoded', async () => {
      const text = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('');
      const answers: Record<string, [string, Buffer]> = {
        '/long': ['gzip', gzipSync(text)],
        '/short': ['gzip', gzipSync('thanks')],
        '/bomb': ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(16 * 1024 * 1024)))],
        '/unknown': ['zstd', Buffer.from('thanks')],
      };
      const port = await servers.http((req, res) => {
        const [encoding, body] = answers[req.url ?? '']!;
        res.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      const sendTruncating = async (path: string) => {
        const { body, truncated } = await send(port, path, { maxBytes: 1000, ...TRUNCATING });
        return [body.toString().slice(0, 1000), truncated];
      };
      assert.deepEqual(await sendTruncating('/long'), [text.slice(0, 1000), true]);
      assert.deepEqual(await sendTruncating('/short'), ['thanks', false]);
      assert.deepEqual(await sendTruncating('/bomb'), ['\0'.repeat(1000), true]);
      assert.deepEqual(await sendTruncating('/unknown'), ['', false]);
    });

    it('returns a redirect as the response, and rejects a request that is canceled before or while it is sent', async () => {
      const port = await servers.http((req, res) => {
        if (req.url === '/moved') res.writeHead(302, { location: '/', 'x-twice': ['a', 'b'] }).end();
      });
      const { status, headers } = await send(port, '/moved', TRUNCATING);
      assert.deepEqual([status, headers['location'], headers['x-twice']], [302, '/', 'a, b']);
      const canceling = new AbortController();
      const waiting = [1, 2].map(() => send(port, '/', { ...TRUNCATING, signal: canceling.signal }));
      setTimeout(() => canceling.abort(), 50);
      await Promise.all(waiting.map((request) => assert.rejects(request, matchesKind('aborted'))));
      await assert.rejects(
        send(port, '/', { ...TRUNCATING, signal: canceling.signal }),
        matchesKind('aborted'),
      );
    });

    it('copies kept parts of a response, so that the socket’s buffers can be freed', async () => {
      const read = Buffer.from('ab'.repeat(32_768));
      const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController;
      const dispatch: Agent['dispatch'] = (_request, handler) => {
        handler.onResponseStart?.(controller, 200, {}, 'OK');
        handler.onResponseData?.(controller, read.subarray(0, 1));
        handler.onResponseData?.(controller, read.subarray(1, 2));
        read.fill('x');
        handler.onResponseEnd?.(controller, {});
        return true;
      };
      const request = { origin: 'http://a.test', path: '/', method: 'GET' as const };
      const { body } = await bufferResponse({ dispatch } as Agent, request, limits);
      assert.equal(body.toString(), 'ab');
    });

    it('rejects a response of 100,000 tiny chunks as too_large, but not a response of 1,000', async () => {
      const buildChunkedResponse = (chunks: number) =>
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`;
      const port = await servers.tcp((socket) =>
        socket.once('data', (request) =>
          socket.end(buildChunkedResponse(request.toString('latin1').includes('/few') ? 1000 : 100_000)),
        ),
      );
      for (const way of [{}, { onOverflow: 'truncate' }, TRUNCATING] as const) {
        await assert.rejects(send(port, '/many', way), {
          kind: 'too_large',
          isTransient: false,
          message: 'The response arrives in too many tiny chunks.',
        });
        assert.equal((await send(port, '/few', way)).body.length, 1000);
      }
      const streamed = await client.fetch(`http://127.0.0.1:${port}/many`);
      await assert.rejects(streamed.text(), matchesKind('too_large'));
      assert.equal((await (await client.fetch(`http://127.0.0.1:${port}/few`)).text()).length, 1000);
    });

    it('rejects compressed data that unpacks to compressed data without text as invalid_response', async () => {
      const header = Buffer.from([0x78, 0x01]);
      const hollow = gzipSync(Buffer.concat([header, Buffer.alloc(2_000_000, EMPTY_BLOCK)]));
      const text = gzipSync(deflateSync('Lockers cost five euros.'));
      const port = await servers.http(({ url }, res) => {
        const body = url === '/hollow' ? hollow : text;
        res.writeHead(200, { 'content-encoding': 'deflate, gzip' }).end(body);
      });
      await assert.rejects(send(port, '/hollow'), {
        kind: 'invalid_response',
        message: `The compressed response from 127.0.0.1:${port} contains almost no text.`,
      });
      assert.equal((await send(port, '/text')).body.toString(), 'Lockers cost five euros.');
    });

    it('rejects a gzip bomb as too_large', async () => {
      const bomb = gzipSync(gzipSync(Buffer.alloc(128 * 1024 * 1024)));
      const port = await servers.http((_req, res) => {
        res.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb);
      });
      const before = process.memoryUsage().rss;
      const startedAt = performance.now();
      await assert.rejects(send(port), matchesKind('too_large'));
      assert.ok(performance.now() - startedAt < 10_000);
      assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
    });
  });
});
