import assert from 'node:assert/strict';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint } from './support.ts';
import { findOpened } from '../support/find-opened.ts';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

describe('an endpoint', () => {
  const suite = useWebhooks();
  let status: number;
  let id: string;
  let requests: object[];

  beforeEach(async () => {
    status = 404;
    const receiver = await suite.receiver((response) => response.writeHead(status).end());
    ({ requests } = receiver);
    ({ id } = await createEndpoint(suite.org, receiver.url));
    suite.dispatcher();
  });

  const updateRow = (changes: Partial<Webhook>) =>
    suite.parley.database.repository(Webhook).update(id, changes);
  const deliverOne = async () => {
    await suite.emit();
    await suite.waitUntilTried();
    return suite.endpoint(id);
  };

  it('resets consecutive failures at a success', async () => {
    await updateRow({ consecutiveFailures: 19, failingSince: hoursAgo(121), lastError: 'http_404: …' });
    status = 200;
    const healthy = await deliverOne();
    assert.deepEqual([healthy.consecutiveFailures, healthy.failingSince, healthy.isActive], [0, null, true]);
    status = 404;
    const failing = await deliverOne();
    assert.deepEqual([failing.consecutiveFailures, failing.isActive], [1, true]);
    assert.ok(failing.failingSince! > hoursAgo(1));
  });

  it('is disabled once, and keeps the time at which it was disabled', async () => {
    await updateRow({ consecutiveFailures: 19, failingSince: hoursAgo(121) });
    const { disabledAt } = await deliverOne();
    await deliverOne();
    assert.equal(requests.length, 1);
    assert.deepEqual((await suite.endpoint(id)).disabledAt, disabledAt);
  });

  it('is disabled in the transaction that queues one email', async () => {
    status = 410;
    const { disabledAt } = await deliverOne();
    await deliverOne();
    const { orgId } = suite.org;
    const where = { orgId, name: 'notifyWebhookDisabled' };
    const commands = await findOpened(suite.parley.database, OutboxRow, { where });
    const seconds = Math.floor(disabledAt!.getTime() / 1000);
    assert.deepEqual(
      commands.map(({ payload }) => [payload['workflowId'], payload['args']]),
      [[`notify-webhook-disabled/${id}/${seconds}`, [{ orgId, endpointId: id }]]],
    );
  });

  it('becomes healthy once updateWebhook sets is_active, and can be disabled again', async () => {
    status = 410;
    assert.equal((await deliverOne()).isActive, false);
    const { body } = await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: true });
    assert.deepEqual(
      [body.is_active, body.disabled_at, body.consecutive_failures, body.last_error, body.health],
      [true, null, 0, null, 'healthy'],
    );
    assert.equal((await deliverOne()).isActive, false);
    assert.equal(requests.length, 2);
  });

  it('stays enabled at the first failure after updateWebhook sets is_active', async () => {
    await updateRow({ consecutiveFailures: 19, failingSince: hoursAgo(121) });
    assert.equal((await deliverOne()).isActive, false);
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: true });
    const failing = await deliverOne();
    assert.equal(requests.length, 2);
    assert.deepEqual([failing.isActive, failing.consecutiveFailures], [true, 1]);
    assert.ok(failing.failingSince! > hoursAgo(1));
  });

  itInSoak('counts every attempt once with two dispatchers', async () => {
    status = 200;
    let count = 0;
    const flaky = await suite.receiver((response) =>
      response.writeHead((count += 1) % 3 === 0 ? 404 : 200).end(),
    );
    await suite.org.client.patch(`/api/webhooks/${id}`, { url: flaky.url });
    suite.dispatcher();
    await suite.emit(150);
    await waitUntil(
      async () => (await suite.deliveries()).every((each) => each.status !== 'pending'),
      'all attempts',
    );
    const { deliveryCount, failureCount, consecutiveFailures, lastSuccessAt, lastFailureAt } =
      await suite.endpoint(id);
    assert.deepEqual([flaky.requests.length, deliveryCount, failureCount], [150, 150, 50]);
    assert.ok(consecutiveFailures <= 2);
    assert.ok(lastSuccessAt !== null && lastFailureAt !== null);
  });

  itInSoak('counts all consecutive failures with two dispatchers', async () => {
    suite.dispatcher();
    await suite.emit(80);
    await suite.waitUntilTried();
    const { deliveryCount, failureCount, consecutiveFailures, isActive } = await suite.endpoint(id);
    assert.deepEqual([deliveryCount, failureCount, consecutiveFailures, isActive], [80, 80, 80, true]);
  });

  itInSoak('becomes disabled at once even while two dispatchers share a backlog', async () => {
    status = 410;
    suite.dispatcher();
    await suite.emit(80);
    await suite.waitUntilTried();
    // Requests that were in progress at the first response may still arrive, however slow the machine is.
    assert.ok(requests.length < 80, `${requests.length} requests`);
    const { isActive, deliveryCount } = await suite.endpoint(id);
    assert.deepEqual([isActive, deliveryCount], [false, requests.length]);
  });

  it('does not affect another workspace’s endpoint', async () => {
    const other = await suite.parley.buildOrg();
    const receiver = await suite.receiver();
    const healthy = await createEndpoint(other, receiver.url);
    await suite.emit(1, other);
    await deliverOne();
    await waitUntil(async () => (await suite.endpoint(healthy.id)).deliveryCount === 1, 'the other delivery');
    assert.deepEqual(
      [(await suite.endpoint(id)).failureCount, (await suite.endpoint(healthy.id)).failureCount],
      [1, 0],
    );
  });
});
