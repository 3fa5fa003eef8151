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

function renameField(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

/** Builds a version change of the API that renames a field of a bot and of a lead. */
function buildRename(from: string, to: string, leadFrom: string, leadTo: string): VersionChange {
  return {
    description: `${from} is called ${to}.`,
    operations: ['createBot', 'getBot'],
    convertRequest: (body) => renameField(body, from, to),
    convertResponse: (body) => renameField(body as JsonObject, to, from),
    events: ['lead.captured'],
    convertEvent: (data) => renameField(data, leadTo, leadFrom),
    convertDocument: (document) => {
      const components = document['components'] as { schemas: Record<string, JsonObject> };
      const { BotCreate = {} } = components.schemas;
      const older = {
        ...BotCreate,
        properties: renameField(BotCreate['properties'] as JsonObject, to, from),
      };
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
    changes: [buildRename('title', 'name', 'replies', 'fields')],
    deprecatedAt: null,
    sunsetAt: null,
  },
  {
    version: MIDDLE,
    changes: [buildRename('label', 'title', 'values', 'replies')],
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

const pinVersion = (version: string, headers: Record<string, string> = {}) => ({
  'x-api-version': version,
  ...headers,
});

/** The parts of an OpenAPI document that these tests read. */
interface ApiDocument extends Record<string, unknown> {
  info: { version: string };
  components: { schemas: Record<string, { properties: object }> };
  paths: Record<string, Record<string, { parameters: { name: string; schema: { enum?: string[] } }[] }>>;
}

describe('versions of the API:', () => {
  let parley: TestParley;
  let org: TestOrg;
  before(async () => (parley = await startParley({}, { versions })));
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  describe('a request with X-API-Version', () => {
    it('is parsed and answered in that version', async () => {
      const created = await org.client.post('/api/bots', { title: 'Ada' }, pinVersion(MIDDLE));
      assert.equal(created.status, 201);
      assert.equal(created.headers.get('x-api-version'), MIDDLE);
      const { title, ...rest } = created.body as JsonObject;
      assert.equal(title, 'Ada');
      assert.ok(!('name' in rest));
      const now = await org.client.get(`/api/bots/${created.body.id}`);
      assert.equal(now.headers.get('x-api-version'), CURRENT);
      assert.deepEqual(renameField({ ...now.body }, 'name', 'title'), created.body);
    });

    it('is converted by all later changes, in order', async () => {
      const created = await org.client.post('/api/bots', { label: 'Ada' }, pinVersion(OLDEST));
      assert.equal(created.status, 201);
      assert.equal((created.body as JsonObject)['label'], 'Ada');
      const path = `/api/bots/${created.body.id}` as const;
      assert.equal((await org.client.get(path)).body.name, 'Ada');
      const createNamed = async (version: string, name: string) =>
        ((await org.client.get(path, pinVersion(version))).body as JsonObject)[name];
      assert.equal(await createNamed(MIDDLE, 'title'), 'Ada');
      assert.equal(await createNamed(OLDEST, 'label'), 'Ada');
    });

    it('may not use the field names of other versions', async () => {
      assert.equal(
        formatOutcome(await org.client.post('/api/bots', { title: 'Ada' })),
        '422 validation_error',
      );
      assert.equal(
        formatOutcome(await org.client.post('/api/bots', { label: 'Ada' }, pinVersion(MIDDLE))),
        '422 validation_error',
      );
    });

    it('gets the version in the headers even of failures', async () => {
      const response = await org.client.post('/api/bots', { title: '' }, pinVersion(MIDDLE));
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.equal(response.headers.get('x-api-version'), MIDDLE);
      for (const body of ['null', '[]', '"title"', '{"title":[]}']) {
        assert.equal(
          formatOutcome(await org.client.post('/api/bots', body, pinVersion(OLDEST))),
          '422 validation_error',
        );
      }
    });

    it('gets the current response from operations that are the same in every version', async () => {
      const [older, now] = await Promise.all([
        org.client.get('/api/bots', pinVersion(OLDEST)),
        org.client.get('/api/bots'),
      ]);
      assert.deepEqual(older.body, now.body);
      assert.equal(older.headers.get('x-api-version'), OLDEST);
    });

    it('is refused with the known versions if its version is unknown', async () => {
      const response = await org.client.get('/api/bots', pinVersion('2024-01-01'));
      assert.equal(formatOutcome(response), '400 unsupported_version');
      assert.equal(
        response.problem.error.message,
        `The API has no version "2024-01-01". Supported versions: ${CURRENT}, ${MIDDLE}, ${OLDEST}.`,
      );
    });
  });

  describe('an API key with a version', () => {
    const setVersion = (version: string) =>
      parley.database.sql('UPDATE api_keys SET api_version = $2 WHERE org_id = $1', [org.orgId, version]);

    it('has the current version when it is created', async () => {
      assert.deepEqual(
        await parley.database.sql('SELECT api_version FROM api_keys WHERE org_id = $1', [org.orgId]),
        [{ api_version: shippedVersions.current }],
      );
    });

    it('applies its version to requests without the header', async () => {
      await setVersion(MIDDLE);
      const response = await org.client.post('/api/bots', { title: 'Ada' });
      assert.equal(response.headers.get('x-api-version'), MIDDLE);
      assert.equal((response.body as JsonObject)['title'], 'Ada');
    });

    it('is overridden by the header', async () => {
      await setVersion(MIDDLE);
      const response = await org.client.post('/api/bots', { name: 'Ada' }, pinVersion(CURRENT));
      assert.equal(response.headers.get('x-api-version'), CURRENT);
      assert.equal(response.body.name, 'Ada');
    });

    it('is refused if its version was removed', async () => {
      await setVersion('2024-01-01');
      assert.equal(formatOutcome(await org.client.get('/api/bots')), '400 unsupported_version');
      assert.equal((await org.client.get('/api/bots', pinVersion(CURRENT))).status, 200);
    });
  });

  describe('an Idempotency-Key', () => {
    it('repeats the response in its original version', async () => {
      const headers = pinVersion(OLDEST, { 'idempotency-key': newId() });
      const first = await org.client.post('/api/bots', { label: 'Once' }, headers);
      const second = await org.client.post('/api/bots', { label: 'Once' }, headers);
      assert.equal(second.headers.get('idempotent-replay'), 'true');
      assert.equal(second.headers.get('x-api-version'), OLDEST);
      assert.equal((second.body as JsonObject)['label'], 'Once');
      assert.deepEqual(second.body, first.body);
    });

    it('is bound to the version of its first use', async () => {
      const key = { 'idempotency-key': newId() };
      const first = await org.client.post('/api/bots', { title: 'Once' }, pinVersion(MIDDLE, key));
      const other = await org.client.post('/api/bots', { name: 'Once' }, pinVersion(CURRENT, key));
      assert.equal(formatOutcome(other), '422 idempotency_key_reused');
      const again = await org.client.post('/api/bots', { title: 'Once' }, pinVersion(MIDDLE, key));
      assert.equal(again.body.id, first.body.id);
    });
  });

  describe('a deprecated version', () => {
    it('is announced in the headers of every response, even of failures', async () => {
      const page = `${parley.runtime.settings.baseUrl}/api/meta/versions`;
      for (const path of ['/api/bots', `/api/bots/${newId()}`]) {
        const { headers } = await org.client.get(path, pinVersion(OLDEST));
        assert.equal(headers.get('deprecation'), '@1772323200');
        assert.equal(headers.get('sunset'), 'Wed, 01 Sep 2027 00:00:00 GMT');
        assert.equal(headers.get('link'), `<${page}>; rel="deprecation", <${page}>; rel="sunset"`);
      }
    });

    it('is the only announced version', async () => {
      for (const version of [CURRENT, MIDDLE]) {
        const { headers } = await org.client.get('/api/bots', pinVersion(version));
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
    it('returns the document of the requested version', async () => {
      for (const [version, name] of [
        [CURRENT, 'name'],
        [MIDDLE, 'title'],
        [OLDEST, 'label'],
      ] as const) {
        const body = (await parley.client().get('/openapi.json', pinVersion(version))).body as ApiDocument;
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

    it('lists the versions that a caller can pin', async () => {
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
          const { id } = await createEndpoint(org, receiver.url, {}, pinVersion(version));
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
          [MIDDLE]: renameField({ ...data }, 'fields', 'replies'),
          [OLDEST]: renameField({ ...data }, 'fields', 'values'),
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

    const readHeaders = async (version: string) =>
      (await fetch(`${server.baseUrl}/old`, { headers: pinVersion(version) })).headers;

    it('is announced in every version', async () => {
      const headers = await readHeaders(CURRENT);
      assert.equal(headers.get('deprecation'), '@1788393600');
      assert.equal(headers.get('sunset'), 'Wed, 03 Mar 2027 00:00:00 GMT');
      assert.equal(headers.get('link'), `<${link}>; rel="deprecation", <${link}>; rel="sunset"`);
    });

    it('in a deprecated version has the earlier dates and both links', async () => {
      const headers = await readHeaders(OLDEST);
      assert.equal(headers.get('deprecation'), '@1772323200');
      assert.equal(headers.get('sunset'), 'Wed, 03 Mar 2027 00:00:00 GMT');
      assert.equal(headers.get('link')?.match(/rel="deprecation"/g)?.length, 2);
    });
  });
});
