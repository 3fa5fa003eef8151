import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { until } from '../support/until.ts';
import { DELIVERY_LEASE_SECONDS } from '../../services/webhooks/lease-keeper.ts';
import { assertReceived, deliveryIdOf, NOWHERE, useWorkerProcesses } from './fault-support.ts';
import { createEndpoint, emitLead } from './support.ts';

const HOUR_MS = 3_600_000;
/** Longer than dispatchers wait for something to be due. */
const POLLED_MS = 1500;

describe('two workers on one database', () => {
  const suite = useWorkerProcesses();
  const emit = async (count: number) => {
    for (let index = 0; index < count; index += 1) await emitLead(suite.parley, suite.org);
  };

  it('send each delivery once, and take over what fails once', async () => {
    const quick = await suite.receiver((response) => setTimeout(() => response.end(), 20));
    const failing = await suite.receiver((response, { headers }) => {
      const isFirst =
        failing.requests.filter((r) => deliveryIdOf(r) === headers['x-webhook-delivery']).length === 1;
      response.writeHead(isFirst && failing.requests.length <= 8 ? 503 : 200).end();
    });
    for (const { url } of [quick, failing]) await createEndpoint(suite.org, url);
    await Promise.all([suite.anotherHere(), suite.workerHere()]);
    await emit(100);
    const rows = await suite.settled(200);
    assert.ok(rows.every(({ status }) => status === 'delivered'));
    const toQuick = new Set(quick.requests.map(deliveryIdOf));
    assertReceived(
      quick,
      rows.filter(({ id }) => toQuick.has(id)),
    );
    assert.equal(quick.requests.length, 100);
    // One that found no connection was an attempt, and no request.
    const answered = ({ attempts, attemptLog }: WebhookDelivery) =>
      attempts - (attemptLog ?? []).filter(({ responseStatus }) => responseStatus === null).length;
    for (const row of rows.filter(({ id }) => !toQuick.has(id)))
      assert.equal(failing.requests.filter((r) => deliveryIdOf(r) === row.id).length, answered(row));
  });
});

describe('two workers on one database, whose clock does not go on by itself,', () => {
  const patient = { ...NOWHERE, PARLEY_WEBHOOK_TIMEOUT_MS: '120000' };
  const suite = useWorkerProcesses(() => patient, { hasStoppedClock: true });
  const emit = async (count: number) => {
    for (let index = 0; index < count; index += 1) await emitLead(suite.parley, suite.org);
  };
  const leasedUntil = async () =>
    Math.min(
      ...(await suite.deliveries()).map(({ leaseExpiresAt }) => leaseExpiresAt?.getTime() ?? Infinity),
    );

  it('leave to its worker what takes longer than a lease', async () => {
    const held: ServerResponse[] = [];
    const receiver = await suite.receiver((response) => void held.push(response));
    await createEndpoint(suite.org, receiver.url);
    await Promise.all([suite.anotherHere(), suite.workerHere()]);
    await emit(4);
    await until(() => held.length === 4, 'requests under way');
    for (let times = 0; times < 4; times += 1) {
      const before = await leasedUntil();
      await suite.parley.passTime(DELIVERY_LEASE_SECONDS / 2);
      await until(async () => (await leasedUntil()) > before, 'new leases');
    }
    for (const response of held) response.end();
    assertReceived(receiver, await suite.settled(4));
  });

  it('go on at once with what one gives back as it stops, which finishes what is under way', async () => {
    const held: ServerResponse[] = [];
    const receiver = await suite.receiver((response) =>
      held.length < 5 ? held.push(response) : response.end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const first = await suite.anotherHere({ shutdownGraceMs: 60_000 });
    await emit(20);
    await until(
      async () => (await suite.deliveries()).every((row) => row.leaseExpiresAt !== null),
      'the leases',
    );
    await until(() => receiver.requests.length === 5, 'requests under way');
    await suite.workerHere();
    assert.equal(receiver.requests.length, 5);
    const ended = first.stop();
    await until(() => receiver.requests.length === 20, 'the rest');
    for (const response of held) response.end();
    await ended;
    const rows = await suite.settled(20);
    assert.ok(rows.every(({ attempts }) => attempts === 1));
    assertReceived(receiver, rows);
  });

  it('take over from one that is killed when its leases end, by the database’s clock alone', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      count > 5 ? response.end() : undefined,
    );
    await createEndpoint(suite.org, receiver.url);
    const behind = await suite.worker(patient, { clockAheadMs: -2 * HOUR_MS });
    await emit(20);
    await until(() => receiver.requests.length === 5, 'requests under way');
    const underWay = receiver.requests.map(deliveryIdOf);
    await suite.workerHere();
    await sleep(POLLED_MS);
    await behind.end('SIGKILL');
    assert.equal(receiver.requests.length, 5);
    await suite.parley.passTime(DELIVERY_LEASE_SECONDS);
    const rows = await suite.settled(20);
    const counts = rows.map(({ id }) => receiver.requests.filter((r) => deliveryIdOf(r) === id).length);
    assert.deepEqual(
      counts,
      rows.map(({ id }) => (underWay.includes(id) ? 2 : 1)),
    );
  });
});
