import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { removeCredentials } from '../../core/errors/describe-error.ts';
import { newId } from '../../core/ids.ts';
import { readEvents } from '../support/event-stream.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildRawPost, sendRaw } from '../support/raw-http.ts';
import { recordLog, type LogEntry, type RecordedLog } from '../support/recorded-log.ts';
import { ask, buildSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';

const ADDRESS = { type: 'address', id: '127.0.0.1' };

const ANSWER_MS = 250;
const HOUR_MS = 3_600_000;

describe('the request log', () => {
  let parley: TestParley;
  let org: TestOrg;
  let keyId: string;
  let recorded: RecordedLog;
  let model: ModelServer;
  let delayMs = ANSWER_MS;

  before(async () => {
    recorded = recordLog();
    model = await startModelServer({
      answer: () => ({ text: 'one two three', delayMs }),
    });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl }, { log: recorded.log });
    org = await parley.buildOrg();
    const [key] = await parley.database.sql<{ id: string }>('SELECT id FROM api_keys WHERE org_id = $1', [
      org.orgId,
    ]);
    keyId = key?.id ?? '';
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const listRequests = () => recorded.entries().filter(({ msg }) => msg === 'request');
  /** Runs `work` and waits for `count` new lines about requests in the log. */
  async function readLines(work: () => Promise<unknown>, count = 1): Promise<LogEntry[]> {
    const before = listRequests().length;
    await work();
    await waitUntil(() => listRequests().length >= before + count, `${count} lines`);
    return listRequests().slice(before);
  }
  /** Runs `work` and returns the only log line about its request, without fields that vary. */
  async function readLine(work: () => Promise<unknown>): Promise<Partial<LogEntry>> {
    const lines = await readLines(work);
    assert.equal(lines.length, 1);
    const { requestId, durationMs, time, pid, hostname, name, level, msg, ...rest } = lines[0]!;
    assert.match(String(requestId), /^req_[0-9a-f]{32}$/);
    assert.ok(typeof durationMs === 'number' && durationMs >= 0);
    assert.deepEqual({ level, msg, name }, { level: 'info', msg: 'request', name: 'test' });
    assert.deepEqual(
      [typeof time, typeof pid, typeof hostname],
      ['number', 'number', 'string'],
      'what every line has',
    );
    return rest;
  }
  const callWithKey = () => ({ principal: { type: 'key', id: keyId }, orgId: org.orgId });

  it('has one line for a call with a key', async () => {
    const line = await readLine(() => org.client.get('/api/bots?q=needle'));
    assert.deepEqual(line, { operation: 'listBots', method: 'GET', status: 200, ...callWithKey() });
  });

  it('contains the request id that the caller received', async () => {
    let id: string | null = null;
    const [line] = await readLines(async () => {
      id = (await org.client.get('/api/bots')).headers.get('x-request-id');
    });
    assert.equal(line?.requestId, id);
  });

  it('contains the error code of a failed call', async () => {
    assert.deepEqual(await readLine(() => org.client.get(`/api/bots/${newId()}`)), {
      operation: 'getBot',
      method: 'GET',
      status: 404,
      errorCode: 'not_found',
      ...callWithKey(),
    });
    assert.deepEqual(await readLine(() => org.client.post('/api/bots', {})), {
      operation: 'createBot',
      method: 'POST',
      status: 422,
      errorCode: 'validation_error',
      errorSubject: 'name',
      ...callWithKey(),
    });
  });

  it('attributes a call without credentials to its address', async () => {
    const wrong = parley.client('parley_live_000000000000000000000000000000000000');
    assert.deepEqual(await readLine(() => wrong.get('/api/bots')), {
      operation: 'listBots',
      method: 'GET',
      status: 401,
      errorCode: 'unauthenticated',
      principal: ADDRESS,
    });
    assert.deepEqual(await readLine(() => parley.client().get('/api/meta')), {
      operation: 'getMeta',
      method: 'GET',
      status: 200,
      principal: ADDRESS,
    });
  });

  it('attributes a visitor’s call to the session', async () => {
    const { visitor, session, orgId, path } = await buildSession(parley);
    const line = await readLine(() => visitor.get(`${path}/messages`));
    const principal = { type: 'visitor', id: session.session_id };
    assert.deepEqual(line, {
      operation: 'listWidgetMessages',
      method: 'GET',
      status: 200,
      principal,
      orgId,
    });
  });

  it('contains the connection’s address, whatever X-Forwarded-For contains', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    const { principal } = await readLine(() => parley.client().get('/api/meta', headers));
    assert.deepEqual(principal, ADDRESS);
  });

  it('has one line for each request that matches no operation', async () => {
    const cases: [method: string, path: string, status: number, errorCode?: string][] = [
      ['GET', '/nowhere/secret-path', 404, 'not_found'],
      ['DELETE', '/api/bots', 405, 'method_not_allowed'],
      ['OPTIONS', '/api/bots', 204],
      ['GET', '/docs', 200],
    ];
    for (const [method, path, status, errorCode] of cases) {
      const line = await readLine(() => parley.client().fetch(path, { method }));
      const expected = { method, status, ...(errorCode && { errorCode }), principal: ADDRESS };
      assert.deepEqual(line, expected, `${method} ${path}`);
    }
  });

  it('has one line for each malformed request', async () => {
    const cases: [text: string, expected: { method?: string; status: number; errorCode: string }][] = [
      ['hello\r\n\r\n', { status: 400, errorCode: 'malformed_request' }],
      ['GET /api/meta HTTP/1.1\r\n\r\n', { method: 'GET', status: 400, errorCode: 'malformed_request' }],
      [
        'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
        { method: 'GET', status: 400, errorCode: 'malformed_request' },
      ],
      [
        'GET http://[::1 HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n',
        { method: 'GET', status: 400, errorCode: 'malformed_request' },
      ],
      ['CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', { status: 405, errorCode: 'method_not_allowed' }],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, { status: 413, errorCode: 'payload_too_large' }],
    ];
    for (const [text, expected] of cases) {
      let response: Awaited<ReturnType<typeof sendRaw>> | undefined;
      const line = await readLine(async () => {
        response = await sendRaw(parley.baseUrl, { parts: [text], end: true });
      });
      assert.deepEqual(line, { ...expected, principal: ADDRESS }, text.slice(0, 40));
      assert.equal(response?.status, expected.status);
      assert.ok(response?.headers.get('x-request-id'));
    }
  });

  it('has status 200 for a request with an unknown Expect header', async () => {
    const head = 'GET /api/meta HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n';
    const { status } = await readLine(() => sendRaw(parley.baseUrl, { parts: [head] }));
    assert.equal(status, 200);
  });

  it('has one line for a malformed body, with the error that the caller received', async () => {
    const request = buildRawPost(
      '/api/bots',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked', `Authorization: Bearer ${org.key}`],
      'these are no chunks',
    );
    let status = 0;
    const line = await readLine(async () => {
      ({ status } = await sendRaw(parley.baseUrl, request));
    });
    assert.equal(status, 400);
    assert.deepEqual(line, {
      operation: 'createBot',
      method: 'POST',
      status: 400,
      errorCode: 'malformed_request',
      ...callWithKey(),
    });
  });

  it('records that a caller disconnected before the response', async () => {
    const readUsed = async () => {
      const windows = 'SELECT used FROM rate_windows WHERE key = $1';
      return (await parley.database.sql<{ used: number }>(windows, [`org:${org.orgId}`]))[0]?.used;
    };
    const before = await readUsed();
    const line = await readLine(async () => {
      const { hostname, port } = new URL(parley.baseUrl);
      const socket = connect(Number(port), hostname);
      const head = [
        'POST /api/bots HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Content-Length: 100',
        `Authorization: Bearer ${org.key}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n{"name":`);
      await waitUntil(async () => (await readUsed()) !== before, 'the request to be counted');
      socket.resetAndDestroy();
    });
    const { errorCode: _whicheverItMet, ...rest } = line;
    assert.deepEqual(rest, {
      operation: 'createBot',
      method: 'POST',
      status: null,
      aborted: true,
      ...callWithKey(),
    });
  });

  describe('of a stream', () => {
    it('has a line when it ends, with its whole duration', async () => {
      const { visitor, path } = await buildSession(parley);
      const [line] = await readLines(async () => {
        await readEvents(await ask(visitor, path, { content: 'Hello?' }));
      });
      assert.equal(line?.['operation'], 'streamWidgetMessage');
      assert.equal(line?.['status'], 200);
      assert.equal(line?.['aborted'], undefined);
      assert.ok(Number(line?.['durationMs']) >= ANSWER_MS, String(line?.['durationMs']));
    });

    it('records that the visitor disconnected, with the original status', async () => {
      const { visitor, path } = await buildSession(parley);
      delayMs = HOUR_MS;
      const [line] = await readLines(async () => {
        const response = await ask(visitor, path, { content: 'Hello?' });
        await response.body?.cancel();
      });
      assert.deepEqual([line?.['status'], line?.['aborted']], [200, true]);
      assert.ok(Number(line?.['durationMs']) < HOUR_MS);
    });
  });

  it('contains no secret and no text of users, whatever happens', async () => {
    const needle = `needle${newId().replaceAll('-', '')}`;
    const { visitor, session, path } = await buildSession(parley);
    const { body: bot } = await org.client.post('/api/bots', { name: `Bot ${needle}` });
    const { body: webhook } = await org.client.post('/api/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['lead.captured'],
    });
    await org.client.post('/api/bots', { name: needle }, { 'idempotency-key': needle });
    await org.client.post('/api/bots', { name: needle, [needle]: 1 });
    await org.client.post('/api/bots', `{"name": "${needle}`, { 'content-type': 'application/json' });
    await org.client.get(`/api/bots?q=${needle}&${needle}=1`);
    await org.client.get(`/${needle}?token=${needle}`);
    await org.client.post(`/api/bots/${bot.id}/knowledge`, {
      title: needle,
      source_type: 'url',
      source_url: `https://user:${needle}@example.com/`,
    });
    await org.client.post('/api/webhooks', {
      url: `https://u:${needle}@example.com/`,
      events: ['lead.captured'],
    });
    await readEvents(await ask(visitor, path, { content: needle }));
    await parley.client(needle).get('/api/bots');
    await sendRaw(parley.baseUrl, { parts: [`${needle}\r\n\r\n`] });
    await parley.database.sql('ALTER TABLE bots RENAME COLUMN name TO title');
    try {
      const { status } = await org.client.post('/api/bots', { name: needle });
      assert.equal(status, 500);
    } finally {
      await parley.database.sql('ALTER TABLE bots RENAME COLUMN title TO name');
    }
    await waitUntil(() => recorded.entries().some(({ level }) => level === 'error'), 'the failure');
    const text = JSON.stringify(recorded.entries());
    for (const secret of [needle, org.key, webhook.secret, session.visitor_token, bot.public_key]) {
      assert.equal(typeof secret, 'string');
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('redacts credentials in error messages', () => {
    const quoted = [
      `parley_live_${'a1'.repeat(18)}`,
      `whsec_${'Zm9v'.repeat(8)}=`,
      `sk-proj-${'x'.repeat(20)}`,
      `eyJhIjoxfQ.${'a_-'.repeat(14)}`,
      `v1.${'Ab_-'.repeat(12)}`,
    ];
    for (const secret of quoted) assert.equal(removeCredentials(`"${secret}" failed`), '"[redacted]" failed');
    assert.equal(removeCredentials('get https://me:pw@host/x'), 'get https://[redacted]@host/x');
    assert.equal(removeCredentials('Authorization: Bearer abc.def'), 'Authorization: Bearer [redacted]');
    assert.equal(removeCredentials('email a@b.example'), 'email a@b.example');
  });
});
