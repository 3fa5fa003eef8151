import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { eventCatalog, eventNames } from '../../services/webhooks/event-catalog.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildBot } from '../support/worker.ts';
import { startReceiver } from './receiver.ts';
import {
  createEndpoint,
  emitLead,
  fanOut,
  leadCaptured,
  startDispatcher,
  UNREACHABLE_URL,
} from './support.ts';

describe('webhooks:', () => {
  let parley: SharedParley;
  let org: TestOrg;

  before(async () => (parley = await startSharedParley()));
  beforeEach(async () => (org = await parley.buildOrg()));

  describe('createWebhook', () => {
    it('creates an endpoint and returns its secret', async () => {
      const botId = await buildBot(org);
      const { status, body } = await org.client.post('/api/webhooks', {
        url: UNREACHABLE_URL,
        events: ['lead.captured', 'message.created'],
        description: 'CRM',
        bot_id: botId,
      });
      assert.equal(status, 201);
      const { id, secret, created_at: createdAt, ...rest } = body;
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(rest, {
        org_id: org.orgId,
        bot_id: botId,
        url: UNREACHABLE_URL,
        description: 'CRM',
        events: ['lead.captured', 'message.created'],
        api_version: '2026-09-03',
        is_active: true,
        health: 'unknown',
        consecutive_failures: 0,
        delivery_count: 0,
        failure_count: 0,
        last_error: null,
        last_failure_at: null,
        last_success_at: null,
        disabled_at: null,
        secret_hint: secret.slice(-4),
        updated_at: createdAt,
      });
      const read = await org.client.get(`/api/webhooks/${id}`);
      assert.deepEqual(read.body, { id, created_at: createdAt, ...rest });
    });

    it('refuses a fifty-first endpoint with conflict, even among simultaneous requests', async () => {
      const create = () => org.client.post('/api/webhooks', { url: UNREACHABLE_URL });
      const answers = await Promise.all(Array.from({ length: 53 }, create));
      const refused = answers.filter(({ status }) => status !== 201);
      assert.deepEqual(refused.map(formatOutcome), Array(3).fill('409 conflict'));
      assert.equal(
        refused[0]!.problem.error.message,
        'A workspace can have at most 50 webhook endpoints; delete one first.',
      );
      const listed = (await org.client.get('/api/webhooks')).body;
      assert.equal(listed.length, 50);
      await org.client.delete(`/api/webhooks/${listed[0]!.id}`);
      assert.equal((await create()).status, 201);
    });

    it('refuses a sixth endpoint on one domain without a plan, also if updateWebhook moves it there', async () => {
      await parley.database.repository(Org).update({ id: org.orgId }, { planTier: 'free' });
      const onHost = (path: string) => `http://localhost:9/${path}`;
      const create = (url: string) => org.client.post('/api/webhooks', { url });
      const created = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((path) => create(onHost(path))));
      assert.deepEqual(created.map(formatOutcome).toSorted(), [...Array(5).fill('201'), '422 url_refused']);
      const refused = created.find(({ status }) => status === 422)!;
      assert.deepEqual(
        refused.problem.details.map(({ field, message }) => [field, message]),
        [
          [
            'url',
            'A workspace without a plan can have at most 5 endpoints on one domain; delete one of localhost first.',
          ],
        ],
      );
      const { body: elsewhere } = await create('http://127.0.0.2:9/a');
      const move = (id: string, url: string) => org.client.patch(`/api/webhooks/${id}`, { url });
      for (const url of [onHost('g'), 'http://LOCALHOST.:9/g'])
        assert.equal(formatOutcome(await move(elsewhere.id, url)), '422 url_refused');
      const { body: listed } = await org.client.get('/api/webhooks');
      const onFullDomain = listed.find(({ url }) => url.startsWith(onHost('')))!;
      assert.equal((await move(onFullDomain.id, onHost('moved'))).status, 200);
    });

    it('changes of one endpoint’s URL with and without If-Match wait for each other', async () => {
      const { body } = await org.client.post('/api/webhooks', { url: UNREACHABLE_URL });
      const path = `/api/webhooks/${body.id}` as const;
      for (let round = 0; round < 10; round += 1) {
        const read = await org.client.fetch(path);
        const tag = read.headers.get('etag')!;
        await read.text();
        const change = (ifMatch?: string) =>
          org.client.patch(
            path,
            { url: `${UNREACHABLE_URL}/${round}` },
            ifMatch === undefined ? {} : { 'if-match': ifMatch },
          );
        const statuses = (await Promise.all([change(tag), change(), change(tag), change()])).map(
          ({ status }) => status,
        );
        for (const status of statuses) assert.ok([200, 412].includes(status), String(statuses));
      }
    });

    it('subscribes to all events and all bots by default', async () => {
      const { body } = await org.client.post('/api/webhooks', { url: UNREACHABLE_URL });
      assert.deepEqual([body.events, body.bot_id, body.description], [eventNames, null, null]);
    });

    for (const [what, overrides, field] of [
      ['no event', { events: [] }, 'events'],
      ['an unknown event', { events: ['lead.lost'] }, 'events[0]'],
      ['an event twice', { events: ['lead.captured', 'lead.captured'] }, 'events'],
      ['a long URL', { url: `https://example.com/${'x'.repeat(2000)}` }, 'url'],
      ['no URL', { url: undefined }, 'url'],
      ['an unknown field', { secret: 'mine' }, 'secret'],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { status, body, problem } = await org.client.post('/api/webhooks', {
          url: UNREACHABLE_URL,
          ...overrides,
        });
        assert.equal(formatOutcome({ status, body }), '422 validation_error');
        assert.deepEqual(
          problem.details.map((detail: { field: string }) => detail.field),
          [field],
        );
      });
    }

    it('refuses another workspace’s bot and an unknown bot', async () => {
      const foreign = await buildBot(await parley.buildOrg());
      const refusal = await org.client.post('/api/webhooks', { url: UNREACHABLE_URL, bot_id: foreign });
      assert.equal(formatOutcome(refusal), '403 forbidden');
      const unknown = await org.client.post('/api/webhooks', { url: UNREACHABLE_URL, bot_id: newId() });
      assert.equal(formatOutcome(unknown), '404 not_found');
    });
  });

  describe('listWebhooks', () => {
    it('lists the workspace’s endpoints, newest first, or those of one bot', async () => {
      const botId = await buildBot(org);
      const first = await createEndpoint(org, UNREACHABLE_URL);
      const second = await createEndpoint(org, UNREACHABLE_URL, { bot_id: botId });
      await createEndpoint(await parley.buildOrg(), UNREACHABLE_URL);
      const listIds = async (query = '') =>
        (await org.client.get(`/api/webhooks${query}`)).body.map(({ id }) => id);
      assert.deepEqual(await listIds(), [second.id, first.id]);
      assert.deepEqual(await listIds(`?bot_id=${botId}`), [second.id]);
    });
  });

  describe('getWebhook', () => {
    for (const [health, changes] of [
      ['unknown', {}],
      ['healthy', { deliveryCount: 1 }],
      ['degraded', { deliveryCount: 4, consecutiveFailures: 4 }],
      ['failing', { deliveryCount: 5, consecutiveFailures: 5 }],
      ['disabled', { deliveryCount: 5, consecutiveFailures: 5, isActive: false }],
    ] as const) {
      it(`derives the health ${health}`, async () => {
        const { id } = await createEndpoint(org, UNREACHABLE_URL);
        if (Object.keys(changes).length > 0)
          await parley.database.repository(Webhook).update(id, { ...changes });
        assert.equal((await org.client.get(`/api/webhooks/${id}`)).body.health, health);
      });
    }

    it('and deleteWebhook return 403 for another workspace’s endpoint and 404 for an unknown endpoint', async () => {
      const { id } = await createEndpoint(await parley.buildOrg(), UNREACHABLE_URL);
      for (const method of ['get', 'delete'] as const) {
        assert.equal((await org.client[method](`/api/webhooks/${id}`)).status, 403);
        assert.equal((await org.client[method](`/api/webhooks/${newId()}`)).status, 404);
        assert.equal((await org.client[method]('/api/webhooks/nonsense')).status, 422);
      }
    });
  });

  describe('deleteWebhook', () => {
    it('deletes the endpoint and its pending deliveries', async () => {
      const { id } = await createEndpoint(org, UNREACHABLE_URL);
      await emitLead(parley, org);
      await fanOut(parley);
      assert.equal((await org.client.get('/api/webhooks/deliveries')).body.total, 1);
      const { status, body } = await org.client.delete(`/api/webhooks/${id}`);
      assert.deepEqual([status, body.message], [200, 'The endpoint is removed.']);
      assert.equal((await org.client.get(`/api/webhooks/${id}`)).status, 404);
      assert.equal((await org.client.get('/api/webhooks/deliveries')).body.total, 0);
    });
  });

  describe('listWebhookEvents', () => {
    it('returns the catalog to a viewer', async () => {
      const viewer = await parley.buildOrg({ role: 'viewer', scopes: ['webhooks:read'] });
      const { status, body } = await viewer.client.get('/api/webhooks/events');
      assert.equal(status, 200);
      assert.deepEqual(body, JSON.parse(JSON.stringify(eventCatalog)));
      assert.equal((await viewer.client.get('/api/webhooks')).status, 403);
    });
  });

  describe('listWebhookDeliveries', () => {
    it('returns request, response and the reason of a waiting retry', async () => {
      const receiver = await startReceiver((response) => response.writeHead(503).end('closed for lunch'));
      const dispatcher = startDispatcher(parley);
      try {
        const { id } = await createEndpoint(org, receiver.url);
        const data = leadCaptured();
        await emitLead(parley, org, data);
        await fanOut(parley);
        const readFirst = () => org.client.get(`/api/webhooks/deliveries?webhook_id=${id}`);
        await waitUntil(
          async () => (await readFirst()).body.items[0]!.status !== 'pending',
          'the first attempt',
        );
        const { status, body } = await readFirst();
        assert.equal(status, 200);
        const { items, ...page } = body;
        assert.deepEqual(page, { total: 1, page: 1, page_size: 20, has_more: false, next_cursor: null });
        const {
          next_attempt_at: nextAttemptAt,
          duration_ms: durationMs,
          payload,
          attempt_log,
          ...rest
        } = items[0]!;
        const { at, ...attempt } = attempt_log[0]!;
        assert.ok(Date.parse(at!) <= Date.now());
        assert.deepEqual(attempt, {
          number: 1,
          outcome: 'failed',
          reason: rest.reason,
          response_status: 503,
          duration_ms: durationMs,
        });
        assert.deepEqual(rest, {
          id: receiver.requests[0]!.headers['x-webhook-delivery'],
          webhook_id: id,
          event: 'lead.captured',
          status: 'retrying',
          attempts: 1,
          reason: 'http_503: The receiver responded with 503 Service Unavailable.',
          response_status: 503,
          response_body: 'closed for lunch',
          webhook_health: 'degraded',
          replay_of_id: null,
          replayed_as_id: null,
          created_at: rest.created_at,
          delivered_at: null,
        });
        assert.ok(Date.parse(nextAttemptAt!) > Date.parse(at!) && durationMs! >= 0);
        assert.deepEqual(payload, JSON.parse(receiver.requests[0]!.body));
        assert.deepEqual(JSON.parse(receiver.requests[0]!.body).data.fields, data.fields);
      } finally {
        await dispatcher.stop();
        await receiver.close();
      }
    });

    it('filters by id, endpoint, event, status and time, with pages', async () => {
      const wanted = await createEndpoint(org, UNREACHABLE_URL);
      await createEndpoint(org, UNREACHABLE_URL, { events: ['lead.captured'] });
      for (let count = 0; count < 3; count += 1) await emitLead(parley, org);
      await fanOut(parley);
      await createEndpoint(await parley.buildOrg(), UNREACHABLE_URL);
      const readIds = async (query: string) =>
        (await org.client.get(`/api/webhooks/deliveries?${query}`)).body;
      const all = await readIds('page_size=4');
      assert.deepEqual([all.total, all.items.length, all.has_more], [6, 4, true]);
      const rest = await readIds(`page_size=4&cursor=${all.next_cursor}`);
      const ids = [...all.items, ...rest.items].map(({ id }) => id);
      assert.equal(new Set(ids).size, 6);
      const { id, created_at: createdAt } = all.items[0]!;
      const later = new Date(Date.parse(createdAt) + 1).toISOString();
      for (const [query, total] of [
        [`id=${id}`, 1],
        [`webhook_id=${wanted.id}`, 3],
        ['event=lead.captured', 6],
        ['event=contact.updated', 0],
        ['status=pending', 6],
        ['status=failed', 0],
        [`from=${createdAt}`, 6],
        [`from=${later}`, 0],
        [`to=${createdAt}`, 0],
        [`to=${later}&status=pending&webhook_id=${wanted.id}`, 3],
      ] as const) {
        assert.equal((await readIds(query)).total, total, query);
      }
      assert.equal((await org.client.get('/api/webhooks/deliveries?status=lost')).status, 422);
    });
  });
});
