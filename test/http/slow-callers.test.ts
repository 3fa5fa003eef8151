import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { connectionLimit } from '../../api/http/connections.ts';
import { defineOperation } from '../../api/http/operation.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { sendRaw } from '../support/raw-http.ts';
import { serveOperations } from '../support/serve-operations.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A response of 24 MB, which exceeds the system’s buffers for a connection. */
const LARGE = 'x'.repeat(24 * 1024 * 1024);
const UNREAD_BYTES = 10 * LARGE.length;
const HEAD = 'HTTP/1.1\r\nHost: x\r\n';
const IDLE_MS = 400;

describe('slow callers', () => {
  let parley: TestParley;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  let finish: () => void;
  let isWaiting: () => boolean;
  const open: Socket[] = [];

  // Raise the limit of unread bytes, so that several large responses may wait for one caller.
  before(
    async () =>
      (parley = await startParley({ unreadBytesPerCaller: UNREAD_BYTES, unreadBytes: UNREAD_BYTES })),
  );
  after(() => parley.stop());

  async function startServer(options: Parameters<typeof serveOperations>[2]): Promise<void> {
    let waits = false;
    isWaiting = () => waits;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const operations = [
      buildOperation('large', async () => ({ text: LARGE })),
      buildOperation('small', async () => ({ text: 'small' })),
      buildOperation('wait', async () => {
        waits = true;
        await finished;
        return { text: 'late' };
      }),
    ];
    server = await serveOperations(operations, parley.runtime, options);
  }
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    finish();
    await server.close(0);
  });

  /** Opens a connection to the server, sends this text, and reads nothing. */
  async function openConnection(sent = ''): Promise<Socket> {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    open.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.pause();
    socket.write(sent);
    return socket;
  }

  const countConnections = () =>
    new Promise<number>((resolve, reject) => {
      server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  const waitUntilClosed = (who: string) =>
    waitUntil(async () => (await countConnections()) === 0, `${who} to be cut off`);

  it('are subject to timeouts for headers, requests and pauses, and to a maximum of connections', async () => {
    await startServer({});
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = server.server;
    assert.deepEqual(
      { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections },
      {
        headersTimeout: 20_000,
        requestTimeout: parley.runtime.settings.requestTimeoutMs,
        keepAliveTimeout: 65_000,
        timeout: 60_000,
        maxConnections: 50_000,
      },
    );
  });

  it('are cut off if they never read a large response', async () => {
    await startServer({ idleTimeoutMs: IDLE_MS });
    for (let count = 0; count < 5; count += 1) await openConnection(`GET /large ${HEAD}\r\n`);
    await waitUntilClosed('five readers');
  });

  itInSoak('are cut off if they stop reading amid a large response', async () => {
    await startServer({ idleTimeoutMs: IDLE_MS });
    const socket = await openConnection(`GET /large ${HEAD}\r\n`);
    await once(socket, 'readable');
    assert.ok(socket.read());
    await waitUntilClosed('the reader');
  });

  itInSoak('get a large response completely if they read it bit by bit', async () => {
    await startServer({ idleTimeoutMs: 5000 });
    const socket = await openConnection(`GET /large ${HEAD}Connection: close\r\n\r\n`);
    let bytes = 0;
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length;
      await delay(1);
    }
    assert.ok(bytes > LARGE.length, String(bytes));
  });

  itInSoak('get the response of a handler that takes longer than the idle timeout', async () => {
    await startServer({ idleTimeoutMs: IDLE_MS });
    const response = sendRaw(server.baseUrl, { parts: [`GET /wait ${HEAD}Connection: close\r\n\r\n`] });
    await waitUntil(isWaiting, 'the handler');
    await delay(3 * IDLE_MS);
    finish();
    const { status, body } = await response;
    assert.deepEqual([status, JSON.parse(body)], [200, { text: 'late' }]);
  });

  it('get 408 if their body stops arriving', async () => {
    await startServer({ idleTimeoutMs: IDLE_MS });
    const { status, body } = await sendRaw(server.baseUrl, {
      parts: [`GET /wait ${HEAD}Content-Length: 9\r\n\r\n{`],
    });
    assert.equal(status, 408);
    assert.match(body, /"code":"request_timeout"/);
  });

  it('get 408 if their headers arrive byte by byte', async () => {
    await startServer({ headersTimeoutMs: 300 });
    const socket = await openConnection(`GET /small HTTP/1.1\r\nX-Slow: `);
    const timer = setInterval(() => socket.write('a'), 20);
    socket.setEncoding('utf8').resume();
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    await once(socket, 'close');
    clearInterval(timer);
    assert.match(text, /^HTTP\/1\.1 408 /);
  });

  it('are cut off if they send no request', async () => {
    await startServer({ headersTimeoutMs: 300 });
    for (let count = 0; count < 20; count += 1) await openConnection();
    await waitUntilClosed('twenty callers');
  });

  it('are cut off if they keep a connection open without another request', async () => {
    await startServer({});
    server.server.keepAliveTimeout = 100;
    await openConnection(`GET /small ${HEAD}\r\n`);
    await waitUntilClosed('the caller');
  });

  it('get a limited number of connections per address, and new connections once their old connections are closed', async () => {
    await startServer({ connectionLimit: () => 3 });
    const admitted = [await openConnection(), await openConnection(), await openConnection()];
    const refused = await openConnection();
    await once(refused.resume(), 'close');
    assert.equal(await countConnections(), 3);
    admitted[0]!.destroy();
    await waitUntil(async () => (await countConnections()) === 2, 'the connection to close');
    const head = `GET /small ${HEAD}Connection: close\r\n\r\n`;
    assert.equal((await sendRaw(server.baseUrl, { parts: [head] })).status, 200);
  });

  itInSoak('get 1,000 connections per address, and more if they are a proxy or this machine', () => {
    const direct = connectionLimit({ trustedProxies: 0 });
    for (const address of ['203.0.113.7', '2001:db8::1', '10.0.0.1', 'unknown'])
      assert.equal(direct(address), 1000, address);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1']) assert.equal(direct(address), Infinity, address);
    assert.equal(connectionLimit({ trustedProxies: 1 })('203.0.113.7'), Infinity);
  });
});

function buildOperation(id: string, handle: () => Promise<{ text: string }>) {
  return defineOperation({
    id,
    method: 'GET',
    path: `/${id}`,
    tag: 'meta',
    auth: 'public',
    scope: null,
    role: null,
    isUnmetered: true,
    responses: { 200: Type.Object({ text: Type.String() }) },
    summary: 'For this test.',
    handle,
  });
}
