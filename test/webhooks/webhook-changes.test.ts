import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { eventNames } from '../../services/webhooks/event-catalog.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildBot } from '../support/worker.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, UNREACHABLE_URL } from './support.ts';

describe('changes of a webhook:', () => {
  const suite = useWebhooks();
  let id: string;
  let secret: string;

  beforeEach(async () => {
    ({ id, secret } = await createEndpoint(suite.org, UNREACHABLE_URL, { description: 'CRM' }));
  });

  const getPath = () => `/api/webhooks/${id}` as const;
  const patchWebhook = (body: object, org = suite.org) => org.client.patch(getPath(), body);
  const readWebhook = async () => (await suite.org.client.get(getPath())).body;
  const updateRow = (changes: Partial<Webhook>) =>
    suite.parley.database.repository(Webhook).update(id, changes);
  const failAttempt = () =>
    updateRow({
      isActive: false,
      disabledAt: new Date(),
      consecutiveFailures: 21,
      failingSince: new Date(),
      lastError: 'http_404: …',
      lastFailureAt: new Date(),
      deliveryCount: 30,
      failureCount: 21,
    });

  describe('updateWebhook', () => {
    it('changes only the fields in the request', async () => {
      const { updated_at: _before, ...before } = await readWebhook();
      for (const changes of [
        { description: 'Help desk' },
        { description: null },
        { url: `${UNREACHABLE_URL}2` },
        { is_active: false },
        {},
      ]) {
        const { status, body } = await patchWebhook(changes);
        assert.equal(status, 200);
        Object.assign(before, changes, { health: 'is_active' in changes ? 'disabled' : before.health });
        const { updated_at: updatedAt, ...after } = body;
        assert.deepEqual(after, before);
        assert.equal((await readWebhook()).updated_at, updatedAt);
      }
    });

    it('disables the endpoint without setting disabled_at', async () => {
      const { body } = await patchWebhook({ is_active: false });
      assert.deepEqual([body.is_active, body.disabled_at, body.health], [false, null, 'disabled']);
      await suite.emit();
      assert.deepEqual(await suite.deliveries(), []);
    });

    it('enables the endpoint with zero consecutive failures, and keeps the totals', async () => {
      await failAttempt();
      const { body } = await patchWebhook({ is_active: true });
      const {
        is_active,
        disabled_at,
        consecutive_failures,
        last_error,
        delivery_count,
        failure_count,
        health,
      } = body;
      assert.deepEqual(
        { is_active, disabled_at, consecutive_failures, last_error, delivery_count, failure_count, health },
        {
          is_active: true,
          disabled_at: null,
          consecutive_failures: 0,
          last_error: null,
          delivery_count: 30,
          failure_count: 21,
          health: 'healthy',
        },
      );
      assert.equal((await suite.endpoint(id)).failingSince, null);
      await suite.emit();
      assert.equal((await suite.deliveries()).length, 1);
    });

    it('resets failures if the URL changes, but does not enable the endpoint', async () => {
      await failAttempt();
      const { body } = await patchWebhook({ url: `${UNREACHABLE_URL}2` });
      assert.deepEqual([body.is_active, body.consecutive_failures, body.last_error], [false, 0, null]);
      assert.notEqual(body.disabled_at, null);
    });

    it('resets nothing if the request has the same URL, a description or a bot', async () => {
      await failAttempt();
      const botId = await buildBot(suite.org);
      const { body } = await patchWebhook({ url: UNREACHABLE_URL, description: 'new', bot_id: botId });
      assert.deepEqual([body.consecutive_failures, body.last_error], [21, 'http_404: …']);
    });

    it('limits the endpoint to a bot, and removes the limit', async () => {
      const botId = await buildBot(suite.org);
      assert.equal((await patchWebhook({ bot_id: botId })).body.bot_id, botId);
      await suite.emit();
      assert.deepEqual(await suite.deliveries(), []);
      assert.equal((await patchWebhook({ bot_id: null })).body.bot_id, null);
      await suite.emit();
      assert.equal((await suite.deliveries()).length, 1);
    });

    it('refuses another workspace’s bot and an unknown bot', async () => {
      const foreign = await buildBot(await suite.parley.buildOrg());
      assert.equal((await patchWebhook({ bot_id: foreign })).status, 403);
      assert.equal((await patchWebhook({ bot_id: newId() })).status, 404);
      assert.equal((await readWebhook()).bot_id, null);
    });

    for (const [what, body] of selectCases(
      [
        ['no URL', { url: null }],
        ['an empty URL', { url: '' }],
        ['a URL of 2001 characters', { url: `https://example.com/${'x'.repeat(1981)}` }],
        ['a description of 501 characters', { description: 'x'.repeat(501) }],
        ['is_active as text', { is_active: 'true' }],
        ['events', { events: ['lead.captured'] }],
        ['a secret', { secret: 'whsec_mine' }],
        ['counters', { consecutive_failures: 0 }],
      ] as const,
      5,
    )) {
      it(`refuses ${what}`, async () => {
        const before = await readWebhook();
        assert.equal(formatOutcome(await patchWebhook(body)), '422 validation_error');
        assert.deepEqual(await readWebhook(), before);
      });
    }

    it('returns 403 for another workspace’s endpoint and 404 for an unknown endpoint', async () => {
      const other = await suite.parley.buildOrg();
      assert.equal((await patchWebhook({ is_active: false }, other)).status, 403);
      assert.equal((await suite.org.client.patch(`/api/webhooks/${newId()}`, {})).status, 404);
      assert.equal((await readWebhook()).is_active, true);
    });
  });

  describe('replaceWebhookEvents', () => {
    const putEvents = (events: unknown, org = suite.org) => org.client.put(`${getPath()}/events`, { events });

    for (const events of [['document.failed'], ['message.created', 'lead.captured'], [...eventNames]]) {
      it(`replaces the subscription with ${events.length} events`, async () => {
        const { status, body } = await putEvents(events);
        assert.deepEqual([status, body.events], [200, events]);
        assert.deepEqual((await readWebhook()).events, events);
        await suite.emit();
        assert.equal((await suite.deliveries()).length, events.includes('lead.captured') ? 1 : 0);
      });
    }

    for (const [what, events] of [
      ['no events', []],
      ['an event twice', ['lead.captured', 'lead.captured']],
      ['an unknown event', ['lead.captured', 'lead.lost']],
      ['an event in capitals', ['Lead.Captured']],
      ['a wildcard', ['*']],
      ['eleven events', Array.from({ length: 11 }, (_, index) => `event.${index}`)],
      ['null', null],
      ['a text', 'lead.captured'],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { status, body } = await putEvents(events);
        assert.equal(formatOutcome({ status, body }), '422 validation_error');
        assert.deepEqual((await readWebhook()).events, eventNames);
      });
    }

    it('returns 403 for another workspace’s endpoint and 404 for an unknown endpoint', async () => {
      assert.equal((await putEvents(['lead.captured'], await suite.parley.buildOrg())).status, 403);
      const unknown = await suite.org.client.put(`/api/webhooks/${newId()}/events`, {
        events: ['lead.captured'],
      });
      assert.equal(unknown.status, 404);
    });
  });

  describe('rotateWebhookSecret', () => {
    const rotateSecret = (org = suite.org, headers: Record<string, string> = {}) =>
      org.client.post(`${getPath()}/rotate-secret`, undefined, headers);

    it('returns a new secret, and only once', async () => {
      const { status, body } = await rotateSecret();
      assert.equal(status, 200);
      assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.notEqual(body.secret, secret);
      const endpoint = await readWebhook();
      assert.deepEqual([endpoint.secret_hint, endpoint.updated_at], [body.secret.slice(-4), body.rotated_at]);
      assert.equal('secret' in endpoint, false);
    });

    it('creates a different secret each time, but only one per idempotency key', async () => {
      const headers = { 'idempotency-key': `rotate-${id}` };
      const secrets = [
        await rotateSecret(),
        await rotateSecret(),
        await rotateSecret(suite.org, headers),
        await rotateSecret(suite.org, headers),
      ].map(({ body }) => body.secret as string);
      assert.equal(new Set([secret, ...secrets]).size, 4);
      assert.equal(secrets[3], secrets[2]);
    });

    it('stores no secret, old or new, in plain text', async () => {
      const headers = { 'idempotency-key': `rotate-${id}` };
      const secrets = [
        secret,
        (await rotateSecret()).body.secret,
        (await rotateSecret(suite.org, headers)).body.secret,
      ];
      const tables = await suite.parley.database.sql<{ dump: string }>(
        `SELECT query_to_xml(format('SELECT * FROM %I', table_name), true, false, '')::text AS dump
         FROM information_schema.tables WHERE table_schema = 'public'`,
      );
      const dump = tables.map((table) => table.dump).join('\n');
      assert.ok(dump.includes(id));
      const listed = JSON.stringify((await suite.org.client.get('/api/webhooks')).body);
      for (const each of secrets as string[]) {
        const encoded = Buffer.from(each).toString('base64');
        for (const readable of [each, each.slice('whsec_'.length), encoded])
          assert.ok(!dump.includes(readable) && !listed.includes(readable));
      }
    });

    it('returns 403 for another workspace’s endpoint and 404 for an unknown endpoint', async () => {
      assert.equal((await rotateSecret(await suite.parley.buildOrg())).status, 403);
      assert.equal((await suite.org.client.post(`/api/webhooks/${newId()}/rotate-secret`)).status, 404);
      assert.equal((await readWebhook()).secret_hint, secret.slice(-4));
    });
  });
});
