import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Problem } from '../../api/http/problems/problem.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { buildRawPost, sendRaw } from '../support/raw-http.ts';

const MEGABYTE = 1024 * 1024;

describe('bodies of requests', () => {
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => {
    parley = await startSharedParley();
    org = await parley.buildOrg();
  });

  async function sendBody(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<string> {
    const response = await org.client.fetch('/api/bots', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body as NonNullable<RequestInit['body']>,
    });
    return checkOutcome(response.status, response.headers, await response.text());
  }

  async function sendRawBody(headers: string[], body: string | Uint8Array, end = false): Promise<string> {
    const authorized = [`Authorization: Bearer ${org.key}`, 'Content-Type: application/json', ...headers];
    const response = await sendRaw(parley.baseUrl, { ...buildRawPost('/api/bots', authorized, body), end });
    return checkOutcome(response.status, response.headers, response.body);
  }

  for (const body of [
    '{',
    '{"name":}',
    "{'name': 'x'}",
    '{"name": "x",}',
    '[',
    '"',
    'nul',
    '{} {}',
    '\u0000',
  ]) {
    it(`that are not JSON are refused: ${JSON.stringify(body)}`, async () => {
      assert.equal(await sendBody(body), '400 malformed_json');
    });
  }

  it('that are not UTF-8 are refused, with the first wrong byte or the encoding', async () => {
    const refusals: [body: Buffer, message: string][] = [
      [
        Buffer.from('{"name":"é, Café"}', 'latin1'),
        'The body is not valid UTF-8 (byte 10 is 0xe9). Send the text in UTF-8, not in Windows-1252 or Latin-1.',
      ],
      [
        Buffer.concat([Buffer.from(`{"name":"${'é'.repeat(400_000)}`), Buffer.from([0xe9, 0x22])]),
        'The body is not valid UTF-8 (byte 800010 is 0xe9). Send the text in UTF-8, not in Windows-1252 or Latin-1.',
      ],
      [Buffer.from('"é').subarray(0, 2), 'The body is not valid UTF-8: its last character is incomplete.'],
      [Buffer.from('{"name":"x"}', 'utf16le'), 'The body is UTF-16. Send it in UTF-8.'],
      [gzipSync('{"name":"x"}'), 'The body is compressed with gzip. Send it uncompressed.'],
    ];
    for (const [body, message] of refusals) {
      const headers = { 'content-type': 'application/json' };
      const response = await org.client.fetch('/api/bots', { method: 'POST', headers, body });
      assert.deepEqual(((await response.json()) as Problem).error, { code: 'malformed_json', message });
    }
  });

  it('that are almost JSON are refused with what to write', async () => {
    const refusals = {
      "{'name': 'x'}": 'Write names and texts in double quotes.',
      '{“name”: “x”}': 'Write straight double quotes.',
      '{"name": "x", // a bot\n}': 'JSON has no comments.',
      '{"name": "x",\n}': 'Remove the comma before it.',
    };
    for (const [body, advice] of Object.entries(refusals)) {
      const { problem } = await org.client.post('/api/bots', body);
      assert.ok(problem.error.message.endsWith(`. ${advice}`), problem.error.message);
    }
  });

  it('may begin with a byte order mark', async () => {
    assert.equal(await sendBody('\ufeff{"name":"x"}'), '201');
  });

  it('may have 64 levels of nesting, but not 65', async () => {
    const nestLevels = (levels: number) =>
      `{"name":"x","widget_theme":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    assert.equal(await sendBody(nestLevels(63)), '201');
    assert.equal(await sendBody(nestLevels(64)), '400 malformed_json');
    assert.equal(await sendBody('['.repeat(500_000)), '400 malformed_json');
  });

  for (const body of ['null', '1', '"x"', '[]', '[{"name":"x"}]', 'true']) {
    it(`that are JSON but not an object are invalid: ${body}`, async () => {
      assert.equal(await sendBody(body), '422 validation_error');
    });
  }

  for (const key of ['surprise', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    it(`with the unknown key ${key} are invalid`, async () => {
      const { status, problem } = await org.client.post('/api/bots', `{"name":"x","${key}":{"a":1}}`);
      assert.equal(status, 422);
      assert.deepEqual(problem.details, [
        { field: key, in: 'body', code: 'unknown_key', message: 'is not a known field', pointer: `#/${key}` },
      ]);
    });
  }

  it('with a duplicate key use its last value', async () => {
    const { body } = await org.client.post('/api/bots', '{"name":"first","name":"second"}');
    assert.equal(body.name, 'second');
  });

  for (const value of ['1e400', '-1e400', '9223372036854775808', '1e308', '1.5', '"64"', 'true', '[64]']) {
    it(`with ${value} for an integer are invalid`, async () => {
      assert.equal(await sendBody(`{"name":"x","max_tokens":${value}}`), '422 validation_error');
    });
  }

  for (const text of ['"a\\u0000b"', '"\\ud800"', '"\\udc00x"']) {
    it(`with text that the database cannot store are invalid: ${text}`, async () => {
      assert.equal(await sendBody(`{"name":${text}}`), '422 validation_error');
      assert.equal(await sendBody(`{"name":"x","widget_theme":{${text}:1}}`), '422 validation_error');
    });
  }

  it('are required by operations that declare a body', async () => {
    assert.equal(await sendBody(''), '422 validation_error');
    assert.equal(await sendRawBody(['Content-Length: 0'], ''), '422 validation_error');
    assert.equal(await sendRawBody([], ''), '422 validation_error');
  });

  it('must be declared as JSON in UTF-8, without an encoding', async () => {
    const refused = '415 unsupported_media_type';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'x'])
      assert.equal(await sendBody('{"name":"x"}', { 'content-type': type }), refused);
    assert.equal(
      await sendBody('{"name":"x"}', { 'content-type': 'application/json; charset=latin1' }),
      refused,
    );
    assert.equal(await sendBody(gzipSync('{"name":"x"}'), { 'content-encoding': 'gzip' }), refused);
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/x+json',
    ])
      assert.equal(await sendBody('{"name":"x"}', { 'content-type': type }), '201');
  });

  for (const [type, message] of [
    [undefined, 'The header Content-Type is missing. Send the body as application/json.'],
    ['text/plain; charset=utf-8', 'Send the body as application/json, not text/plain.'],
    [
      'application/x-www-form-urlencoded',
      'Send the body as application/json, not application/x-www-form-urlencoded. With curl, use --json instead of -d.',
    ],
    ['application/json; charset=Latin1', 'Send the body in UTF-8, not latin1.'],
  ] as const)
    it(`of the type ${type} are refused with the type to send`, async () => {
      const response = await org.client.fetch('/api/bots', {
        method: 'POST',
        // Send bytes, for which `fetch` sets no Content-Type.
        headers: type === undefined ? {} : { 'content-type': type },
        body: Buffer.from('{"name":"x"}'),
      });
      const { error } = (await response.json()) as { error: { message: string } };
      assert.deepEqual([response.status, error.message], [415, message]);
    });

  it('of more than 1 MB are refused by their content-length before they are sent', async () => {
    assert.equal(await sendRawBody([`Content-Length: ${MEGABYTE + 1}`], ''), '413 payload_too_large');
  });

  it('of more than 1 MB without a content-length are cut off', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    assert.equal(
      await sendRawBody(['Transfer-Encoding: chunked'], chunk.repeat(17)),
      '413 payload_too_large',
    );
  });

  it('of exactly 1 MB are accepted', async () => {
    assert.equal(await sendBody('{"name":"x"}'.padEnd(MEGABYTE, ' ')), '201');
  });

  it('that end early store nothing', async () => {
    const { body: before } = await org.client.get('/api/bots');
    assert.equal(await sendRawBody(['Content-Length: 100'], '{"name":"x"}', true), '400 malformed_request');
    assert.equal((await org.client.get('/api/bots')).body.total, before.total);
  });

  const form = 'Send the file in the field file of a multipart/form-data body';
  for (const [type, message] of [
    [
      'multipart/form-data',
      'The Content-Type multipart/form-data has no boundary. Do not set the header yourself: your HTTP client sets it for a form.',
    ],
    [
      `multipart/form-data; boundary=${'b'.repeat(71)}`,
      'Send the body as multipart/form-data with a boundary of at most 70 characters.',
    ],
    ['application/json', `${form}, not as JSON.`],
    ['text/markdown', `${form}, not as the whole body.`],
  ] as const)
    it(`of the type ${type.slice(0, 40)} are refused by uploadDocument, which says how to send a file`, async () => {
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
      const response = await org.client.fetch(`/api/bots/${bot.id}/knowledge/upload`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}',
      });
      const { error } = (await response.json()) as { error: { message: string } };
      assert.deepEqual([response.status, error.message], [415, message]);
    });

  for (const parameters of ['xboundary=b', 'a="boundary=b"', 'boundary='.repeat(1500)])
    it(`with a form without the boundary are refused by uploadDocument: ${parameters.slice(0, 20)}`, async () => {
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
      const response = await org.client.fetch(`/api/bots/${bot.id}/knowledge/upload`, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; ${parameters}` },
        body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHi\r\n--b--\r\n',
      });
      const outcome = formatOutcome({ status: response.status, body: await response.json() });
      assert.equal(outcome, '415 unsupported_media_type');
    });
});

/** Asserts the headers that every response has, and returns the response's outcome. */
function checkOutcome(status: number, headers: Headers, text: string): string {
  assert.match(headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/);
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    assert.match(headers.get(name) ?? '', /^\d+$/, name);
  const body = JSON.parse(text) as { request_id?: string };
  if (status >= 400) {
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.equal(body.request_id, headers.get('x-request-id'));
  }
  return formatOutcome({ status, body });
}
