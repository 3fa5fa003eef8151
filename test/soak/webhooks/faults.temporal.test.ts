import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { OutboxRow } from '../../../entities/outbox/outbox.entity.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createTemporalClient } from '../../support/worker.ts';
import { assertReceived, useWorkerProcesses } from '../../webhooks/fault-support.ts';
import { createEndpoint, emitLead } from '../../webhooks/support.ts';

describe('a retry', () => {
  const suite = useWorkerProcesses(() => ({ webhookRetrySchedule: '3600' }));

  for (const [fate, end] of [
    ['whose workflow an operator has terminated', terminateWorkflow],
    ['whose workflow Temporal has lost', deleteWorkflow],
  ] as const) {
    it(`${fate} is started again by the sweep, and sent once`, async () => {
      const { client, close } = createTemporalClient(suite.parley.runtime.settings);
      const receiver = await suite.receiver((response, _request, count) =>
        response.writeHead(count === 1 ? 503 : 200).end(),
      );
      await createEndpoint(suite.org, receiver.url);
      await suite.workerHere();
      await emitLead(suite.parley, suite.org);
      await waitUntil(async () => (await suite.deliveries())[0]?.status === 'retrying', 'the failure');
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
      await waitUntil(isOpen, 'the workflow');
      await waitUntil(
        async () => (await suite.parley.database.repository(OutboxRow).count()) === 0,
        'its start',
      );
      await end(client, workflowId);
      await waitUntil(async () => !(await isOpen()), 'its end');

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
      const rows = await suite.waitUntilSettled(1);
      assertReceived(receiver, rows, 2);
      assert.equal(await client.workflow.getHandle(workflowId).result(), 'delivered');
      await close();
    });
  }
});

type TemporalClient = ReturnType<typeof createTemporalClient>['client'];

async function terminateWorkflow({ workflow }: TemporalClient, workflowId: string): Promise<void> {
  await workflow.getHandle(workflowId).terminate('by mistake');
}

async function deleteWorkflow(
  { workflowService, options: { namespace } }: TemporalClient,
  workflowId: string,
) {
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
}
