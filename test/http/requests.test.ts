import assert from 'node:assert/strict';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { sendRaw } from '../support/raw-http.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('requests', () => {
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => {
    parley = await startSharedParley();
    org = await parley.buildOrg();
  });

  const refusals: [path: string, field: string, code: string][] = [
    ['/api/bots?surprise=1', 'surprise', 'unknown_key'],
    ['/api/bots?__proto__=1', '__proto__', 'unknown_key'],
    ['/api/bots?page=1&page=2', 'page', 'type'],
    ['/api/bots?q=a&q=b', 'q', 'type'],
    ['/api/bots?page=0', 'page', 'minimum'],
    ['/api/bots?page=1e3', 'page', 'type'],
    ['/api/bots?page=1e400', 'page', 'type'],
    ['/api/bots?page=0x10', 'page', 'type'],
    ['/api/bots?page=%201', 'page', 'type'],
    ['/api/bots?page=1.5', 'page', 'type'],
    ['/api/bots?page=9223372036854775808', 'page', 'maximum'],
    ['/api/bots?page=2147483648', 'page', 'maximum'],
    ['/api/bots?page_size=101', 'page_size', 'maximum'],
    ['/api/bots?page=', 'page', 'type'],
    ['/api/bots?q=%00', 'q', 'characters'],
    ['/api/bots?status=ACTIVE', 'status', 'enum'],
    ['/api/conversations?from=2026-02-30T00:00:00Z', 'from', 'format'],
    ['/api/conversations?from=0000-01-01T00:00:00Z', 'from', 'format'],
    ['/api/conversations?from=2026-01-01T00:00:00%2B16:00', 'from', 'format'],
    ['/api/conversations?from=yesterday', 'from', 'format'],
    ['/api/bots/1', 'bot_id', 'format'],
    ['/api/bots/%00', 'bot_id', 'characters'],
  ];
  for (const [path, field, code] of refusals) {
    it(`to ${path} are invalid: ${field} ${code}`, async () => {
      const { status, problem } = await org.client.get(path);
      assert.equal(status, 422);
      assert.ok(
        problem.details.some(
          (detail: { field: string; code: string }) => detail.field === field && detail.code === code,
        ),
        JSON.stringify(problem.details),
      );
    });
  }

  for (const time of [
    '0001-01-01T00:00:00+15:59',
    '9999-12-31T23:59:59.999999999-15:59',
    '2024-02-29T12:00:00Z',
  ]) {
    it(`may contain the time ${time}`, async () => {
      const { status } = await org.client.get(`/api/conversations?from=${encodeURIComponent(time)}`);
      assert.equal(status, 200);
    });
  }

  it('with an unknown version get an error that names the known versions', async () => {
    for (const version of ['2020-01-01', 'latest', '', '2026-09-03 ,2026-09-03']) {
      const { status, body, problem } = await org.client.get('/api/bots', { 'x-api-version': version });
      assert.equal(formatOutcome({ status, body }), '400 unsupported_version');
      assert.match(problem.error.message, /Supported versions: 2026-09-03\.$/);
    }
    const { status, headers } = await org.client.get('/api/bots', { 'x-api-version': '2026-09-03' });
    assert.equal(status, 200);
    assert.equal(headers.get('x-api-version'), '2026-09-03');
  });

  it('get a new request id, whatever id they send', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await org.client.get('/api/bots', { 'x-request-id': 'mine' })).headers.get('x-request-id'),
      ),
    );
    assert.equal(new Set(ids).size, 20);
    for (const id of ids) assert.match(id ?? '', /^req_[0-9a-f]{32}$/);
  });

  it('that are not HTTP get a response as well', async () => {
    for (const text of ['hello\r\n\r\n', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n']) {
      const { status, headers, body } = await sendRaw(parley.baseUrl, { parts: [text] });
      assert.equal(status, 400);
      const problem = JSON.parse(body) as { error: { code: string }; request_id: string };
      assert.equal(problem.error.code, 'malformed_request');
      assert.equal(problem.request_id, headers.get('x-request-id'));
      assert.ok(headers.get('ratelimit-limit'));
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('may not have more than 16 KiB of headers', async () => {
    const head = `GET /api/meta HTTP/1.1\r\nHost: x\r\nX-Filler: ${'x'.repeat(20_000)}\r\n\r\n`;
    const { status, body } = await sendRaw(parley.baseUrl, { parts: [head] });
    assert.equal(status, 413);
    assert.match(body, /"code":"payload_too_large"/);
  });

  for (const [what, lines] of Object.entries({
    'two different Host headers': ['Host: x', 'Host: y'],
    'the same Host header twice': ['Host: x', 'host: x'],
    'no Host header': ['Accept: */*'],
    'two Authorization headers': ['Host: x', 'Authorization: Bearer a', 'Authorization: Bearer b'],
    'two Content-Type headers': ['Host: x', 'Content-Type: application/json', 'Content-Type: text/plain'],
    'white space before the colon of Host': ['Host : x'],
    'white space before the colon of another header': ['Host: x', 'Accept : */*'],
    'a header that continues on the next line': ['Host: x', 'Accept: text/html,', ' text/plain'],
  }))
    it(`with ${what} are refused with malformed_request`, async () => {
      const head = `GET /api/meta/versions HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
      const { status, body } = await sendRaw(parley.baseUrl, { parts: [head] });
      assert.deepEqual(
        [status, (JSON.parse(body) as { error: { code: string } }).error.code],
        [400, 'malformed_request'],
      );
    });

  it('with an absolute URL as target get the resource at its path', async () => {
    const head =
      'GET http://other.example/api/meta/versions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const { status } = await sendRaw(parley.baseUrl, { parts: [head] });
    assert.equal(status, 200);
  });

  it('with two content lengths are refused', async () => {
    for (const lengths of [
      'Content-Length: 2\r\nContent-Length: 3',
      'Content-Length: 2\r\nContent-Length: 2',
      'Content-Length: 2, 2',
      'Content-Length : 2',
      'Content-Length: +2',
      'Content-Length: 2\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked\r\nContent-Length: 2',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: chunked, identity',
    ]) {
      const head = `POST /api/bots HTTP/1.1\r\nHost: x\r\n${lengths}\r\n\r\n{}`;
      assert.equal((await sendRaw(parley.baseUrl, { parts: [head], end: true })).status, 400);
    }
  });
});
