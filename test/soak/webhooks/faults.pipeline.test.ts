import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { OutboxRow } from '../../../entities/outbox/outbox.entity.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { assertReceived, readDeliveryId, NOWHERE, useWorkerProcesses } from '../../webhooks/fault-support.ts';
import { createEndpoint, emitLead, NOT_MAILED } from '../../webhooks/support.ts';

/**
 * Tests a worker that is killed at four steps of webhook deliveries at once. `npm run test:soak` tests each
 * step separately, and other steps.
 */
describe('a killed worker', () => {
  const suite = useWorkerProcesses();

  it('leaves all deliveries to the next worker, which repeats, with the same id, only those that were sent but not recorded', async () => {
    const held: ServerResponse[] = [];
    const receiver = await suite.receiver((response, _request, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count <= 3) held.push(response);
      else response.end();
    });
    await createEndpoint(suite.org, receiver.url);
    const worker = await suite.worker(NOWHERE);
    const emit = async (): Promise<string> => {
      const { length } = receiver.requests;
      await emitLead(suite.parley, suite.org);
      await waitUntil(() => receiver.requests.length > length, 'the request');
      return readDeliveryId(receiver.requests[length]!);
    };
    const failed = await emit();
    await waitUntil(async () => (await suite.deliveries())[0]?.status === 'retrying', 'the failure');
    assert.equal(
      await suite.parley.database.repository(OutboxRow).countBy({ kind: 'command', ...NOT_MAILED }),
      1,
    );
    const unanswered = await emit();
    const unwritten = await emit();
    const lock = await suite.lock('LOCK TABLE webhook_deliveries IN EXCLUSIVE MODE');
    held[1]!.end();
    await lock.isWaitedForBy('WITH result AS');
    await emitLead(suite.parley, suite.org);
    await lock.isWaitedForBy('"isBatched" boolean');
    await worker.end('SIGKILL');
    await lock.releaseAfterEndingWaiters();
    assert.equal((await suite.deliveries()).length, 3);
    await suite.successor();
    const rows = await suite.waitUntilSettled(4);
    const unmade = rows.filter(({ id }) => ![failed, unanswered, unwritten].includes(id));
    assert.equal(unmade.length, 1);
    assertReceived(receiver, [...rows, { id: failed }, { id: unanswered }, { id: unwritten }]);
    for (const { id, status, attempts } of rows)
      assert.deepEqual([status, attempts], ['delivered', id === failed ? 2 : 1]);
  });
});
