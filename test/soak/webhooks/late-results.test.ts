import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { BacklogRepository } from '../../../repositories/installation/backlog.repository.ts';
import { FAILING_FROM } from '../../../entities/webhooks/webhook.entity.ts';
import { OutboxRow } from '../../../entities/outbox/outbox.entity.ts';
import { DELIVERY_LEASE_SECONDS } from '../../../services/webhooks/lease-keeper.ts';
import { buildTakeOverCommand } from '../../../services/webhooks/webhook-commands.ts';
import type { RecordableResult } from '../../../services/webhooks/delivery-result.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { useWebhooks } from '../../webhooks/suite.ts';
import { createEndpoint } from '../../webhooks/support.ts';
import { findOpened } from '../../support/find-opened.ts';

describe('a late result', () => {
  const suite = useWebhooks();

  it('does not affect an endpoint whose URL has changed', async () => {
    const held: ServerResponse[] = [];
    const old = await suite.receiver((response) => void held.push(response));
    const present = await suite.receiver();
    const { id } = await createEndpoint(suite.org, old.url);
    await suite.listeningDispatcher();
    await suite.emit(1);
    await waitUntil(() => old.requests.length === 1, 'the attempt');
    const { status } = await suite.org.client.patch(`/api/webhooks/${id}`, { url: present.url });
    assert.equal(status, 200);
    held[0]!.writeHead(410).end();
    const [gone] = await suite.waitUntilTried();
    assert.equal(gone?.reason?.split(':')[0], 'http_410');
    const { isActive, consecutiveFailures, deliveryCount } = await suite.endpoint(id);
    assert.deepEqual([isActive, consecutiveFailures, deliveryCount], [true, 0, 0]);
    await suite.emit(1);
    await waitUntil(() => present.requests.length === 1, 'the next event at the new address');
  });

  it('is returned without another request when the activity of its attempt is retried', async () => {
    const receiver = await suite.receiver((response) =>
      response.writeHead(503, { 'retry-after': '3600' }).end(),
    );
    await createEndpoint(suite.org, receiver.url);
    suite.dispatcher({ webhookRetrySchedule: '5,300,1800' });
    await suite.emit(1);
    const [delivery] = await suite.waitUntilTried();
    const { deliveryRetries } = suite.parley.runtime.services.webhooks;
    const scope = { orgId: suite.org.orgId, db: suite.parley.database };
    const attempt = { deliveryId: delivery!.id, attempts: 1 };
    const { signal } = new AbortController();
    const states = [
      await deliveryRetries.attempt(scope, attempt, signal),
      await deliveryRetries.attempt(scope, attempt, signal),
    ];
    assert.deepEqual(
      states.map((state) => state?.attempts),
      [2, 2],
    );
    assert.equal(receiver.requests.length, 2);
  });
});

describe('DeliveryRecorder', () => {
  const suite = useWebhooks();

  it('ignores results of an expired lease, and starts no workflow', async () => {
    const { id: webhookId } = await createEndpoint(suite.org, 'http://127.0.0.1:9/');
    await suite.emit();
    const [delivery] = await suite.deliveries();
    const { id, event } = delivery!;
    const { orgId } = suite.org;
    const url = (await suite.endpoint(webhookId)).url;
    const result: RecordableResult = {
      id,
      webhookId,
      url,
      attempts: 0,
      isAttempt: true,
      isLogged: true,
      isTransient: true,
      status: 'retrying',
      reason: 'http_503: late',
      isGone: false,
      responseStatus: 503,
      responseBody: '',
      keyId: null,
      durationMs: 5,
      pauseMs: 60_000,
      takeOver: buildTakeOverCommand({ id, orgId, webhookId, event, url }),
    };
    const { deliverySender } = suite.parley.runtime.services.webhooks;
    await deliverySender.record([result]);
    await deliverySender.record([{ ...result, isGone: true }]);
    const { consecutiveFailures, deliveryCount, lastError } = await suite.endpoint(webhookId);
    assert.deepEqual([consecutiveFailures, deliveryCount, lastError], [1, 1, 'http_503: late']);
    const where = { kind: 'command', orgId } as const;
    const commands = await findOpened(suite.parley.database, OutboxRow, { where });
    assert.deepEqual(
      commands.map(({ name, payload, traceparent }) => [name, payload['workflowId'], traceparent]),
      [['webhookDelivery', `webhook-delivery/${id}`, delivery!.traceparent]],
    );
  });
});

describe('an attempt that takes longer than a lease', () => {
  const suite = useWebhooks({}, { hasStoppedClock: true });

  it('keeps its delivery leased to its dispatcher', async () => {
    const held: ServerResponse[] = [];
    const receiver = await suite.receiver((response) => void held.push(response));
    await createEndpoint(suite.org, receiver.url);
    for (let count = 0; count < 2; count += 1) suite.dispatcher({ webhookTimeoutMs: 120_000 });
    await suite.emit(4);
    await waitUntil(() => held.length === 4, 'requests under way');
    const readLeaseExpiry = async () =>
      Math.min(...(await suite.deliveries()).map(({ leaseExpiresAt }) => leaseExpiresAt?.getTime() ?? 0));
    for (let times = 0; times < 4; times += 1) {
      const before = await readLeaseExpiry();
      await suite.parley.passTime(DELIVERY_LEASE_SECONDS / 2);
      await waitUntil(async () => (await readLeaseExpiry()) > before, 'new leases');
    }
    for (const response of held) response.end();
    const tried = await suite.waitUntilTried();
    assert.deepEqual(
      tried.map(({ status, attempts }) => `${status} ${attempts}`),
      Array(4).fill('delivered 1'),
    );
    assert.equal(receiver.requests.length, 4);
  });
});

describe('the backlog metric that triggers operators’ alerts', () => {
  const suite = useWebhooks();

  it('excludes deliveries held for a failing endpoint', async () => {
    const receiver = await suite.receiver((response) => response.writeHead(503).end());
    await createEndpoint(suite.org, receiver.url);
    suite.dispatcher();
    for (let failure = 0; failure < FAILING_FROM; failure += 1) {
      await suite.emit(1);
      await suite.waitUntilTried();
    }
    await suite.emit(3);
    const listStatuses = async () => (await suite.deliveries()).map(({ status }) => status).sort();
    await waitUntil(async () => (await listStatuses()).includes('pending'), 'deliveries that are held back');
    const backlog = await new BacklogRepository(suite.parley.database).listDeliveries();
    assert.deepEqual(backlog.map(({ status, waiting }) => [status, waiting]).sort(), [
      ['pending', 0],
      ['retrying', FAILING_FROM],
    ]);
  });
});
