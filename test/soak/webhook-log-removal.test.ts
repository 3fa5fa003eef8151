import assert from 'node:assert/strict';
import { purgeWebhookWorkflowId } from '../../core/workflows/commands.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker } from '../support/worker.ts';
import { fillLog, endpointExists, countRemainingDeliveries } from '../webhooks/endpoint-logs.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createEndpoint, emitLead, fanOut, UNREACHABLE_URL } from '../webhooks/support.ts';

const LOGGED = 60_000;
const MAX_WAIT_MS = 1000;

describe('the deletion of an endpoint with a long log', function () {
  this.timeout(90_000);

  it('blocks neither its caller nor the events of any workspace', async () => {
    const parley = await startParleyWithWorker();
    const receiver = await startReceiver();
    try {
      const [org, other] = [await parley.buildOrg(), await parley.buildOrg()];
      const { id } = await createEndpoint(org, UNREACHABLE_URL);
      await fillLog(parley, org.orgId, id, LOGGED);
      for (const each of [org, other]) await createEndpoint(each, receiver.url);
      const startedAt = performance.now();
      assert.equal((await org.client.delete(`/api/webhooks/${id}`)).status, 200);
      const answeredMs = performance.now() - startedAt;
      let longestMs = 0;
      let sent = 0;
      while (await endpointExists(parley, id)) {
        const emittedAt = performance.now();
        for (const each of [org, other]) await emitLead(parley, each);
        await fanOut(parley);
        longestMs = Math.max(longestMs, performance.now() - emittedAt);
        sent += 2;
      }
      assert.ok(answeredMs < MAX_WAIT_MS, `answered in ${answeredMs} ms`);
      assert.ok(longestMs < MAX_WAIT_MS, `an event waited ${longestMs} ms`);
      assert.ok(sent > 10, `only ${sent} events meanwhile`);
      await waitUntil(() => receiver.requests.length === sent, 'all events');
      await parley.temporal.workflow.getHandle(purgeWebhookWorkflowId(id)).result();
      assert.equal(await countRemainingDeliveries(parley, id), 0);
    } finally {
      await receiver.close();
      await parley.stop();
    }
  });
});
