import assert from 'node:assert/strict';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { freePorts } from '../../scripts/launcher/ports.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { quickTimers, TemporalService } from '../../scripts/launcher/temporal.ts';
import { newId } from '../../core/ids.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { temporalClient } from '../support/worker.ts';
import { assertReceived, deliveryIdOf, useWorkerProcesses } from './fault-support.ts';
import { createEndpoint, emitLead } from './support.ts';

describe('webhooks while Temporal is away', () => {
  const suite = useWorkerProcesses();
  let temporal: GuardedProcess | undefined;
  after(() => temporal?.stop());

  it('are tried once, and what failed is tried again, once each time, when it is there', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      response.writeHead(count % 2 === 0 && count <= 6 ? 503 : 200).end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const [port = 0, httpPort = 0] = await freePorts(2);
    await suite.worker({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    for (let index = 0; index < 10; index += 1) {
      await emitLead(suite.parley, suite.org);
      await until(() => receiver.requests.length === index + 1, 'the first attempt');
    }
    const statuses = async () => (await suite.deliveries()).map(({ status }) => status).sort();
    const waiting = [...Array(7).fill('delivered'), ...Array(3).fill('retrying')];
    await until(async () => !(await statuses()).includes('pending'), 'the results');
    const commands = () => suite.parley.database.repository(OutboxRow).findBy({ kind: 'command' });
    await until(
      async () => (await commands()).every(({ attempts }) => attempts > 0),
      'attempts to hand over',
    );
    assert.deepEqual(await statuses(), waiting);
    assert.equal((await commands()).length, 3);
    const binary = await resolveTemporalBinary({ env: process.env, say: () => {} });
    const folder = makeTemporaryFolder();
    temporal = await startOnce(
      new TemporalService({ binary, folder, port, httpPort, extraArgs: quickTimers }),
    );
    const rows = await suite.settled(10);
    assert.ok(rows.every(({ status }) => status === 'delivered'));
    assert.equal(receiver.requests.length, 13);
    for (const { id, attempts } of rows)
      assert.equal(receiver.requests.filter((r) => deliveryIdOf(r) === id).length, attempts);
    assert.equal((await commands()).length, 0);
  });
});

describe('a retry', () => {
  const suite = useWorkerProcesses(() => ({ PARLEY_WEBHOOK_RETRY_SCHEDULE: '3600' }));

  for (const [fate, end] of [
    ['whose workflow an operator has terminated', terminate],
    ['whose workflow Temporal has lost', lose],
  ] as const) {
    it(`${fate} is taken up again by the sweep, and made once`, async () => {
      const { client, close } = temporalClient(suite.parley.runtime.settings);
      const receiver = await suite.receiver((response, _request, count) =>
        response.writeHead(count === 1 ? 503 : 200).end(),
      );
      await createEndpoint(suite.org, receiver.url);
      await suite.workerHere();
      await emitLead(suite.parley, suite.org);
      await until(async () => (await suite.deliveries())[0]?.status === 'retrying', 'the failure');
      const [{ id } = assert.fail('no delivery')] = await suite.deliveries();
      const workflowId = `webhook-delivery/${id}`;
      const isOpen = () =>
        client.workflow
          .getHandle(workflowId)
          .describe()
          .then(
            ({ status }) => status.name === 'RUNNING',
            () => false,
          );
      await until(isOpen, 'the workflow');
      await until(async () => (await suite.parley.database.repository(OutboxRow).count()) === 0, 'its start');
      await end(client, workflowId);
      await until(async () => !(await isOpen()), 'its end');

      const sweep = () =>
        client.workflow.execute('sweepDeliveries', {
          taskQueue: suite.parley.runtime.settings.temporalTaskQueue,
          workflowId: `sweep/${newId()}`,
        });
      await sweep();
      assert.equal((await suite.deliveries())[0]?.status, 'retrying');
      assert.equal(receiver.requests.length, 1, 'it was not overdue');
      await suite.parley.database.sql("UPDATE webhook_deliveries SET due_at = now() - interval '6 minutes'");
      await sweep();
      const rows = await suite.settled(1);
      assertReceived(receiver, rows, 2);
      assert.equal(await client.workflow.getHandle(workflowId).result(), 'delivered');
      await close();
    });
  }
});

type TemporalClient = ReturnType<typeof temporalClient>['client'];

async function terminate({ workflow }: TemporalClient, workflowId: string): Promise<void> {
  await workflow.getHandle(workflowId).terminate('by mistake');
}

async function lose({ workflowService, options: { namespace } }: TemporalClient, workflowId: string) {
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
}
