import assert from 'node:assert/strict';
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import { createApp } from '../../api/app.ts';
import { Authenticator } from '../../api/http/authenticate.ts';
import { IdempotencyGuard } from '../../api/http/idempotency.ts';
import { createClientErrorHandler } from '../../api/http/client-error.ts';
import { defineOperation } from '../../api/http/operation.ts';
import { listen, type RunningServer } from '../../api/server.ts';
import { startApi } from '../../api/start-api.ts';
import { openRuntime } from '../../services/runtime.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { sendRaw } from '../support/raw-http.ts';

describe('the server', () => {
  let parley: TestParley;
  let server: RunningServer;
  let baseUrl: string;
  let logged: string;
  let finish: () => void;
  let begun: Promise<void>;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  beforeEach(async () => {
    logged = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    let begin = (): void => undefined;
    begun = new Promise((resolve) => (begin = resolve));
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const operations = [
      operation('fail', async () => Promise.reject(new Error('the secret reason'))),
      operation('misfit', async () => ({ done: 'no' as unknown as boolean })),
      operation('wait', async () => {
        begin();
        await finished;
        return { done: true };
      }),
    ];
    const { settings, database, services, keyring } = parley.runtime;
    const app = createApp(operations, {
      settings,
      database,
      services,
      authenticator: new Authenticator(database, keyring),
      idempotency: new IdempotencyGuard(keyring),
      rateLimiter: services.rateLimiter,
      versions: services.versions,
      log: pino(sink),
    });
    const onClientError = createClientErrorHandler(settings);
    server = await listen(app, { host: '127.0.0.1', port: 0, onClientError, headersTimeoutMs: 200 });
    baseUrl = `http://127.0.0.1:${server.port}`;
  });
  afterEach(async () => {
    finish();
    await server.close(0);
  });

  it('tells the request id of an unexpected failure and nothing else, and logs the cause', async () => {
    const response = await fetch(`${baseUrl}/fail`);
    const text = await response.text();
    assert.equal(response.status, 500);
    assert.ok(!text.includes('secret reason'));
    const { error, request_id: requestId } = JSON.parse(text);
    assert.equal(error.code, 'internal_error');
    assert.equal(requestId, response.headers.get('x-request-id'));
    assert.match(response.headers.get('ratelimit-remaining') ?? '', /^\d+$/);
    const entry = logged
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .find(({ level }) => level === 50);
    assert.equal(entry.requestId, requestId);
    assert.equal(entry.err.message, 'the secret reason');
    assert.match(entry.err.stack, /lifecycle\.test/);
  });

  it('takes an answer that does not fit its schema for a failure, in tests', async () => {
    assert.equal((await fetch(`${baseUrl}/misfit`)).status, 500);
    assert.match(logged, /does not fit its schema/);
  });

  it('hangs up on headers that dribble in', async () => {
    const started = Date.now();
    const { status, body } = await sendRaw(baseUrl, { parts: ['GET /wait HTTP/1.1\r\nHost: x\r\n'] });
    assert.equal(status, 408);
    assert.match(body, /"code":"request_timeout"/);
    assert.ok(Date.now() - started < 2000);
  });

  it('finishes the request under way when it closes, and takes no new one', async () => {
    const response = fetch(`${baseUrl}/wait`);
    await begun;
    const started = Date.now();
    const closed = server.close(5000);
    await assert.rejects(fetch(`${baseUrl}/wait`));
    finish();
    assert.deepEqual(await (await response).json(), { done: true });
    await closed;
    assert.ok(Date.now() - started < 2000, 'the connection kept alive must not hold it up');
  });

  it('cuts a request off that outlives the grace', async () => {
    const response = fetch(`${baseUrl}/wait`);
    await begun;
    await Promise.all([server.close(50), assert.rejects(response)]);
  });
});

describe('the API without its database', () => {
  it('answers 503 not_ready until the database is back', async () => {
    const parley = await startParley();
    const { key } = await parley.buildOrg();
    const { settings, log } = parley.runtime;
    const link = new Link(settings.databaseUrl!);
    await link.up();
    const runtime = await openRuntime({ settings: { ...settings, databaseUrl: link.url }, log });
    const api = await startApi(runtime);
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${api.port}${path}`, { headers: { authorization: `Bearer ${key}` } });

    assert.equal((await get('/api/bots')).status, 200);
    await link.down();
    for (const path of ['/api/bots', '/api/meta', '/api/health/ready']) {
      const response = await get(path);
      const body = (await response.json()) as any;
      assert.equal(`${path} ${response.status} ${body.error.code}`, `${path} 503 not_ready`);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      assert.ok(response.headers.get('ratelimit-limit'));
    }
    assert.equal((await get('/api/health')).status, 200);
    await link.up();
    await sleep(50);
    assert.equal((await get('/api/bots')).status, 200);

    await api.stop();
    await runtime.close();
    await link.down();
    await parley.stop();
  });
});

function operation(id: string, handle: () => Promise<{ done: boolean }>) {
  return defineOperation({
    id,
    method: 'GET',
    path: `/${id}`,
    tag: 'meta',
    auth: 'public',
    scope: null,
    role: null,
    isUnmetered: true,
    responses: { 200: Type.Object({ done: Type.Boolean() }) },
    summary: 'For this test.',
    handle,
  });
}

/** A way to the database that can be cut. */
class Link {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl);
  }

  get url(): string {
    const url = new URL(this.#target);
    url.port = String(this.#port);
    return url.href;
  }

  async up(): Promise<void> {
    this.#server = createServer((near) => {
      const far = createConnection({ host: this.#target.hostname, port: Number(this.#target.port) });
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async down(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}
