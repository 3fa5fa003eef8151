import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../core/ids.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createTemporalClient, type WorkerProcess } from '../support/worker.ts';
import { assertReceived, NOWHERE, useWorkerProcesses } from '../webhooks/fault-support.ts';
import { createEndpoint, emitLead, NOT_MAILED } from '../webhooks/support.ts';

describe('a killed worker', () => {
  const suite = useWorkerProcesses();
  const emit = () => emitLead(suite.parley, suite.org);

  it('leaves an event for which it has created no deliveries to the next worker', async () => {
    const receiver = await suite.receiver();
    await createEndpoint(suite.org, receiver.url);
    const lock = await suite.lock('LOCK TABLE webhook_deliveries IN EXCLUSIVE MODE');
    const worker = await suite.worker(NOWHERE);
    await emit();
    await lock.isWaitedForBy('"isBatched" boolean');
    await worker.end('SIGKILL');
    await lock.releaseAfterEndingWaiters();
    assert.equal((await suite.deliveries()).length, 0);
    await suite.successor();
    assertReceived(receiver, await suite.waitUntilSettled(1));
  });

  it('leaves created but unsent deliveries to the next worker', async () => {
    const { database } = suite.parley;
    const receiver = await suite.receiver();
    await createEndpoint(suite.org, receiver.url);
    // Create webhook deliveries that are not due and not leased: a worker sends its leased deliveries even if
    // they are not due.
    await database.sql(`CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.due_at = now() + interval '1 hour'; NEW.lease_expires_at = NULL; RETURN NEW; END $$`);
    await database.sql(`CREATE TRIGGER later BEFORE INSERT ON webhook_deliveries
      FOR EACH ROW EXECUTE FUNCTION later()`);
    const worker = await suite.worker(NOWHERE);
    await emit();
    await waitUntil(async () => (await suite.deliveries()).length === 1, 'the delivery');
    await worker.end('SIGKILL');
    assert.equal(receiver.requests.length, 0);
    await database.sql('DROP FUNCTION later CASCADE');
    await database.sql('UPDATE webhook_deliveries SET due_at = now()');
    await suite.successor();
    assertReceived(receiver, await suite.waitUntilSettled(1));
  });

  it('leaves a claimed but unsent delivery to the next worker, which sends it after the lease', async () => {
    let worker: WorkerProcess | undefined;
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection').then(([socket]) => {
      process.kill(worker!.pid, 'SIGKILL');
      socket.destroy();
    });
    await createEndpoint(suite.org, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    worker = await suite.worker(NOWHERE);
    await emit();
    await connected;
    await suite.successor();
    const [delivery] = await suite.waitUntilSettled(1);
    assert.deepEqual([delivery!.status, delivery!.attempts, requests], ['delivered', 1, 1]);
    server.close();
  });

  it('leaves a delivery without a response to the next worker, which sends it again with the same id', async () => {
    let worker: WorkerProcess | undefined;
    const receiver = await suite.receiver((response, _request, count) => {
      if (count === 1) process.kill(worker!.pid, 'SIGKILL');
      else response.end();
    });
    await createEndpoint(suite.org, receiver.url);
    worker = await suite.worker(NOWHERE);
    await emit();
    await waitUntil(() => receiver.requests.length === 1, 'the request');
    await suite.successor();
    const rows = await suite.waitUntilSettled(1);
    assertReceived(receiver, rows, 2);
    assert.deepEqual([rows[0]!.status, rows[0]!.attempts], ['delivered', 1]);
  });

  it('leaves a delivery with an unrecorded response to the next worker, which sends it again with the same id', async () => {
    const receiver = await suite.receiver();
    const { id } = await createEndpoint(suite.org, receiver.url);
    const worker = await suite.worker(NOWHERE);
    const lock = await suite.lock('SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await emit();
    await lock.isWaitedForBy('UPDATE webhook_deliveries');
    await worker.end('SIGKILL');
    await lock.releaseAfterEndingWaiters();
    await suite.successor();
    const rows = await suite.waitUntilSettled(1);
    assertReceived(receiver, rows, 2);
    assert.deepEqual([rows[0]!.status, rows[0]!.attempts], ['delivered', 1]);
  });

  it('leaves the retry of a recorded failure to the next worker if no workflow has started', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      response.writeHead(count === 1 ? 503 : 200).end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const worker = await suite.worker(NOWHERE);
    await emit();
    await waitUntil(async () => (await suite.deliveries())[0]?.status === 'retrying', 'the failure');
    assert.equal(
      await suite.parley.database.repository(OutboxRow).countBy({ kind: 'command', ...NOT_MAILED }),
      1,
    );
    await worker.end('SIGKILL');
    await suite.successor();
    const rows = await suite.waitUntilSettled(1);
    assertReceived(receiver, rows, 2);
    assert.deepEqual([rows[0]!.status, rows[0]!.attempts], ['delivered', 2]);
  });

  it('leaves a workflow’s attempt without a response to the next worker, which repeats it with the same id', async () => {
    let worker: WorkerProcess | undefined;
    const receiver = await suite.receiver((response, _request, count) => {
      if (count === 2) process.kill(worker!.pid, 'SIGKILL');
      else response.writeHead(count === 1 ? 503 : 200).end();
    });
    await createEndpoint(suite.org, receiver.url);
    worker = await suite.worker();
    await emit();
    await waitUntil(() => receiver.requests.length === 2, 'the second attempt');
    await suite.successor();
    const rows = await suite.waitUntilSettled(1);
    assertReceived(receiver, rows, 3);
    assert.deepEqual([rows[0]!.status, rows[0]!.attempts], ['delivered', 2]);
  });

  it('leaves a requested but unsent replay to the next worker, which sends it once', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      response.writeHead(count === 1 ? 404 : 200).end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const worker = await suite.worker();
    await emit();
    const [failed] = await suite.waitUntilSettled(1);
    const { client, close } = createTemporalClient(suite.parley.runtime.settings);
    const workflow = client.workflow.getHandle(`webhook-delivery/${failed!.id}`);
    await waitUntil(
      () =>
        workflow.describe().then(
          ({ searchAttributes }) => searchAttributes['DeliveryState']?.[0] === 'failed',
          () => false,
        ),
      'the workflow to wait',
    );
    const lock = await suite.lock('LOCK TABLE webhook_deliveries IN EXCLUSIVE MODE');
    const replayId = newId();
    await workflow.signal('replay', replayId);
    await lock.isWaitedForBy('ON CONFLICT (id) DO NOTHING');
    await worker.end('SIGKILL');
    await lock.releaseAfterEndingWaiters();
    await suite.successor();
    const rows = await suite.waitUntilSettled(2);
    assert.deepEqual(
      rows.map(({ id, status, replayOfId }) => [id, status, replayOfId]).sort(),
      [
        [failed!.id, 'failed', null],
        [replayId, 'delivered', failed!.id],
      ].sort(),
    );
    assertReceived(receiver, rows);
    assert.equal(await workflow.result(), 'replayed');
    await close();
  });
});
