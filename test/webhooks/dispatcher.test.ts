import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';
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

  async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
    const started = await startReceiver(...args);
    receivers.push(started);
    return started;
  }

  function dispatcher(overrides: Parameters<typeof startDispatcher>[1] = {}): RunningDispatcher {
    const started = startDispatcher(parley, overrides);
    dispatchers.push(started);
    return started;
  }

  async function emit(count = 1): Promise<void> {
    for (let index = 0; index < count; index += 1) await emitLead(parley, org);
    await fanOut(parley);
  }

  const deliveries = () => parley.database.repository(WebhookDelivery).findBy({ orgId: org.orgId });
  const settled = () =>
    waitUntil(
      async () => (await deliveries()).every(({ status }) => ['delivered', 'failed'].includes(status)),
      'all deliveries to be over',
    );
  const endpoint = (id: string) => parley.database.repository(Webhook).findOneByOrFail({ id });

  it('sends what the specification says, signed so that Stripe’s verifier accepts it', async () => {
    const { url, requests } = await receiver();
    const { id, secret } = await createEndpoint(org, url);
    const data = leadCaptured();
    await emitLead(parley, org, data);
    await fanOut(parley);
    dispatcher();
    await settled();
    const [{ headers, body, path } = assert.fail('nothing arrived'), ...others] = requests;
    assert.equal(others.length, 0);
    assert.equal(path, '/hook');
    const { event, data: received } = JSON.parse(body);
    assert.equal(event, 'lead.captured');
    const { event_id: eventId, occurred_at: occurredAt, ...rest } = received;
    assert.deepEqual(rest, data);
    assert.match(eventId, UUID);
    assert.equal(new Date(occurredAt).toISOString(), occurredAt);
    const [delivery] = await deliveries();
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

  it('sends a new delivery at once while it runs', async () => {
    const { url, requests } = await receiver();
    await createEndpoint(org, url);
    dispatcher();
    await emit();
    await settled();
    // What else this machine does may delay one of them, but not each.
    let leastMs = Infinity;
    for (let round = 0; leastMs >= 400 && round < 10; round += 1) {
      const emittedAt = Date.now();
      await emit();
      await settled();
      leastMs = Math.min(leastMs, requests.at(-1)!.receivedAt - emittedAt);
    }
    assert.ok(leastMs < 400, 'it waited for the next poll');
  });

  it('delivers each event exactly once while two dispatchers share the work', async () => {
    const { url, requests } = await receiver();
    await createEndpoint(org, url);
    await createEndpoint(org, `${url}2`);
    await emit(150);
    dispatcher();
    dispatcher();
    await settled();
    const rows = await deliveries();
    assert.equal(rows.length, 300);
    assert.ok(rows.every(({ status, attempts }) => status === 'delivered' && attempts === 1));
    const ids = requests.map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(ids.length, 300);
    assert.deepEqual(new Set(ids), new Set(rows.map(({ id }) => id)));
  });

  it('is not held up by an endpoint that never answers, nor by a backlog for it', async () => {
    const hanging = await receiver(() => {});
    const healthy = await receiver();
    const other = await parley.buildOrg();
    await createEndpoint(org, hanging.url);
    await emit(60);
    await createEndpoint(other, healthy.url);
    dispatcher({ webhookTimeoutMs: 120_000 });
    await waitUntil(() => hanging.requests.length >= 5, 'the hanging requests');
    await emitLead(parley, other);
    await fanOut(parley);
    // Waits for less than the time-out of those that hang.
    await waitUntil(() => healthy.requests.length === 1, 'the delivery to the healthy endpoint');
    assert.equal(hanging.requests.length, 5);
  });

  it('sends what people ask for at once, whatever waits for the endpoint', async () => {
    const hanging = await receiver(() => {});
    const { id } = await createEndpoint(org, hanging.url);
    await emit(60);
    dispatcher({ webhookTimeoutMs: 120_000 });
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

  it('disables an endpoint that is gone, and fails what else waits for it unsent', async () => {
    const { url, requests } = await receiver((response) => response.writeHead(410).end());
    const { id } = await createEndpoint(org, url);
    dispatcher();
    await emit();
    await settled();
    const gone = await endpoint(id);
    assert.equal(gone.isActive, false);
    assert.ok(gone.disabledAt instanceof Date);
    await parley.database.sql(`UPDATE webhook_deliveries SET status = 'pending', reason = NULL`);
    await settled();
    const [delivery] = await deliveries();
    assert.deepEqual(
      [delivery!.status, delivery!.attempts, delivery!.reason],
      ['failed', 1, 'endpoint_disabled: The endpoint is disabled.'],
    );
    assert.equal(requests.length, 1);
  });

  it('disables an endpoint after as many failures in a row, over as many hours, as is set, not before', async () => {
    const { url } = await receiver((response) => response.writeHead(404).end());
    const { id } = await createEndpoint(org, url);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    dispatcher({ webhookDisableFailures: 3, webhookDisableHours: 2 });
    for (const [before, since, isActive] of [
      [1, 3, true],
      [2, 1, true],
      [2, 3, false],
    ] as const) {
      await parley.database
        .repository(Webhook)
        .update(id, { consecutiveFailures: before, failingSince: hoursAgo(since) });
      await emit();
      await settled();
      assert.equal((await endpoint(id)).isActive, isActive, `${before + 1} failures in ${since} h`);
    }
  });

  it('takes up a delivery again when its lease has expired, with the same id', async () => {
    const { url, requests } = await receiver();
    await createEndpoint(org, url);
    await emit(2);
    await parley.database.sql(
      `UPDATE webhook_deliveries SET lease_expires_at = now() + (CASE WHEN id = (SELECT max(id::text)::uuid
         FROM webhook_deliveries) THEN interval '1 hour' ELSE interval '-1 second' END)`,
    );
    dispatcher();
    await waitUntil(
      async () => (await deliveries()).some(({ status }) => status === 'delivered'),
      'a delivery',
    );
    const delivered = (await deliveries()).filter(({ status }) => status === 'delivered');
    assert.deepEqual(
      requests.map(({ headers }) => headers['x-webhook-delivery']),
      delivered.map(({ id }) => id),
    );
    assert.equal(delivered.length, 1);
  });

  it('looks often while another dispatcher holds a lease, which may end, and seldom once nothing is left', async () => {
    const { url, requests } = await receiver();
    await createEndpoint(org, url);
    await emit();
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
      dispatcher({ polls: { busyMs: 10, idleMs: 10, busyForMs: 0, emptyMs: 3_600_000 } });
      await waitUntil(() => requests.length === 1, 'the lease to end');
      await waitUntil(() => looks.at(-1) === false, 'nothing to be left');
      const count = looks.length;
      await sleep(200);
      const more = looks.length - count; // Of twenty; the last result and the start of listening may still come.
      assert.ok(more < 5, String(more));
      await emit();
      await waitUntil(() => requests.length === 2, 'a notification to wake it');
    } finally {
      DeliveryQueueRepository.prototype.hasPending = isAnyPending;
    }
  });

  it('finds what no notification told of', async () => {
    const { url, requests } = await receiver();
    await createEndpoint(org, url);
    dispatcher({ polls: { busyMs: 10, idleMs: 10, busyForMs: 0, emptyMs: 20 } });
    await emit();
    await waitUntil(() => requests.length === 1, 'the first one');
    await settled();
    await parley.database.sql(
      `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, due_at = now(), lease_expires_at = NULL`,
    );
    await waitUntil(() => requests.length === 2, 'a look that nobody asked for');
  });

  it('finishes on stop what is under way and leaves the rest to others at once', async () => {
    const held: ServerResponse[] = [];
    const { url, requests } = await receiver((response, _request, count) =>
      count > 5 ? response.end() : void held.push(response),
    );
    await createEndpoint(org, url);
    await emit(60);
    const first = dispatcher({ webhookTimeoutMs: 120_000 });
    await waitUntil(() => requests.length === 5, 'the first requests');
    const stopped = first.stop(120_000);
    for (const response of held) response.end();
    await stopped;
    const delivered = (await deliveries()).filter(({ status }) => status === 'delivered');
    assert.equal(delivered.length, 5);
    assert.equal(requests.length, 5);
    dispatcher();
    await settled();
    assert.equal(requests.length, 60);
  });

  it('gives back on stop what did not end in time', async () => {
    const { url } = await receiver(() => {});
    await createEndpoint(org, url);
    await emit();
    const first = dispatcher();
    await waitUntil(() => receivers[0]!.requests.length === 1, 'the request');
    await first.stop(50);
    const [delivery] = await deliveries();
    assert.deepEqual([delivery!.status, delivery!.attempts, delivery!.leaseExpiresAt], ['pending', 0, null]);
  });
});
