import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TSchema } from '@sinclair/typebox';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { schemaLimits } from '../../api/http/limits/body-limits.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { copyRow } from '../support/copy-row.ts';
import {
  buildFormShapes,
  buildFullestShapes,
  buildGeneralShapes,
  buildOperationShapes,
  type HostileShape,
} from '../support/hostile-shapes.ts';
import { KnownFields } from '../support/known-fields.ts';
import { measureLoop } from '../support/loop-meter.ts';
import {
  buildResources,
  endsItsCaller,
  buildOperationPath,
  selectToken,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

const MAX_BLOCKED_MS = 50;
const MAX_GROWTH_BYTES = 200 * 1024 * 1024;
/**
 * Maximum block of the event loop in milliseconds for bodies sent byte by byte, whose sender also runs in
 * this process.
 */
const MAX_BLOCKED_BY_BYTES_MS = 300;
const FORM_BYTES = 5 * 1024 * 1024;

const withJson = operations.filter(({ body }) => body && !isMultipart(body));

describe('a body of any shape', () => {
  let parley: TestParley;
  let resources: Resources;
  before(async () => {
    parley = await startParley();
    resources = await buildResources(parley);
  });
  after(() => parley.stop());

  function send(operation: Operation, shape: { contentType: string; body: Buffer }, query = '') {
    const token = selectToken(operation, resources);
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(parley.baseUrl + buildOperationPath(operation, resources.ids) + query, {
        method: operation.method,
        agent: false,
        headers: {
          'content-type': shape.contentType,
          'content-length': shape.body.length,
          'idempotency-key': newId(),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode!, text: String(Buffer.concat(chunks)) }),
        );
      });
      sent.end(shape.body);
    });
  }

  /**
   * Sends a request body, and returns a description if the body is too expensive. One of thirty attempts must
   * be within the limits, because other programs slow down some attempts.
   */
  async function findShapeFault(
    operation: Operation,
    { name, build }: HostileShape,
    isFine: (status: number) => boolean,
    query = '',
  ) {
    const shape = build();
    let fault: string | null = null;
    for (let times = 0; times < 30; times += 1) {
      let response = { status: 0, text: '' };
      const cost = await measureLoop(async () => {
        response = await send(operation, shape, query);
      });
      if (!isFine(response.status))
        return `${operation.id} ${name}: ${response.status} ${response.text.slice(0, 300)}`;
      if (response.status >= 400 && response.text.length > 100_000)
        return `${operation.id} ${name}: ${response.text.length} characters`;
      if (cost.blockedMs <= MAX_BLOCKED_MS && cost.growthBytes <= MAX_GROWTH_BYTES) return null;
      fault = `${operation.id} ${name}: ${Math.round(cost.blockedMs)} ms, ${cost.growthBytes >> 20} MB`;
    }
    return fault;
  }

  async function findShapeFaults(shapes: [Operation, HostileShape][], isFine: (status: number) => boolean) {
    const faults: (string | null)[] = [];
    for (const [operation, shape] of shapes) faults.push(await findShapeFault(operation, shape, isFine));
    return faults.filter(Boolean);
  }
  const isRefused = (status: number) => status >= 400 && status < 500;

  it('does not block the event loop if it breaks the rules of the operation', async () => {
    const known = new KnownFields();
    const shapes = withJson.flatMap((operation) =>
      buildOperationShapes(operation, buildValidBody(operation), known).map(
        (shape): [Operation, HostileShape] => [operation, shape],
      ),
    );
    assert.deepEqual(await findShapeFaults(shapes, (status) => status < 500), []);
  });

  it('is refused without blocking the event loop if it breaks the rules of all operations', async () => {
    // Test the operation with the largest size limit of each kind, in place of all others.
    const kinds = new Map(
      withJson
        .toSorted((a, b) => a.maxBodyBytes - b.maxBodyBytes)
        .map((operation) => [schemaLimits(operation.body as TSchema).values < Infinity, operation]),
    );
    const shapes = [...kinds.values()].flatMap((operation) =>
      buildGeneralShapes(operation).map((shape): [Operation, HostileShape] => [operation, shape]),
    );
    assert.deepEqual(await findShapeFaults(shapes, isRefused), []);
  });

  it('does not block the event loop if all fields have their maximum size', async () => {
    const shapes = withJson
      .filter(({ id }) => !endsItsCaller.has(id))
      .flatMap((operation) =>
        buildFullestShapes(operation, buildValidBody(operation)).map((shape): [Operation, HostileShape] => [
          operation,
          shape,
        ]),
      );
    assert.deepEqual(await findShapeFaults(shapes, (status) => status < 500), []);
  });

  it('does not block the event loop as an upload', async () => {
    const shapes = operations
      .filter(({ body }) => body && isMultipart(body))
      .flatMap((operation) =>
        buildFormShapes(FORM_BYTES).map((shape): [Operation, HostileShape] => [operation, shape]),
      );
    assert.deepEqual(await findShapeFaults(shapes, (status) => status < 500), []);
  });

  it('does not block the event loop when it is returned in a page of large bots or a thread of long messages', async () => {
    const org = await buildActiveBot(parley);
    const createBot = operations.find(({ id }) => id === 'createBot')!;
    const large = buildFullestShapes(createBot, { name: 'Large' }).find(({ name }) =>
      name.includes('contact_fields'),
    )!;
    const { body: bot } = await org.client.post('/api/bots', String(large.build().body), {
      'content-type': 'application/json',
    });
    await copyRow(
      parley.database,
      bot.id,
      Array.from({ length: 79 }, (_, index) => index),
    );
    const started = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
    const { session_id: id, visitor_token: token } = started.body;
    const visitor = parley.client(token);
    await visitor.post(`/api/public/sessions/${id}/messages`, { content: '漢"'.repeat(10_000) });
    const { body: thread } = await visitor.get(`/api/public/sessions/${id}/messages`);
    await copyRow(
      parley.database,
      thread[0]!.id,
      Array.from({ length: 400 }, (_, index) => index),
    );
    const reads: [string, string, number][] = [
      [org.key, '/api/bots?page_size=100', 10_000_000],
      [org.key, `/api/conversations/${id}`, 4_000_000],
      [org.key, `/api/conversations/${id}/messages?limit=500`, 4_000_000],
      [token, `/api/public/sessions/${id}/messages?limit=500`, 1_000_000],
    ];
    const slow: string[] = [];
    for (const [caller, path, minLength] of reads) {
      let least = Infinity;
      // Repeats the measurement, because other load and garbage collection disturb it.
      for (let times = 0; times < 30 && least > MAX_BLOCKED_MS; times += 1) {
        let [status, length] = [0, 0];
        const { blockedMs: heldMs } = await measureLoop(async () => {
          [status, length] = await readResponseLength(caller, path);
        });
        assert.equal(status, 200);
        assert.ok(length > minLength, `${path}: ${length}`);
        least = Math.min(least, heldMs);
      }
      if (least > MAX_BLOCKED_MS) slow.push(`${path}: ${Math.round(least)} ms`);
    }
    assert.deepEqual(slow, []);
  });

  /** Sends a request and returns the length of the response, which is discarded while it arrives. */
  function readResponseLength(token: string, path: string): Promise<[status: number, length: number]> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const asked = get(parley.baseUrl + path, { agent: false, headers }, (response) => {
        let length = 0;
        response.on('data', (chunk: Buffer) => (length += chunk.length));
        response.once('error', reject);
        response.once('end', () => resolve([response.statusCode!, length]));
      });
      asked.once('error', reject);
    });
  }

  it('does not block the event loop with a query of any shape', async () => {
    const listBots = operations.find(({ id }) => id === 'listBots')!;
    const none = { contentType: 'application/json', body: Buffer.alloc(0) };
    const queries = {
      'one parameter, repeated': 'q=a&'.repeat(3800),
      'an unknown one, repeated': 'a&'.repeat(7000),
      'many unknown ones': Array.from({ length: 2000 }, (_, index) => `a${index}=1`).join('&'),
      'nothing but separators': '&'.repeat(15_000),
      'broken escapes': 'q=%'.repeat(5000),
    };
    const build = () => none;
    const faults: (string | null)[] = [];
    for (const [name, query] of Object.entries(queries))
      faults.push(await findShapeFault(listBots, { name, build }, (status) => status < 500, `?${query}`));
    assert.deepEqual(faults.filter(Boolean), []);
  });

  it('is refused, without blocking the event loop, if it arrives in chunks of one byte', async () => {
    const refused = operations.filter(({ id }) =>
      ['login', 'createDocument', 'uploadDocument', 'listBots'].includes(id),
    );
    const faults: string[] = [];
    for (const operation of refused) {
      const { blockedMs: heldMs, growthBytes: grownBytes } = await measureLoop(async () => {
        const response = await sendInBytes(operation);
        if (response && !(response.startsWith('HTTP/1.1 400 ') && response.includes('too many tiny chunks')))
          faults.push(`${operation.id}: ${response}`);
      });
      if (heldMs > MAX_BLOCKED_BY_BYTES_MS || grownBytes > MAX_GROWTH_BYTES)
        faults.push(`${operation.id}: ${Math.round(heldMs)} ms, ${grownBytes >> 20} MB`);
    }
    assert.deepEqual(faults, []);
  });

  /**
   * Sends a request body byte by byte and returns the response, or an empty text if the connection breaks
   * during the transfer.
   */
  async function sendInBytes(operation: Operation): Promise<string> {
    const { hostname, port } = new URL(parley.baseUrl);
    const connection = connect(Number(port), hostname);
    connection.on('error', () => {}); // Ignore errors, because the server may close the connection during the transfer.
    const response = text(connection).catch(() => '');
    const token = selectToken(operation, resources);
    const kind = isMultipart(operation.body ?? {}) ? 'multipart/form-data; boundary=b' : 'application/json';
    connection.write(
      [
        `${operation.method} ${buildOperationPath(operation, resources.ids)} HTTP/1.1`,
        'Host: localhost',
        `Content-Type: ${kind}`,
        'Transfer-Encoding: chunked',
        ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
        '\r\n',
      ].join('\r\n'),
    );
    const bytes = Buffer.from('1\r\n \r\n'.repeat(1000));
    for (let sent = 0; sent < 200 && connection.writable; sent += 1)
      if (!connection.write(bytes)) await Promise.race([once(connection, 'drain'), response]);
    return response;
  }
});
