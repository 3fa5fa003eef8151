import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createEndpoint, emitLead, fanOut, leadCaptured, startDispatcher } from './support.ts';
import type { RunningDispatcher } from './support.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the dispatcher of webhook deliveries', () => {
  let parley: SharedParley;
  let org: TestOrg;
  const receivers: Receiver[] = [];
  const dispatchers: RunningDispatcher[] = [];

  before(async () => (parley = await startSharedParley()));
  beforeEach(async () => (org = await parley.buildOrg()));
  afterEach(async () => {
    await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop(100)));
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await parley.database.sql('DELETE FROM webhooks');
  });

  async function startTestReceiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
    const started = await startReceiver(...args);
    receivers.push(started);
    return started;
  }

  function startTestDispatcher(overrides: Parameters<typeof startDispatcher>[1] = {}): RunningDispatcher {
    const started = startDispatcher(parley, overrides);
    dispatchers.push(started);
    return started;
  }

  async function emitEvents(count = 1): Promise<void> {
    for (let index = 0; index < count; index += 1) await emitLead(parley, org);
    await fanOut(parley);
  }

  const listDeliveries = () => parley.database.repository(WebhookDelivery).findBy({ orgId: org.orgId });
  const waitForSettled = () =>
    waitUntil(
      async () => (await listDeliveries()).every(({ status }) => ['delivered', 'failed'].includes(status)),
      'all deliveries to be over',
    );
  const findEndpoint = (id: string) => parley.database.repository(Webhook).findOneByOrFail({ id });

  it('sends the specified request, signed so that Stripe’s verifier accepts it', async () => {
    const { url, requests } = await startTestReceiver();
    const { id, secret } = await createEndpoint(org, url);
    const data = leadCaptured();
    await emitLead(parley, org, data);
    await fanOut(parley);
    startTestDispatcher();
    await waitForSettled();
    const [{ headers, body, path } = assert.fail('nothing arrived'), ...others] = requests;
    assert.equal(others.length, 0);
    assert.equal(path, '/hook');
    const { event, data: received } = JSON.parse(body);
    assert.equal(event, 'lead.captured');
    const { event_id: eventId, occurred_at: occurredAt, ...rest } = received;
    assert.deepEqual(rest, data);
    assert.match(eventId, UUID);
    assert.equal(new Date(occurredAt).toISOString(), occurredAt);
    const [delivery] = await listDeliveries();
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['user-agent'], 'Parley-Webhooks/1.0');
    assert.equal(headers['x-webhook-event'], 'lead.captured');
    assert.equal(headers['x-webhook-id'], id);
    assert.equal(headers['x-webhook-delivery'], delivery?.id);
    assert.equal(headers['x-webhook-version'], '2026-09-03');
    const signature = String(headers['x-webhook-signature']);
    assert.match(signature, new RegExp(`^t=${String(headers['x-webhook-timestamp'])},v1=[0-9a-f]{64}$`));
    const { signature: verifier } = new Stripe('sk_test_unused').webhooks;
    assert.equal(verifier!.verifyHeader(body, signature, secret, 300), true);
  });

  it('sends a new delivery at once', async () => {
    const { url, requests } = await startTestReceiver();
    await createEndpoint(org, url);
    startTestDispatcher();
    await emitEvents();
    await waitForSettled();
    // Measure several rounds, since other load on the machine may delay some deliveries, but not all of them.
    let leastMs = Infinity;
    for (let round = 0; leastMs >= 400 && round < 10; round += 1) {
      const emittedAt = Date.now();
      await emitEvents();
      await waitForSettled();
      leastMs = Math.min(leastMs, requests.at(-1)!.receivedAt - emittedAt);
    }
    assert.ok(leastMs < 400, 'it waited for the next poll');
  });

  it('delivers each event exactly once, even with two dispatchers', async () => {
    const { url, requests } = await startTestReceiver();
    await createEndpoint(org, url);
    await createEndpoint(org, `${url}2`);
    await emitEvents(150);
    startTestDispatcher();
    startTestDispatcher();
    await waitForSettled();
    const rows = await listDeliveries();
    assert.equal(rows.length, 300);
    assert.ok(rows.every(({ status, attempts }) => status === 'delivered' && attempts === 1));
    const ids = requests.map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(ids.length, 300);
    assert.deepEqual(new Set(ids), new Set(rows.map(({ id }) => id)));
  });

  itInSoak('is not delayed by an endpoint that never responds, or by its backlog', async () => {
    const hanging = await startTestReceiver(() => {});
    const healthy = await startTestReceiver();
    const other = await parley.buildOrg();
    await createEndpoint(org, hanging.url);
    await emitEvents(60);
    await createEndpoint(other, healthy.url);
    startTestDispatcher({ webhookTimeoutMs: 120_000 });
    await waitUntil(() => hanging.requests.length >= 5, 'the hanging requests');
    await emitLead(parley, other);
    await fanOut(parley);
    // The delivery arrives before the timeout of the hanging attempts.
    await waitUntil(() => healthy.requests.length === 1, 'the delivery to the healthy endpoint');
    assert.equal(hanging.requests.length, 5);
  });

  it('sends tests and replays at once, before an endpoint’s backlog', async () => {
    const hanging = await startTestReceiver(() => {});
    const { id } = await createEndpoint(org, hanging.url);
    await emitEvents(60);
    startTestDispatcher({ webhookTimeoutMs: 120_000 });
    await waitUntil(() => hanging.requests.length >= 5, 'the hanging requests');
    const test = org.client.post(`/api/webhooks/${id}/test`);
    await waitUntil(() => hanging.requests.length === 6, 'the test');
    const tests = await parley.database.repository(WebhookDelivery).findBy({ isOnDemand: true });
    assert.deepEqual(
      tests.map((each) => each.id),
      [hanging.requests[5]!.headers['x-webhook-delivery']],
    );
    await test;
  });

  it('disables an endpoint that returns 410, and fails its other deliveries without sending them', async () => {
    const { url, requests } = await startTestReceiver((response) => response.writeHead(410).end());
    const { id } = await createEndpoint(org, url);
    startTestDispatcher();
    await emitEvents();
    await waitForSettled();
    const gone = await findEndpoint(id);
    assert.equal(gone.isActive, false);
    assert.ok(gone.disabledAt instanceof Date);
    await parley.database.sql(`UPDATE webhook_deliveries SET status = 'pending', reason = NULL`);
    await waitForSettled();
    const [delivery] = await listDeliveries();
    assert.deepEqual(
      [delivery!.status, delivery!.attempts, delivery!.reason],
      ['failed', 1, 'endpoint_disabled: The endpoint is disabled.'],
    );
    assert.equal(requests.length, 1);
  });

  itInSoak(
    'disables an endpoint after the configured number of consecutive failures and hours, and not earlier',
    async () => {
      const { url } = await startTestReceiver((response) => response.writeHead(404).end());
      const { id } = await createEndpoint(org, url);
      const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
      startTestDispatcher({ webhookDisableFailures: 3, webhookDisableHours: 2 });
      for (const [before, since, isActive] of [
        [1, 3, true],
        [2, 1, true],
        [2, 3, false],
      ] as const) {
        await parley.database
          .repository(Webhook)
          .update(id, { consecutiveFailures: before, failingSince: hoursAgo(since) });
        await emitEvents();
        await waitForSettled();
        assert.equal((await findEndpoint(id)).isActive, isActive, `${before + 1} failures in ${since} h`);
      }
    },
  );

  it('sends a delivery again with the same id after its lease expired', async () => {
    const { url, requests } = await startTestReceiver();
    await createEndpoint(org, url);
    await emitEvents(2);
    await parley.database.sql(
      `UPDATE webhook_deliveries SET lease_expires_at = now() + (CASE WHEN id = (SELECT max(id::text)::uuid
         FROM webhook_deliveries) THEN interval '1 hour' ELSE interval '-1 second' END)`,
    );
    startTestDispatcher();
    await waitUntil(
      async () => (await listDeliveries()).some(({ status }) => status === 'delivered'),
      'a delivery',
    );
    const delivered = (await listDeliveries()).filter(({ status }) => status === 'delivered');
    assert.deepEqual(
      requests.map(({ headers }) => headers['x-webhook-delivery']),
      delivered.map(({ id }) => id),
    );
    assert.equal(delivered.length, 1);
  });

  itInSoak(
    'polls often while the lease of another dispatcher may expire, and rarely once nothing is pending',
    async () => {
      const { url, requests } = await startTestReceiver();
      await createEndpoint(org, url);
      await emitEvents();
      await parley.database.sql(
        `UPDATE webhook_deliveries SET lease_expires_at = now() + interval '0.5 seconds'`,
      );
      const looks: boolean[] = [];
      const { hasPending: isAnyPending } = DeliveryQueueRepository.prototype;
      DeliveryQueueRepository.prototype.hasPending = async function (this: DeliveryQueueRepository) {
        const isAny = await isAnyPending.call(this);
        looks.push(isAny);
        return isAny;
      };
      try {
        startTestDispatcher({ polls: { busyMs: 10, idleMs: 10, busyForMs: 0, emptyMs: 3_600_000 } });
        await waitUntil(() => requests.length === 1, 'the lease to end');
        await waitUntil(() => looks.at(-1) === false, 'nothing to be left');
        const count = looks.length;
        await sleep(200);
        // Frequent polling would cause twenty polls. The last result and the start of listening may cause two polls.
        const more = looks.length - count;
        assert.ok(more < 5, String(more));
        await emitEvents();
        await waitUntil(() => requests.length === 2, 'a notification to wake it');
      } finally {
        DeliveryQueueRepository.prototype.hasPending = isAnyPending;
      }
    },
  );

  itInSoak('finds deliveries without a notification', async () => {
    const { url, requests } = await startTestReceiver();
    await createEndpoint(org, url);
    startTestDispatcher({ polls: { busyMs: 10, idleMs: 10, busyForMs: 0, emptyMs: 20 } });
    await emitEvents();
    await waitUntil(() => requests.length === 1, 'the first one');
    await waitForSettled();
    await parley.database.sql(
      `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, due_at = now(), lease_expires_at = NULL`,
    );
    await waitUntil(() => requests.length === 2, 'an unexpected poll');
  });

  it('finishes attempts in progress and releases the other deliveries when it stops', async () => {
    const held: ServerResponse[] = [];
    const { url, requests } = await startTestReceiver((response, _request, count) =>
      count > 5 ? response.end() : void held.push(response),
    );
    await createEndpoint(org, url);
    await emitEvents(60);
    const first = startTestDispatcher({ webhookTimeoutMs: 120_000 });
    await waitUntil(() => requests.length === 5, 'the first requests');
    const stopped = first.stop(120_000);
    for (const response of held) response.end();
    await stopped;
    const delivered = (await listDeliveries()).filter(({ status }) => status === 'delivered');
    assert.equal(delivered.length, 5);
    assert.equal(requests.length, 5);
    startTestDispatcher();
    await waitForSettled();
    assert.equal(requests.length, 60);
  });

  itInSoak('releases attempts that did not finish in time when it stops', async () => {
    const { url } = await startTestReceiver(() => {});
    await createEndpoint(org, url);
    await emitEvents();
    const first = startTestDispatcher();
    await waitUntil(() => receivers[0]!.requests.length === 1, 'the request');
    await first.stop(50);
    const [delivery] = await listDeliveries();
    assert.deepEqual([delivery!.status, delivery!.attempts, delivery!.leaseExpiresAt], ['pending', 0, null]);
  });
});
