import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { withoutCredentials } from '../../core/errors/describe-error.ts';
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

describe('the log of requests', () => {
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

  const requests = () => recorded.entries().filter(({ msg }) => msg === 'request');
  /** What is new among the lines of requests once `work` is done; waits for `count` of them. */
  async function linesOf(work: () => Promise<unknown>, count = 1): Promise<LogEntry[]> {
    const before = requests().length;
    await work();
    await waitUntil(() => requests().length >= before + count, `${count} lines`);
    return requests().slice(before);
  }
  /** The one line of a request, without what differs each time. */
  async function lineOf(work: () => Promise<unknown>): Promise<Partial<LogEntry>> {
    const lines = await linesOf(work);
    assert.equal(lines.length, 1);
    const { requestId, durationMs, time, pid, hostname, name, level, msg, ...rest } = lines[0]!;
    assert.match(String(requestId), /^req_[0-9a-f]{32}$/);
    assert.ok(typeof durationMs === 'number' && durationMs >= 0);
    assert.deepEqual({ level, msg, name }, { level: 30, msg: 'request', name: 'test' });
    assert.deepEqual(
      [typeof time, typeof pid, typeof hostname],
      ['number', 'number', 'string'],
      'what every line has',
    );
    return rest;
  }
  const byKey = () => ({ principal: { type: 'key', id: keyId }, orgId: org.orgId });

  it('has one line for a call with a key', async () => {
    const line = await lineOf(() => org.client.get('/api/bots?q=needle'));
    assert.deepEqual(line, { operation: 'listBots', method: 'GET', status: 200, ...byKey() });
  });

  it('names the request by the id that its caller got', async () => {
    let id: string | null = null;
    const [line] = await linesOf(async () => {
      id = (await org.client.get('/api/bots')).headers.get('x-request-id');
    });
    assert.equal(line?.requestId, id);
  });

  it('says which error a call failed with', async () => {
    assert.deepEqual(await lineOf(() => org.client.get(`/api/bots/${newId()}`)), {
      operation: 'getBot',
      method: 'GET',
      status: 404,
      errorCode: 'not_found',
      ...byKey(),
    });
    assert.deepEqual(await lineOf(() => org.client.post('/api/bots', {})), {
      operation: 'createBot',
      method: 'POST',
      status: 422,
      errorCode: 'validation_error',
      ...byKey(),
    });
  });

  it('attributes what nobody known asks for to the address', async () => {
    const wrong = parley.client('parley_live_000000000000000000000000000000000000');
    assert.deepEqual(await lineOf(() => wrong.get('/api/bots')), {
      operation: 'listBots',
      method: 'GET',
      status: 401,
      errorCode: 'unauthenticated',
      principal: ADDRESS,
    });
    assert.deepEqual(await lineOf(() => parley.client().get('/api/meta')), {
      operation: 'getMeta',
      method: 'GET',
      status: 200,
      principal: ADDRESS,
    });
  });

  it('attributes a visitor’s call to the session', async () => {
    const { visitor, session, orgId, path } = await buildSession(parley);
    const line = await lineOf(() => visitor.get(`${path}/messages`));
    const principal = { type: 'visitor', id: session.session_id };
    assert.deepEqual(line, {
      operation: 'listWidgetMessages',
      method: 'GET',
      status: 200,
      principal,
      orgId,
    });
  });

  it('takes the address of the connection, whatever X-Forwarded-For says', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    const { principal } = await lineOf(() => parley.client().get('/api/meta', headers));
    assert.deepEqual(principal, ADDRESS);
  });

  it('has lines for requests that reach no operation', async () => {
    const cases: [method: string, path: string, status: number, errorCode?: string][] = [
      ['GET', '/nowhere/secret-path', 404, 'not_found'],
      ['DELETE', '/api/bots', 405, 'method_not_allowed'],
      ['OPTIONS', '/api/bots', 204],
      ['GET', '/docs', 200],
    ];
    for (const [method, path, status, errorCode] of cases) {
      const line = await lineOf(() => parley.client().fetch(path, { method }));
      const expected = { method, status, ...(errorCode && { errorCode }), principal: ADDRESS };
      assert.deepEqual(line, expected, `${method} ${path}`);
    }
  });

  it('has lines for what is not a proper request', async () => {
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
      const line = await lineOf(async () => {
        response = await sendRaw(parley.baseUrl, { parts: [text], end: true });
      });
      assert.deepEqual(line, { ...expected, principal: ADDRESS }, text.slice(0, 40));
      assert.equal(response?.status, expected.status);
      assert.ok(response?.headers.get('x-request-id'));
    }
  });

  it('ignores an expectation it does not know', async () => {
    const head = 'GET /api/meta HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n';
    const { status } = await lineOf(() => sendRaw(parley.baseUrl, { parts: [head] }));
    assert.equal(status, 200);
  });

  it('tells of a body that is no HTTP once, with what its caller was told', async () => {
    const request = buildRawPost(
      '/api/bots',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked', `Authorization: Bearer ${org.key}`],
      'these are no chunks',
    );
    let status = 0;
    const line = await lineOf(async () => {
      ({ status } = await sendRaw(parley.baseUrl, request));
    });
    assert.equal(status, 400);
    assert.deepEqual(line, {
      operation: 'createBot',
      method: 'POST',
      status: 400,
      errorCode: 'malformed_request',
      ...byKey(),
    });
  });

  it('says that a caller went away before there was a response', async () => {
    const used = async () => {
      const windows = 'SELECT used FROM rate_windows WHERE key = $1';
      return (await parley.database.sql<{ used: number }>(windows, [`org:${org.orgId}`]))[0]?.used;
    };
    const before = await used();
    const line = await lineOf(async () => {
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
      await waitUntil(async () => (await used()) !== before, 'the request to be counted');
      socket.resetAndDestroy();
    });
    const { errorCode: _whicheverItMet, ...rest } = line;
    assert.deepEqual(rest, {
      operation: 'createBot',
      method: 'POST',
      status: null,
      aborted: true,
      ...byKey(),
    });
  });

  describe('of a stream', () => {
    it('has its line when it ends, with its whole duration', async () => {
      const { visitor, path } = await buildSession(parley);
      const [line] = await linesOf(async () => {
        await readEvents(await ask(visitor, path, { content: 'Hello?' }));
      });
      assert.equal(line?.['operation'], 'streamWidgetMessage');
      assert.equal(line?.['status'], 200);
      assert.equal(line?.['aborted'], undefined);
      assert.ok(Number(line?.['durationMs']) >= ANSWER_MS, String(line?.['durationMs']));
    });

    it('says that the visitor left, and with which status it had begun', async () => {
      const { visitor, path } = await buildSession(parley);
      delayMs = HOUR_MS;
      const [line] = await linesOf(async () => {
        const response = await ask(visitor, path, { content: 'Hello?' });
        await response.body?.cancel();
      });
      assert.deepEqual([line?.['status'], line?.['aborted']], [200, true]);
      assert.ok(Number(line?.['durationMs']) < HOUR_MS);
    });
  });

  it('holds no secret and no text of anybody, whatever happens', async () => {
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
    await waitUntil(() => recorded.entries().some(({ level }) => level === 50), 'the failure');
    const text = JSON.stringify(recorded.entries());
    for (const secret of [needle, org.key, webhook.secret, session.visitor_token, bot.public_key]) {
      assert.equal(typeof secret, 'string');
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('blanks credentials that the message of an error quotes', () => {
    const quoted = [
      `parley_live_${'a1'.repeat(18)}`,
      `whsec_${'Zm9v'.repeat(8)}=`,
      `sk-proj-${'x'.repeat(20)}`,
      `eyJhIjoxfQ.${'a_-'.repeat(14)}`,
      `v1.${'Ab_-'.repeat(12)}`,
    ];
    for (const secret of quoted)
      assert.equal(withoutCredentials(`"${secret}" failed`), '"[redacted]" failed');
    assert.equal(withoutCredentials('get https://me:pw@host/x'), 'get https://[redacted]@host/x');
    assert.equal(withoutCredentials('Authorization: Bearer abc.def'), 'Authorization: Bearer [redacted]');
    assert.equal(withoutCredentials('mail a@b.example'), 'mail a@b.example');
  });
});
