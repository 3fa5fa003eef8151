import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { copyRow } from '../support/copy-row.ts';
import { measureLoop } from '../support/loop-meter.ts';
import {
  buildResources,
  endsItsCaller,
  buildOperationPath,
  buildOperationRequest,
  selectToken,
  type Resources,
} from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const MAX_BLOCKED_MS = 50;
/**
 * Maximum number of attempts to measure a request, of which the fastest counts: other programs and garbage
 * collection slow down others.
 */
const ATTEMPTS = 30;
/** Number of bytes for a value that fit into the 16 KB that Node's parser allows for the first line and all headers. */
const MAX_HEADER_CHARACTERS = 14_500;
const MAX_READ_ROWS = 5000;

const fillToLimit = (text: string, room = MAX_HEADER_CHARACTERS) =>
  text.repeat(Math.floor(room / text.length));

/** Values of a query parameter, as long as a request allows. */
const values: Record<string, string> = {
  commas: fillToLimit(','),
  'escaped commas': fillToLimit('%2C'),
  'combining marks': fillToLimit('%CC%81%CC%B4'),
  ligatures: fillToLimit('%EF%B7%BA'),
  letters: fillToLimit('a'),
  digits: fillToLimit('1'),
  blanks: fillToLimit('%20'),
  'broken escapes': fillToLimit('%'),
  wildcards: fillToLimit('%25'),
  'a fraction of a second': `2026-01-01T00:00:00.${fillToLimit('0', 14_000)}Z`,
};

const headerValues: Record<string, string> = {
  commas: fillToLimit(','),
  quotes: fillToLimit('"'),
  'an open quote': `"${fillToLimit(',')}`,
  'an open parameter': `text/html;a="${fillToLimit(';')}`,
  'media types': fillToLimit('a/b,'),
  'media types with parameters': `a/b${fillToLimit(';a=b')}`,
  languages: fillToLimit('en;q=0.1,'),
  encodings: fillToLimit('br;q=0.5,'),
  'entity tags': fillToLimit('W/"a",'),
  ranges: `bytes=${fillToLimit('0-1,')}`,
  cookies: fillToLimit('a=b; '),
  addresses: fillToLimit('1.2.3.4,'),
  credentials: `Bearer ${fillToLimit('a.')}`,
  blanks: `a${fillToLimit(' ')}b`,
  'a boundary': `multipart/form-data; ${fillToLimit('boundary=')}`,
};

const headerNames = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'authorization',
  'baggage',
  'content-type',
  'cookie',
  'forwarded',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'origin',
  'prefer',
  'range',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-version',
  'x-forwarded-for',
];

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

describe('a request of maximum size', () => {
  let parley: TestParley;
  let resources: Resources;
  before(async () => {
    parley = await startParley();
    resources = await buildResources(parley);
  });
  after(() => parley.stop());

  function send({ method, path, headers, body }: Sent): Promise<number> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const sent = request(parley.baseUrl + path, {
        method,
        agent: false,
        headers: { ...length, ...headers },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const status = response.statusCode!;
        const isEndless = String(response.headers['content-type']).startsWith('text/event-stream');
        response.once('error', () => resolve(status));
        response.once('end', () => resolve(status));
        if (!isEndless) return response.resume();
        response.destroy();
        resolve(status);
      });
      sent.end(body);
    });
  }

  /** Sends a request, and returns a description if it is too expensive or fails; null otherwise. */
  async function findCostFault(name: string, sent: Sent, isFine: (status: number) => boolean) {
    let least = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && least > MAX_BLOCKED_MS; attempt += 1) {
      let status = 0;
      const { blockedMs: heldMs } = await measureLoop(async () => void (status = await send(sent)));
      if (!isFine(status)) return `${name}: ${status}`;
      least = Math.min(least, heldMs);
    }
    return least > MAX_BLOCKED_MS ? `${name}: ${Math.round(least)} ms` : null;
  }

  function buildSentRequest(operation: Operation, query = ''): Sent {
    const token = selectToken(operation, resources);
    const { body } = buildOperationRequest(operation);
    return {
      method: operation.method,
      path: buildOperationPath(operation, resources.ids) + query,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      ...(typeof body === 'string' && { body }),
    };
  }

  /** Returns whether a status is no failure. An operation whose provider is not set up returns 503. */
  const isFine = (status: number) => status < 500 || status === 503;

  it('does not block the event loop, whatever a parameter of the query contains', async () => {
    const faults: (string | null)[] = [];
    for (const operation of operations.filter(({ id }) => !endsItsCaller.has(id)))
      for (const name of Object.keys((operation.query?.['properties'] ?? {}) as object)) {
        const queries = Object.entries(values).map(([kind, value]) => [kind, `?${name}=${value}`] as const);
        for (const [kind, query] of [...queries, ['repeated', `?${fillToLimit(`${name}=1&`)}`] as const])
          faults.push(
            await findCostFault(
              `${operation.id} ${name}: ${kind}`,
              buildSentRequest(operation, query),
              isFine,
            ),
          );
      }
    assert.deepEqual(faults.filter(Boolean), []);
  });

  it('does not block the event loop, whatever a part of the path contains', async () => {
    const faults: (string | null)[] = [];
    for (const operation of operations.filter(({ id }) => !endsItsCaller.has(id)))
      for (const [place] of operation.path.matchAll(/\{\w+\}/g))
        for (const kind of ['combining marks', 'letters', 'broken escapes', 'digits'])
          faults.push(
            await findCostFault(
              `${operation.id} ${place}: ${kind}`,
              { ...buildSentRequest(operation), path: operation.path.replace(place, values[kind]!) },
              isFine,
            ),
          );
    assert.deepEqual(faults.filter(Boolean), []);
  });

  it('does not block the event loop, whatever a header contains', async () => {
    const ids = [
      'listBots',
      'createBot',
      'sendWidgetMessage',
      'downloadSignedFile',
      'getErrorPage',
      'uploadDocument',
    ];
    const get = (path: string): Sent => ({ method: 'GET', path, headers: {} });
    const targets = [
      ...operations.filter(({ id }) => ids.includes(id)).map((operation) => buildSentRequest(operation)),
      ...['/console', '/docs', '/docs/guides', '/widget.js', '/nothing'].map(get),
      {
        ...get('/api/public/bots/x/sessions'),
        method: 'OPTIONS',
        headers: { origin: 'https://example.com' },
      },
      {
        ...get('/mcp'),
        method: 'POST',
        headers: {
          authorization: `Bearer ${resources.key}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      },
    ];
    const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`x-${index}`, '1']));
    const faults: (string | null)[] = [];
    for (const target of targets) {
      const name = `${target.method} ${target.path}`;
      for (const header of headerNames)
        for (const [kind, value] of Object.entries(headerValues)) {
          const headers = { ...target.headers, [header]: value };
          faults.push(await findCostFault(`${name} ${header}: ${kind}`, { ...target, headers }, isFine));
        }
      faults.push(
        await findCostFault(
          `${name} of many headers`,
          { ...target, headers: { ...many, ...target.headers } },
          isFine,
        ),
      );
    }
    assert.deepEqual(faults.filter(Boolean), []);
  });

  describe('whose response is as large as possible:', () => {
    /**
     * Copies a row of a database table many times.
     * @param columns arguments of jsonb_build_object for the columns that differ in the copy numbered n
     */
    const fillTable = (table: string, id: string, columns: string, rows = MAX_READ_ROWS) =>
      parley.database.sql(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), ${columns}))).*
         FROM ${table} original, generate_series(1, ${rows}) n WHERE original.id = $1`,
        [id],
      );
    const ageOfN = "'created_at', now() - n * interval '1 s'";

    async function assertIsQuick(id: string, query = ''): Promise<void> {
      const operation = operations.find((each) => each.id === id)!;
      assert.equal(
        await findCostFault(id, buildSentRequest(operation, query), (status) => status === 200),
        null,
      );
    }

    it('listBookings does not block the event loop', async () => {
      const id = resources.ids['booking_id']!;
      await parley.database.sql(`UPDATE bookings SET description = repeat('漢', 5000) WHERE id = $1`, [id]);
      await fillTable('bookings', id, "'status', 'cancelled'", MAX_READ_ROWS - 1);
      await assertIsQuick('listBookings');
    });

    it('exportContacts does not block the event loop', async () => {
      const id = resources.ids['contact_id']!;
      const fields = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`k${at}`, '-'.repeat(240)]));
      await parley.database.sql('UPDATE contacts SET custom_fields = $2::jsonb WHERE id = $1', [
        id,
        JSON.stringify(fields),
      ]);
      await fillTable(
        'contacts',
        id,
        `'visitor_id', 'v' || n, 'browser_id', gen_random_uuid(), ${ageOfN}`,
        2000,
      );
      await assertIsQuick('exportContacts');
    });

    it('listMembers does not block the event loop', async () => {
      const { orgId } = resources;
      await parley.database.sql(
        `WITH people AS (
           INSERT INTO users (id, email, full_name) SELECT gen_random_uuid(), 'p' || n || '@example.com', 'Ada King'
           FROM generate_series(1, ${MAX_READ_ROWS}) n RETURNING id)
         INSERT INTO memberships (id, org_id, user_id, role) SELECT gen_random_uuid(), $1, id, 'viewer' FROM people`,
        [orgId],
      );
      await assertIsQuick('listMembers');
    });

    it('listInvitations does not block the event loop', async () => {
      const own =
        "'email', 'i' || n || '@example.com', 'token_digest', md5(n::text), 'handed_digest', md5('h' || n)";
      await fillTable('invitations', resources.ids['invitation_id']!, own);
      await assertIsQuick('listInvitations');
    });

    it('listApiKeys and listWebhooks do not block the event loop', async () => {
      await fillTable('api_keys', resources.ids['key_id']!, "'digest', md5(n::text)");
      await assertIsQuick('listApiKeys');
      await fillTable('webhooks', resources.ids['id']!, ageOfN);
      await assertIsQuick('listWebhooks');
    });

    it('listFlows does not block the event loop', async () => {
      const nodes = Array.from({ length: 190 }, (_, at) => ({
        id: `n${at}`,
        type: 'message',
        data: { text: 'x'.repeat(2000) },
        position: { x: 1, y: 1 },
      }));
      const id = resources.ids['flow_id']!;
      await parley.database.sql('UPDATE flow_revisions SET graph = $2::jsonb WHERE flow_id = $1', [
        id,
        JSON.stringify({ nodes, edges: [] }),
      ]);
      const flows = await copyRow(
        parley.database,
        id,
        Array.from({ length: 49 }, (_, index) => index),
      );
      await parley.database.sql(
        `INSERT INTO flow_revisions SELECT (jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'flow_id', copy.id))).*
         FROM flow_revisions original, unnest($2::uuid[]) AS copy (id) WHERE original.flow_id = $1`,
        [id, flows],
      );
      await assertIsQuick('listFlows');
    });
  });
});
