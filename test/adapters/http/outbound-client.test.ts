import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { OutboundClient, type BufferedRequest } from '../../../adapters/http/outbound-client.ts';
import type { OutboundErrorKind } from '../../../adapters/http/outbound-error.ts';
import { LocalServers, matchesKind, readCertificate } from './local-servers.ts';

const limits = { timeoutMs: 5000, maxBytes: 1024 * 1024 };
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

  it('sends method, headers and body, and returns status, headers and body', async () => {
    const port = await servers.http((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        res.writeHead(201, { 'x-seen': `${req.method} ${req.url} ${req.headers['user-agent']}` });
        res.end(Buffer.concat(chunks));
      });
    });
    const response = await send(port, '/a?b=c#d', { method: 'POST', body: Buffer.from([1, 2, 255]) });
    assert.equal(response.status, 201);
    assert.equal(response.headers['x-seen'], 'POST /a?b=c Parley-Test/1.0');
    assert.deepEqual(response.body, Buffer.from([1, 2, 255]));
    assert.equal(response.url, `http://127.0.0.1:${port}/a?b=c`);
    assert.equal(response.truncated, false);
  });

  it('returns any status without an error', async () => {
    const port = await servers.http((req, res) => res.writeHead(Number(req.url?.slice(1))).end());
    for (const status of [204, 205, 304, 404, 410, 500, 503]) {
      assert.equal((await send(port, `/${status}`)).status, status);
    }
  });

  it('ignores early hints and header bytes outside ASCII', async () => {
    const port = await servers.tcp((socket) => {
      socket.end(
        Buffer.from(
          'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n' +
            'HTTP/1.1 200 OK\r\nx-odd: \xff\xfe\xe9\r\ncontent-length: 2\r\n\r\nok',
          'latin1',
        ),
      );
    });
    const response = await send(port);
    assert.deepEqual([response.status, response.body.toString()], [200, 'ok']);
  });

  it('sends 20 requests over at most two connections', async () => {
    const sockets = new Set<Socket>();
    const port = await servers.http((req, res) => {
      sockets.add(req.socket);
      res.end('x');
    });
    for (let i = 0; i < 20; i += 1) await send(port);
    assert.ok(sockets.size <= 2);
  });

  for (const [how, close] of [
    ['ends', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ] as const)
    it(`sends a repeatable request again if the receiver ${how} a kept connection`, async () => {
      const received: number[] = [];
      let isRestarted = false;
      const port = await servers.tcp((socket) => {
        let requests = 0;
        socket.on('data', () => {
          received.push((requests += 1));
          if (requests > 1 && isRestarted) close(socket);
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        });
      });
      const repeatable = {
        url: `http://127.0.0.1:${port}/`,
        method: 'POST',
        body: '{}',
        redirect: 'manual',
        onOverflow: 'truncate',
        ...limits,
      } as const;
      const sendAll = (isRepeatable: boolean) =>
        Promise.all(
          [1, 2].map(async () => (await client.request({ ...repeatable, isRepeatable })).body.toString()),
        );
      await sendAll(true);
      isRestarted = true;
      assert.deepEqual(await sendAll(true), ['ok', 'ok']);
      assert.ok(received.includes(2));
      await assert.rejects(sendAll(false), matchesKind('connection_reset'));
    });

  it('reports a receiver that closes each new connection as connection_reset, without a second request', async () => {
    let requests = 0;
    const port = await servers.tcp((socket) =>
      socket.on('data', () => {
        requests += 1;
        socket.destroy();
      }),
    );
    const url = `http://127.0.0.1:${port}/`;
    const request = {
      url,
      redirect: 'manual',
      onOverflow: 'truncate',
      isRepeatable: true,
      ...limits,
    } as const;
    await assert.rejects(client.request(request), matchesKind('connection_reset'));
    assert.equal(requests, 1);
  });

  describe('with a content encoding', () => {
    const text = 'Straße '.repeat(1000);
    const bodies: Record<string, Buffer> = {
      gzip: gzipSync(text),
      'x-gzip': gzipSync(text),
      deflate: deflateSync(text),
      BR: brotliCompressSync(text),
      identity: Buffer.from(text),
    };
    const serve = (encoding: string, body: Buffer) =>
      servers.http((_req, res) => res.writeHead(200, { 'content-encoding': encoding }).end(body));

    for (const [encoding, body] of Object.entries(bodies)) {
      it(`decodes ${encoding}`, async () => {
        assert.equal((await send(await serve(encoding, body))).body.toString(), text);
      });
    }
    it('reads an empty body with any encoding', async () => {
      for (const encoding of ['gzip', 'br']) {
        assert.equal((await send(await serve(encoding, Buffer.alloc(0)))).body.length, 0);
      }
    });
    it('rejects corrupt and unknown encodings as invalid_response', async () => {
      await assert.rejects(
        send(await serve('gzip', Buffer.from('no gzip'))),
        matchesKind('invalid_response'),
      );
      await assert.rejects(
        send(await serve('br', Buffer.from('no brotli'))),
        matchesKind('invalid_response'),
      );
      for (const encoding of ['zstd', 'constructor', 'tostring', '__proto__'])
        await assert.rejects(send(await serve(encoding, Buffer.from('x'))), matchesKind('invalid_response'));
      await assert.rejects(
        send(await serve('gzip, gzip, gzip', Buffer.from('x'))),
        matchesKind('invalid_response'),
      );
    });
  });

  describe('after a failure', () => {
    const cases: [string, OutboundErrorKind, boolean, (socket: Socket) => void][] = [
      ['resets', 'connection_reset', true, (socket) => socket.resetAndDestroy()],
      [
        'closes before it answers',
        'connection_reset',
        true,
        (socket) => socket.once('data', () => socket.end()),
      ],
      [
        'resets in the body',
        'connection_reset',
        true,
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab');
          setTimeout(() => socket.resetAndDestroy(), 20);
        },
      ],
      [
        'closes in the body',
        'connection_reset',
        true,
        (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab'),
      ],
      ['answers garbage', 'invalid_response', false, (socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n')],
      [
        'sends endless headers',
        'invalid_response',
        false,
        (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
      ],
    ];
    for (const [what, kind, isTransient, onSocket] of cases) {
      it(`reports a server that ${what} as ${kind}`, async () => {
        const port = await servers.tcp(onSocket);
        await assert.rejects(send(port, '/', { method: 'POST', body: 'x' }), { kind, isTransient });
      });
    }

    it('reports a closed port as `connection_refused`', async () => {
      const port = await servers.tcp(() => {});
      await servers.close();
      await assert.rejects(send(port), {
        kind: 'connection_refused',
        isTransient: true,
        message:
          'No connection to 127.0.0.1 could be made. Check its address and port, and that the server is running.',
      });
    });

    it('rejects a header with a line break as `refused`, without sending it', async () => {
      await assert.rejects(send(9999, '/', { headers: { 'x-bad': 'a\r\nb: c' } }), matchesKind('refused'));
    });
  });

  describe('at a redirect', () => {
    it('follows it to the final URL', async () => {
      const port = await servers.http((req, res) => {
        if (req.url === '/end') res.end('done');
        else res.writeHead(301, { location: '/end#part' }).end('moved');
      });
      const response = await send(port);
      assert.equal(response.url, `http://127.0.0.1:${port}/end`);
      assert.equal(response.body.toString(), 'done');
    });

    it('returns the redirect response with redirect: manual', async () => {
      let hits = 0;
      const port = await servers.http((_req, res) => {
        hits += 1;
        res.writeHead(308, { location: '/next' }).end();
      });
      const response = await send(port, '/', { redirect: 'manual', method: 'POST', body: 'x' });
      assert.deepEqual([response.status, response.headers['location'], hits], [308, '/next', 1]);
    });

    it('throws too_many_redirects after five redirects', async () => {
      let hits = 0;
      const port = await servers.http((_req, res) => {
        hits += 1;
        res.writeHead(302, { location: '/' }).end();
      });
      await assert.rejects(send(port), matchesKind('too_many_redirects'));
      assert.equal(hits, 6);
    });

    for (const location of [
      'http://127.0.0.1:PORT/secret',
      'http://[::1]:PORT/',
      'http://localhost:PORT/',
      '//2130706433:PORT/',

      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'file:///etc/passwd',
      'http://a:b@127.0.0.2/',
    ]) {
      it(`refuses the target ${location}`, async () => {
        let hits = 0;
        const inside = await servers.tcp(() => (hits += 1), '::');
        const outside = await servers.http((_req, res) => {
          res.writeHead(302, { location: location.replace('PORT', String(inside)) }).end();
        }, '127.0.0.2');
        const narrow = new OutboundClient({ ...options, allow: ['127.0.0.2/32'] });
        const url = `http://127.0.0.2:${outside}/`;
        await assert.rejects(narrow.request({ url, ...limits }), matchesKind('refused'));
        assert.equal((await narrow.fetch(url)).status, 302);
        assert.equal(hits, 0);
        await narrow.close();
      });
    }

    it('does not carry credentials to another origin, and turns POST into GET for the statuses that require it', async () => {
      const seen: string[] = [];
      const target = await servers.http((req, res) => {
        seen.push(`${req.method} ${req.headers.authorization} ${req.headers.cookie}`);
        res.end();
      });
      const port = await servers.http((req, res) => {
        res.writeHead(Number(req.url?.slice(1)), { location: `http://127.0.0.1:${target}/` }).end();
      });
      const headers = { authorization: 'Bearer secret', cookie: 'a=b' };
      for (const status of [301, 303, 307]) {
        await send(port, `/${status}`, { method: 'POST', body: 'x', headers });
      }
      assert.deepEqual(seen, [
        'GET undefined undefined',
        'GET undefined undefined',
        'POST undefined undefined',
      ]);
    });
  });

  describe('over TLS', () => {
    const secure = (certificate: string) =>
      servers.https(certificate, (_req, res) => res.end('secure')).then((port) => request(port));
    const request = async (port: number) => {
      const trusting = new OutboundClient({
        ...options,
        ca: readCertificate('ca.pem'),
        resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      });
      try {
        return await trusting.request({ url: `https://hooks.example.test:${port}/`, ...limits });
      } finally {
        await trusting.close();
      }
    };

    it('connects to a server with a valid certificate', async () => {
      assert.equal((await secure('valid.pem')).body.toString(), 'secure');
    });
    for (const [certificate, message] of [
      ['self-signed.pem', 'The certificate of hooks.example.test is self-signed.'],
      ['expired.pem', 'The certificate of hooks.example.test has expired.'],
      ['other-name.pem', 'The certificate of hooks.example.test was issued for another host name.'],
    ] as const) {
      it(`refuses ${certificate}`, async () => {
        await assert.rejects(secure(certificate), { kind: 'tls', isTransient: false, message });
      });
    }
    it('reports plain HTTP behind https as tls', async () => {
      const port = await servers.http((_req, res) => res.end());
      await assert.rejects(request(port), {
        kind: 'tls',
        message: 'No secure connection to hooks.example.test could be made.',
      });
    });
    it('reports an interrupted handshake as connection_reset', async () => {
      const port = await servers.tcp((socket) => socket.once('data', () => socket.destroy()));
      await assert.rejects(request(port), matchesKind('connection_reset'));
    });
  });

  describe('with fetch', () => {
    it('sends JSON and streams the response as it arrives', async () => {
      let goOn = (): void => undefined;
      const port = await servers.http((req, res) => {
        req.resume().on('end', () => {
          res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
          goOn = () => res.end('data: 2\n\n');
        });
      });
      const response = await client.fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
      const reader = response.body?.getReader();
      const first = await reader?.read();
      assert.equal(Buffer.from(first?.value ?? []).toString(), 'data: 1\n\n');
      goOn();
      const second = await reader?.read();
      assert.equal(Buffer.from(second?.value ?? []).toString(), 'data: 2\n\n');
    });

    it('rejects with the signal’s reason, before and during the response', async () => {
      const port = await servers.tcp((socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
      );
      const silent = await servers.tcp(() => {});
      await assert.rejects(client.fetch(`http://127.0.0.1:${silent}/`, { signal: AbortSignal.timeout(50) }), {
        name: 'TimeoutError',
      });
      const controller = new AbortController();
      const response = await client.fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal });
      setTimeout(() => controller.abort(), 20);
      await assert.rejects(response.text(), { name: 'AbortError' });
    });

    it('ends the connection if the reader stops', async () => {
      let closed: Promise<unknown> | undefined;
      const port = await servers.http((req, res) => {
        closed = once(req.socket, 'close');
        res.write('x');
      });
      const response = await client.fetch(`http://127.0.0.1:${port}/`);
      await response.body?.cancel();
      await closed;
    });
  });

  it('rejects open requests as aborted when it closes', async () => {
    const port = await servers.tcp(() => void client.close());
    await assert.rejects(send(port), matchesKind('aborted'));
  });

  it('connects to private addresses if createTrusted created it', async () => {
    const port = await servers.http((_req, res) => res.end('model'));
    const trusted = OutboundClient.createTrusted({ userAgent: 'Parley-Test/1.0' });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const { body } = await trusted.request({ url: `http://${host}:${port}/v1`, ...limits });
      assert.equal(body.toString(), 'model');
    }
    await trusted.close();
  });
});
