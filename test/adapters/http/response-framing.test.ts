import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { callModel } from '../../../adapters/llm/call-model.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { LocalServers, matchesKind } from './local-servers.ts';

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n';
const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone';
const MANY_HEADERS = Array.from({ length: 300 }, (_, index) => `h${index}: ${index}\r\n`).join('');
/** Maximum number of bytes that the test's server sends if the client does not close the connection. */
const MAX_FLOOD_BYTES = 64 * 1024 * 1024;
/**
 * Maximum number of bytes that the server may send before the client stops it. Exceeds the socket buffers of
 * both sides.
 */
const MAX_STOPPED_BYTES = 16 * 1024 * 1024;

const RESPONSES_AT_ONCE = 100;
/** Maximum number of bytes before the end of a response's headers; the client closes a connection that sends more. */
const MAX_START_BYTES = 65_536;

const floods = {
  'early hints': EARLY_HINTS,
  'early hints with 300 headers each': `HTTP/1.1 103 Early Hints\r\n${MANY_HEADERS}\r\n`,
  '102 Processing': 'HTTP/1.1 102 Processing\r\n\r\n',
  'blank lines': '\r\n',
};

describe('with OutboundClient,', () => {
  const servers = new LocalServers();
  let client: OutboundClient;
  beforeEach(() => {
    client = new OutboundClient({ allow: ['127.0.0.0/8'], userAgent: 'Parley-Test/1.0' });
  });
  afterEach(async () => {
    await client.close();
    await servers.close();
  });

  const send = (url: string, options: object = {}) =>
    client.request({ url, timeoutMs: 20_000, maxBytes: 1024 * 1024, ...options });
  const ways: Record<string, (url: string) => Promise<string>> = {
    'a streamed request': async (url) => (await send(url)).body.toString(),
    'a buffered request': async (url) =>
      (await send(url, { redirect: 'manual', onOverflow: 'truncate' })).body.toString(),
    fetch: async (url) => (await client.fetch(url)).text(),
  };

  /** Starts a server that sends `start`, repeats `text` many times, and ends with a response. */
  async function startFlood(text: string, start = '') {
    const sockets: Socket[] = [];
    const chunk = text.repeat(Math.ceil(65_536 / text.length));
    const port = await servers.tcp((socket) => {
      sockets.push(socket);
      const pump = () => {
        while (!socket.destroyed && socket.bytesWritten < MAX_FLOOD_BYTES)
          if (!socket.write(chunk)) return void socket.once('drain', pump);
        socket.end(RESPONSE);
      };
      socket.once('data', () => {
        socket.write(start);
        pump();
      });
    });
    return { url: `http://127.0.0.1:${port}/`, sockets };
  }

  for (const [way, request] of Object.entries(ways)) {
    for (const [what, text] of Object.entries(floods))
      it(`${way} ends a connection that sends endless ${what}`, async () => {
        const { url, sockets } = await startFlood(text);
        await assert.rejects(request(url), {
          kind: 'invalid_response',
          isTransient: false,
          message: 'The response from 127.0.0.1 has no headers within 64 KB.',
        });
        const [socket] = sockets;
        assert.ok(socket!.bytesWritten < MAX_STOPPED_BYTES, `${socket!.bytesWritten} bytes`);
      });

    it(`${way} ends a connection that sends an endless chunk extension`, async () => {
      const { url, sockets } = await startFlood(
        'x',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;',
      );
      await assert.rejects(request(url), {
        kind: 'invalid_response',
        message: 'The response from 127.0.0.1 has too many bytes outside of its body.',
      });
      const [socket] = sockets;
      assert.ok(socket!.bytesWritten < MAX_STOPPED_BYTES, `${socket!.bytesWritten} bytes`);
    });

    it(`${way} accepts a response after five informational responses`, async () => {
      const port = await servers.tcp((socket) =>
        socket.once('data', () => socket.write(EARLY_HINTS.repeat(5) + RESPONSE)),
      );
      assert.equal(await request(`http://127.0.0.1:${port}/`), 'done');
    });

    it(`${way} accepts a body of more than 64 KB`, async () => {
      const body = 'x'.repeat(1_000_000);
      const port = await servers.http((_req, res) => res.end(body));
      assert.equal(await request(`http://127.0.0.1:${port}/`), body);
    });

    it(`${way} limits each request of a connection separately`, async () => {
      let connections = 0;
      const port = await servers.tcp((socket) => {
        connections += 1;
        socket.on('data', () => socket.write(EARLY_HINTS.repeat(400) + RESPONSE));
      });
      for (let requests = 0; requests < 20; requests += 1)
        assert.equal(await request(`http://127.0.0.1:${port}/`), 'done');
      assert.ok(connections <= 2, `${connections} connections`);
    });
  }

  it('an idle connection is closed that receives endless blank lines', async () => {
    const sockets: Socket[] = [];
    const port = await servers.tcp((socket) => {
      sockets.push(socket);
      const pump = () => {
        while (!socket.destroyed && socket.bytesWritten < MAX_FLOOD_BYTES)
          if (!socket.write('\r\n'.repeat(32_768))) return void socket.once('drain', pump);
        socket.end();
      };
      socket.once('data', () => {
        socket.write(RESPONSE.replace('\r\n', '\r\nkeep-alive: timeout=60\r\n'));
        pump();
      });
    });
    assert.equal((await send(`http://127.0.0.1:${port}/`)).body.toString(), 'done');
    const [socket] = sockets;
    if (!socket!.closed) await new Promise((resolve) => socket!.once('close', resolve));
    assert.ok(socket!.bytesWritten < MAX_STOPPED_BYTES, `${socket!.bytesWritten} bytes`);
  });

  it('a connection is closed that sends single bytes without end', async () => {
    let sentBytes = 0;
    const port = await servers.tcp((socket) => {
      const sendByte = () => {
        if (socket.destroyed || sentBytes === MAX_START_BYTES) return;
        sentBytes += 1;
        socket.write('x', () => setImmediate(sendByte));
      };
      socket.once('data', () => {
        socket.setNoDelay();
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        sendByte();
      });
    });
    await assert.rejects(send(`http://127.0.0.1:${port}/`), {
      kind: 'too_large',
      message: 'The response arrives in too many tiny chunks.',
    });
    assert.ok(sentBytes < MAX_START_BYTES / 4, `${sentBytes} bytes`);
  });

  it('responses that arrive together are read in several turns of the event loop', async () => {
    const held: Socket[] = [];
    const port = await servers.tcp((socket) => {
      socket.once('data', () => held.push(socket));
    });
    const doneByTurn = new Map<number, number>();
    let turn = 0;
    const requests = Array.from({ length: RESPONSES_AT_ONCE }, async () => {
      await ways['a buffered request']!(`http://127.0.0.1:${port}/`);
      doneByTurn.set(turn, (doneByTurn.get(turn) ?? 0) + 1);
    });
    await waitUntil(() => held.length === RESPONSES_AT_ONCE, 'all requests');
    const countTurns = () => {
      turn += 1;
      counting = setImmediate(countTurns);
    };
    let counting = setImmediate(countTurns);
    const response = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2000) + RESPONSE;
    for (const socket of held) socket.write(response);
    await Promise.all(requests);
    clearImmediate(counting);
    assert.ok(Math.max(...doneByTurn.values()) < RESPONSES_AT_ONCE / 2, [...doneByTurn.values()].join());
  });

  it('callModel sends one request to an endpoint that sends endless early hints', async () => {
    const { url, sockets } = await startFlood(EARLY_HINTS);
    const { signal } = new AbortController();
    const call = callModel(client.fetch, { url, headers: {}, body: {}, maxBytes: 1000, signal });
    await assert.rejects(call, matchesKind('invalid_response'));
    assert.equal(sockets.length, 1);
  });
});
