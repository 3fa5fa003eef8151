import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { waitUntil } from '../support/wait-until.ts';
import { DELIVERY_LEASE_SECONDS } from '../../services/webhooks/lease-keeper.ts';
import { assertReceived, readDeliveryId, NOWHERE, useWorkerProcesses } from '../webhooks/fault-support.ts';
import { createEndpoint, emitLead } from '../webhooks/support.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds, longer than the pause of dispatchers between two polls for deliveries. */
const POLLED_MS = 1500;

describe('two workers on one database', () => {
  const suite = useWorkerProcesses();
  const emit = async (count: number) => {
    for (let index = 0; index < count; index += 1) await emitLead(suite.parley, suite.org);
  };

  it('send each delivery once, and start one retry for each failure', async () => {
    const quick = await suite.receiver((response) => setTimeout(() => response.end(), 20));
    const failing = await suite.receiver((response, { headers }) => {
      const isFirst =
        failing.requests.filter((r) => readDeliveryId(r) === headers['x-webhook-delivery']).length === 1;
      response.writeHead(isFirst && failing.requests.length <= 8 ? 503 : 200).end();
    });
    for (const { url } of [quick, failing]) await createEndpoint(suite.org, url);
    await Promise.all([suite.anotherHere(), suite.workerHere()]);
    await emit(100);
    const rows = await suite.waitUntilSettled(200);
    assert.ok(rows.every(({ status }) => status === 'delivered'));
    const toQuick = new Set(quick.requests.map(readDeliveryId));
    assertReceived(
      quick,
      rows.filter(({ id }) => toQuick.has(id)),
    );
    assert.equal(quick.requests.length, 100);
    // Returns the number of a delivery's attempts that the receiver got: an attempt without a connection has
    // no request.
    const countAnsweredAttempts = ({
      attempts,
      attemptLog,
    }: Pick<WebhookDelivery, 'attempts' | 'attemptLog'>) =>
      attempts - (attemptLog ?? []).filter(({ responseStatus }) => responseStatus === null).length;
    for (const row of rows.filter(({ id }) => !toQuick.has(id)))
      assert.equal(
        failing.requests.filter((r) => readDeliveryId(r) === row.id).length,
        countAnsweredAttempts(row),
      );
  });

  it('with clocks two hours apart follow the database’s clock: only signatures have the workers’ own times', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      response.writeHead(count % 4 === 0 ? 503 : 200).end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const ahead = await suite.worker({}, { clockAheadMs: HOUR_MS });
    await emit(20);
    await waitUntil(() => receiver.requests.length >= 20, 'first attempts');
    await suite.waitUntilSettled(20);
    await ahead.end('SIGTERM');
    await suite.worker({}, { clockAheadMs: -HOUR_MS });
    await emit(20);
    const rows = await suite.waitUntilSettled(40);
    for (const { id, attempts, deliveredAt } of rows) {
      assert.equal(receiver.requests.filter((r) => readDeliveryId(r) === id).length, attempts);
      assert.ok(Math.abs(deliveredAt!.getTime() - Date.now()) < HOUR_MS / 2);
    }
    const offsets = receiver.requests.map(({ headers, receivedAt }) =>
      Math.round((Number(headers['x-webhook-timestamp']) * 1000 - receivedAt) / HOUR_MS),
    );
    assert.deepEqual([...new Set(offsets)], [1, -1]);
  });
});

describe('two workers on one database whose clock is stopped', () => {
  const patient = { ...NOWHERE, webhookTimeoutMs: 120000 };
  const suite = useWorkerProcesses(() => patient, { hasStoppedClock: true });
  const emit = async (count: number) => {
    for (let index = 0; index < count; index += 1) await emitLead(suite.parley, suite.org);
  };

  it('claim a killed worker’s deliveries when its leases end', async () => {
    const held: ServerResponse[] = [];
    const receiver = await suite.receiver((response) =>
      held.length < 5 ? held.push(response) : response.end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const first = await suite.worker(patient);
    await emit(20);
    await waitUntil(() => receiver.requests.length === 5, 'requests under way');
    const underWay = receiver.requests.map(readDeliveryId);
    await suite.workerHere();
    await first.end('SIGKILL');
    assert.equal(receiver.requests.length, 5);
    await suite.parley.passTime(DELIVERY_LEASE_SECONDS);
    const rows = await suite.waitUntilSettled(20);
    const counts = rows.map(({ id }) => receiver.requests.filter((r) => readDeliveryId(r) === id).length);
    assert.deepEqual(
      counts,
      rows.map(({ id }) => (underWay.includes(id) ? 2 : 1)),
    );
  });

  it('claim at once the deliveries that a worker releases at SIGTERM, while that worker completes its running requests', async () => {
    const held: ServerResponse[] = [];
    const receiver = await suite.receiver((response) =>
      held.length < 5 ? held.push(response) : response.end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const first = await suite.worker({ ...patient, PARLEY_SHUTDOWN_GRACE_MS: '60000' });
    await emit(20);
    await waitUntil(
      async () => (await suite.deliveries()).every((row) => row.leaseExpiresAt !== null),
      'the leases',
    );
    await waitUntil(() => receiver.requests.length === 5, 'requests under way');
    await suite.workerHere();
    assert.equal(receiver.requests.length, 5);
    const ended = first.end('SIGTERM');
    await waitUntil(() => receiver.requests.length === 20, 'the rest');
    for (const response of held) response.end();
    assert.equal(await ended, 0);
    const rows = await suite.waitUntilSettled(20);
    assert.ok(rows.every(({ attempts }) => attempts === 1));
    assertReceived(receiver, rows);
  });

  it('do not claim each other’s deliveries if their own clocks are two hours apart', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      count > 4 ? response.end() : undefined,
    );
    await createEndpoint(suite.org, receiver.url);
    const behind = await suite.worker(patient, { clockAheadMs: -2 * HOUR_MS });
    await emit(4);
    await waitUntil(() => receiver.requests.length === 4, 'requests under way');
    await suite.workerHere();
    await sleep(POLLED_MS);
    assert.equal(receiver.requests.length, 4);
    await behind.end('SIGKILL');
    await suite.parley.passTime(DELIVERY_LEASE_SECONDS);
    assertReceived(receiver, await suite.waitUntilSettled(4), 2);
  });

  it('send nothing after a pause during which another worker has claimed their deliveries', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      count > 5 ? setTimeout(() => response.end(), 1000) : undefined,
    );
    await createEndpoint(suite.org, receiver.url);
    const paused = await suite.worker(patient);
    await emit(25);
    await waitUntil(async () => (await suite.deliveries()).length === 25, 'the deliveries');
    await waitUntil(() => receiver.requests.length === 5, 'requests under way');
    const begun = new Set(receiver.requests.map(readDeliveryId));
    process.kill(paused.pid, 'SIGSTOP');
    await Promise.all([suite.workerHere(), sleep(DELIVERY_LEASE_SECONDS * 1000)]);
    await suite.parley.passTime(DELIVERY_LEASE_SECONDS);
    const countRequests = (id: string) => receiver.requests.filter((r) => readDeliveryId(r) === id).length;
    // Wait until the other worker has claimed all deliveries of the paused worker: the paused worker would
    // claim the remaining deliveries again.
    await waitUntil(() => [...begun].every((id) => countRequests(id) === 2), 'the other one to take over');
    process.kill(paused.pid, 'SIGCONT');
    const rows = await suite.waitUntilSettled(25);
    for (const { id } of rows) assert.equal(countRequests(id), begun.has(id) ? 2 : 1);
  });
});
