import assert from 'node:assert/strict';
import { Type } from '@sinclair/typebox';
import { Validator } from '@seriousme/openapi-schema-validator';
import { defineOperation } from '../../api/http/operation.ts';
import {
  ApiVersions,
  shippedVersions,
  type JsonObject,
  type VersionChange,
} from '../../core/api-versions.ts';
import { newId } from '../../core/ids.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { serveOperations } from '../support/serve-operations.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createEndpoint, emitLead, fanOut, leadCaptured, startDispatcher } from '../webhooks/support.ts';
import { formatOutcome } from '../support/outcome.ts';

const CURRENT = '2026-09-03';
const MIDDLE = '2026-03-01';
const OLDEST = '2025-09-01';

function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

/** A bot's and a lead's member gets another name. */
function rename(from: string, to: string, leadFrom: string, leadTo: string): VersionChange {
  return {
    description: `${from} is called ${to}.`,
    operations: ['createBot', 'getBot'],
    request: (body) => renamed(body, from, to),
    response: (body) => renamed(body as JsonObject, to, from),
    events: ['lead.captured'],
    event: (data) => renamed(data, leadTo, leadFrom),
    schema: (document) => {
      const components = document['components'] as { schemas: Record<string, JsonObject> };
      const { BotCreate = {} } = components.schemas;
      const older = { ...BotCreate, properties: renamed(BotCreate['properties'] as JsonObject, to, from) };
      return {
        ...document,
        components: { ...components, schemas: { ...components.schemas, BotCreate: older } },
      };
    },
  };
}

const versions = new ApiVersions([
  {
    version: CURRENT,
    changes: [rename('title', 'name', 'replies', 'fields')],
    deprecatedAt: null,
    sunsetAt: null,
  },
  {
    version: MIDDLE,
    changes: [rename('label', 'title', 'values', 'replies')],
    deprecatedAt: null,
    sunsetAt: null,
  },
  {
    version: OLDEST,
    changes: [{ description: 'The first version.' }],
    deprecatedAt: '2026-03-01',
    sunsetAt: '2027-09-01',
  },
]);

const pinned = (version: string, headers: Record<string, string> = {}) => ({
  'x-api-version': version,
  ...headers,
});

/** What is read of an OpenAPI document here. */
interface ApiDocument extends Record<string, unknown> {
  info: { version: string };
  components: { schemas: Record<string, { properties: object }> };
  paths: Record<string, Record<string, { parameters: { name: string; schema: { enum?: string[] } }[] }>>;
}

describe('versions of the API', () => {
  let parley: TestParley;
  let org: TestOrg;
  before(async () => (parley = await startParley({}, { versions })));
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  describe('a request that pins one', () => {
    it('is read, and its response written, as that version has it', async () => {
      const created = await org.client.post('/api/bots', { title: 'Ada' }, pinned(MIDDLE));
      assert.equal(created.status, 201);
      assert.equal(created.headers.get('x-api-version'), MIDDLE);
      const { title, ...rest } = created.body as JsonObject;
      assert.equal(title, 'Ada');
      assert.ok(!('name' in rest));
      const now = await org.client.get(`/api/bots/${created.body.id}`);
      assert.equal(now.headers.get('x-api-version'), CURRENT);
      assert.deepEqual(renamed({ ...now.body }, 'name', 'title'), created.body);
    });

    it('goes through all changes since, in their order', async () => {
      const created = await org.client.post('/api/bots', { label: 'Ada' }, pinned(OLDEST));
      assert.equal(created.status, 201);
      assert.equal((created.body as JsonObject)['label'], 'Ada');
      const path = `/api/bots/${created.body.id}` as const;
      assert.equal((await org.client.get(path)).body.name, 'Ada');
      const named = async (version: string, name: string) =>
        ((await org.client.get(path, pinned(version))).body as JsonObject)[name];
      assert.equal(await named(MIDDLE, 'title'), 'Ada');
      assert.equal(await named(OLDEST, 'label'), 'Ada');
    });

    it('may not use what other versions call it', async () => {
      assert.equal(
        formatOutcome(await org.client.post('/api/bots', { title: 'Ada' })),
        '422 validation_error',
      );
      assert.equal(
        formatOutcome(await org.client.post('/api/bots', { label: 'Ada' }, pinned(MIDDLE))),
        '422 validation_error',
      );
    });

    it('fails as every request does, with the version in its headers', async () => {
      const response = await org.client.post('/api/bots', { title: '' }, pinned(MIDDLE));
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.equal(response.headers.get('x-api-version'), MIDDLE);
      for (const body of ['null', '[]', '"title"', '{"title":[]}']) {
        assert.equal(
          formatOutcome(await org.client.post('/api/bots', body, pinned(OLDEST))),
          '422 validation_error',
        );
      }
    });

    it('finds other operations unchanged', async () => {
      const [older, now] = await Promise.all([
        org.client.get('/api/bots', pinned(OLDEST)),
        org.client.get('/api/bots'),
      ]);
      assert.deepEqual(older.body, now.body);
      assert.equal(older.headers.get('x-api-version'), OLDEST);
    });

    it('is refused with the list when there is no such version', async () => {
      const response = await org.client.get('/api/bots', pinned('2024-01-01'));
      assert.equal(formatOutcome(response), '400 unsupported_version');
      assert.equal(
        response.problem.error.message,
        `The API has no version "2024-01-01"; there are: ${CURRENT}, ${MIDDLE}, ${OLDEST}.`,
      );
    });
  });

  describe('an API key that records one', () => {
    const record = (version: string) =>
      parley.database.sql('UPDATE api_keys SET api_version = $2 WHERE org_id = $1', [org.orgId, version]);

    it('does so from the day it is made', async () => {
      assert.deepEqual(
        await parley.database.sql('SELECT api_version FROM api_keys WHERE org_id = $1', [org.orgId]),
        [{ api_version: shippedVersions.current }],
      );
    });

    it('pins it for requests that name none', async () => {
      await record(MIDDLE);
      const response = await org.client.post('/api/bots', { title: 'Ada' });
      assert.equal(response.headers.get('x-api-version'), MIDDLE);
      assert.equal((response.body as JsonObject)['title'], 'Ada');
    });

    it('gives way to the header', async () => {
      await record(MIDDLE);
      const response = await org.client.post('/api/bots', { name: 'Ada' }, pinned(CURRENT));
      assert.equal(response.headers.get('x-api-version'), CURRENT);
      assert.equal(response.body.name, 'Ada');
    });

    it('does not fall forward when that version is gone', async () => {
      await record('2024-01-01');
      assert.equal(formatOutcome(await org.client.get('/api/bots')), '400 unsupported_version');
      assert.equal((await org.client.get('/api/bots', pinned(CURRENT))).status, 200);
    });
  });

  describe('an Idempotency-Key', () => {
    it('repeats the response as its version had it', async () => {
      const headers = pinned(OLDEST, { 'idempotency-key': newId() });
      const first = await org.client.post('/api/bots', { label: 'Once' }, headers);
      const second = await org.client.post('/api/bots', { label: 'Once' }, headers);
      assert.equal(second.headers.get('idempotent-replay'), 'true');
      assert.equal(second.headers.get('x-api-version'), OLDEST);
      assert.equal((second.body as JsonObject)['label'], 'Once');
      assert.deepEqual(second.body, first.body);
    });

    it('belongs to the version it was first used with', async () => {
      const key = { 'idempotency-key': newId() };
      const first = await org.client.post('/api/bots', { title: 'Once' }, pinned(MIDDLE, key));
      const other = await org.client.post('/api/bots', { name: 'Once' }, pinned(CURRENT, key));
      assert.equal(formatOutcome(other), '422 idempotency_key_reused');
      const again = await org.client.post('/api/bots', { title: 'Once' }, pinned(MIDDLE, key));
      assert.equal(again.body.id, first.body.id);
    });
  });

  describe('a deprecated version', () => {
    it('says so in the headers of every response, failures too', async () => {
      const page = `${parley.runtime.settings.baseUrl}/api/meta/versions`;
      for (const path of ['/api/bots', `/api/bots/${newId()}`]) {
        const { headers } = await org.client.get(path, pinned(OLDEST));
        assert.equal(headers.get('deprecation'), '@1772323200');
        assert.equal(headers.get('sunset'), 'Wed, 01 Sep 2027 00:00:00 GMT');
        assert.equal(headers.get('link'), `<${page}>; rel="deprecation", <${page}>; rel="sunset"`);
      }
    });

    it('is the only one that does', async () => {
      for (const version of [CURRENT, MIDDLE]) {
        const { headers } = await org.client.get('/api/bots', pinned(version));
        for (const name of ['deprecation', 'sunset', 'link']) assert.equal(headers.get(name), null);
      }
    });

    it('is listed by listApiVersions with its dates', async () => {
      const { body } = await parley.client().get('/api/meta/versions');
      assert.deepEqual(body, [
        { version: CURRENT, changes: ['title is called name.'], deprecated_at: null, sunset_at: null },
        { version: MIDDLE, changes: ['label is called title.'], deprecated_at: null, sunset_at: null },
        {
          version: OLDEST,
          changes: ['The first version.'],
          deprecated_at: '2026-03-01',
          sunset_at: '2027-09-01',
        },
      ]);
    });
  });

  describe('getOpenApi', () => {
    it('returns the document of the version that is asked for', async () => {
      for (const [version, name] of [
        [CURRENT, 'name'],
        [MIDDLE, 'title'],
        [OLDEST, 'label'],
      ] as const) {
        const body = (await parley.client().get('/openapi.json', pinned(version))).body as ApiDocument;
        assert.equal(body.info.version, version);
        const { properties } = body.components.schemas['BotCreate']!;
        assert.deepEqual(
          ['name', 'title', 'label'].filter((key) => key in properties),
          [name],
        );
        const { valid, errors } = await new Validator().validate(body);
        assert.ok(valid, JSON.stringify(errors));
      }
    });

    it('lists the versions that can be pinned', async () => {
      const body = (await parley.client().get('/openapi.json')).body as ApiDocument;
      const { parameters } = body.paths['/api/bots']!['get']!;
      const version = parameters.find(({ name }) => name === 'X-API-Version');
      assert.deepEqual(version?.schema.enum, [CURRENT, MIDDLE, OLDEST]);
    });
  });

  describe('webhook deliveries', () => {
    it('have the version of their endpoint', async () => {
      const receiver = await startReceiver();
      const dispatcher = startDispatcher(parley);
      try {
        const endpoints = new Map<string, string>();
        for (const version of [CURRENT, MIDDLE, OLDEST]) {
          const { id } = await createEndpoint(org, receiver.url, {}, pinned(version));
          endpoints.set(id, version);
        }
        const data = leadCaptured();
        await emitLead(parley, org, data);
        await fanOut(parley);
        await waitUntil(async () => receiver.requests.length === 3, 'three deliveries');
        const received = receiver.requests.map(({ headers, body }) => {
          const version = headers['x-webhook-version'];
          assert.equal(version, endpoints.get(String(headers['x-webhook-id'])));
          const { event_id: _id, occurred_at: _at, ...own } = JSON.parse(body).data;
          return [version, own];
        });
        assert.deepEqual(Object.fromEntries(received), {
          [CURRENT]: data,
          [MIDDLE]: renamed({ ...data }, 'fields', 'replies'),
          [OLDEST]: renamed({ ...data }, 'fields', 'values'),
        });
      } finally {
        await dispatcher.stop();
        await receiver.close();
      }
    });
  });

  describe('a deprecated operation', () => {
    let server: Awaited<ReturnType<typeof serveOperations>>;
    const link = 'https://docs.example.com/old';
    const getOld = defineOperation({
      id: 'getOld',
      method: 'GET',
      path: '/old',
      tag: 'meta',
      auth: 'public',
      scope: null,
      role: null,
      responses: { 200: Type.Object({}) },
      deprecated: { since: '2026-09-03', sunset: '2027-03-03', link },
      summary: 'Something old.',
      handle: async () => ({}),
    });

    before(async () => {
      server = await serveOperations([getOld], parley.runtime);
    });
    after(() => server.close(100));

    const headersOf = async (version: string) =>
      (await fetch(`${server.baseUrl}/old`, { headers: pinned(version) })).headers;

    it('says so in every version', async () => {
      const headers = await headersOf(CURRENT);
      assert.equal(headers.get('deprecation'), '@1788393600');
      assert.equal(headers.get('sunset'), 'Wed, 03 Mar 2027 00:00:00 GMT');
      assert.equal(headers.get('link'), `<${link}>; rel="deprecation", <${link}>; rel="sunset"`);
    });

    it('in a deprecated version has the earlier dates and the links of both', async () => {
      const headers = await headersOf(OLDEST);
      assert.equal(headers.get('deprecation'), '@1772323200');
      assert.equal(headers.get('sunset'), 'Wed, 03 Mar 2027 00:00:00 GMT');
      assert.equal(headers.get('link')?.match(/rel="deprecation"/g)?.length, 2);
    });
  });
});
