import assert from 'node:assert/strict';
import { Type } from '@sinclair/typebox';
import { defineOperation } from '../../api/http/operation.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { sendRaw } from '../support/raw-http.ts';
import { recordLog, type RecordedLog } from '../support/recorded-log.ts';
import { serveOperations } from '../support/serve-operations.ts';

describe('the server', () => {
  let parley: TestParley;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  let baseUrl: string;
  let recorded: RecordedLog;
  let finish: () => void;
  let begun: Promise<void>;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  /**
   * Short timeouts in milliseconds for tests that wait until they expire. Other tests keep long timeouts, so
   * that they do not fail on a slow machine.
   */
  const impatient = { requestTimeoutMs: 600, headersTimeoutMs: 200 };

  beforeEach(() => startServer());
  async function startServer(
    patience: { requestTimeoutMs?: number; headersTimeoutMs?: number } = {},
  ): Promise<void> {
    recorded = recordLog();
    let begin = (): void => undefined;
    begun = new Promise((resolve) => (begin = resolve));
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const operations = [
      buildOperation('fail', async () => Promise.reject(new Error('the secret reason'))),
      buildOperation('misfit', async () => ({ done: 'no' as unknown as boolean })),
      buildOperation('wait', async () => {
        begin();
        await finished;
        return { done: true };
      }),
    ];
    const { headersTimeoutMs, ...changes } = patience;
    const settings = { ...parley.runtime.settings, ...changes };
    const runtime = { ...parley.runtime, settings, log: recorded.log };
    server = await serveOperations(operations, runtime, { ...(headersTimeoutMs && { headersTimeoutMs }) });
    baseUrl = server.baseUrl;
  }
  async function startImpatientServer(): Promise<void> {
    await server.close(0);
    await startServer(impatient);
  }
  afterEach(async () => {
    finish();
    await server.close(0);
  });

  it('returns only the request id after an unexpected failure, and logs the cause', async () => {
    const response = await fetch(`${baseUrl}/fail`);
    const text = await response.text();
    assert.equal(response.status, 500);
    assert.ok(!text.includes('secret reason'));
    const { error, request_id: requestId } = JSON.parse(text);
    assert.equal(error.code, 'internal_error');
    assert.equal(requestId, response.headers.get('x-request-id'));
    assert.match(response.headers.get('ratelimit-remaining') ?? '', /^\d+$/);
    const entry = recorded.entries().find(({ level }) => level === 'error');
    assert.equal(entry?.requestId, requestId);
    assert.equal(entry.err?.message, 'the secret reason');
    assert.match(entry.err?.stack ?? '', /lifecycle\.test/);
  });

  it('returns 500 in tests for a response that does not match its schema', async () => {
    assert.equal((await fetch(`${baseUrl}/misfit`)).status, 500);
    assert.ok(recorded.entries().some(({ msg, err }) => /does not fit its schema/.test(err?.message ?? msg)));
  });

  it('returns 408 if headers arrive too slowly', async () => {
    await startImpatientServer();
    const started = Date.now();
    const { status, body } = await sendRaw(baseUrl, { parts: ['GET /wait HTTP/1.1\r\nHost: x\r\n'] });
    assert.equal(status, 408);
    assert.match(body, /"code":"request_timeout"/);
    assert.ok(Date.now() - started < 20_000);
  });

  it('returns 408 if a body is incomplete after requestTimeoutMs', async () => {
    await startImpatientServer();
    const started = Date.now();
    const head = 'GET /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{';
    const { status, body } = await sendRaw(baseUrl, { parts: [head] });
    assert.equal(status, 408);
    assert.match(body, /"code":"request_timeout"/);
    assert.ok(Date.now() - started < 20_000);
  });

  it('finishes the request in progress when it closes, and accepts no new request', async () => {
    const response = fetch(`${baseUrl}/wait`);
    await begun;
    const started = Date.now();
    const closed = server.close(60_000);
    await assert.rejects(fetch(`${baseUrl}/wait`));
    finish();
    assert.deepEqual(await (await response).json(), { done: true });
    await closed;
    assert.ok(Date.now() - started < 20_000, 'the connection kept alive must not hold it up');
  });

  itInSoak('aborts a request that outlives the grace period', async () => {
    const response = fetch(`${baseUrl}/wait`);
    await begun;
    await Promise.all([server.close(50), assert.rejects(response)]);
  });
});

function buildOperation(id: string, handle: () => Promise<{ done: boolean }>) {
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
