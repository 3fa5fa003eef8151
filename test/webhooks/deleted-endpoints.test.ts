import assert from 'node:assert/strict';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { WebhookPurgeRepository } from '../../repositories/webhooks/webhook-purge.repository.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildBot, startParleyWithWorker } from '../support/worker.ts';
import { fillLog, endpointExists, countRemainingDeliveries } from './endpoint-logs.ts';
import { startReceiver } from './receiver.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, emitLead, leadCaptured, UNREACHABLE_URL } from './support.ts';

describe('an endpoint between its deletion and its removal', () => {
  const suite = useWebhooks();
  let id: string;
  let deliveryId: string;

  beforeEach(async () => {
    ({ id } = await createEndpoint(suite.org, UNREACHABLE_URL));
    await suite.emit();
    const [delivery] = await suite.deliveries();
    deliveryId = delivery!.id;
    assert.equal((await suite.org.client.delete(`/api/webhooks/${id}`)).status, 200);
  });

  it('is not listed, nor is its log', async () => {
    const { client } = suite.org;
    assert.equal(await endpointExists(suite.parley, id), true);
    assert.deepEqual((await client.get('/api/webhooks')).body, []);
    for (const query of ['', '?status=pending'])
      assert.deepEqual((await client.get(`/api/webhooks/deliveries${query}`)).body.items, []);
    for (const query of [`?webhook_id=${id}`, `?id=${deliveryId}`])
      assert.equal((await client.get(`/api/webhooks/deliveries${query}`)).status, 404);
  });

  it('returns 404 to every operation, and 403 to other workspaces', async () => {
    const other = await suite.parley.buildOrg();
    const path = `/api/webhooks/${id}`;
    const calls: ((org: TestOrg) => Promise<{ status: number }>)[] = [
      ({ client }) => client.get(path),
      ({ client }) => client.patch(path, { is_active: true }),
      ({ client }) => client.put(`${path}/events`, { events: ['lead.captured'] }),
      ({ client }) => client.post(`${path}/rotate-secret`),
      ({ client }) => client.post(`${path}/test`),
      ({ client }) => client.post(`/api/webhooks/deliveries/${deliveryId}/replay`),
      ({ client }) => client.delete(path),
    ];
    for (const call of calls)
      assert.deepEqual(
        [(await call(suite.org)).status, (await call(other)).status],
        [404, 403],
        String(call),
      );
  });

  it('gets no new events and no pending deliveries', async () => {
    const receiver = await suite.receiver();
    await suite.parley.database.sql('UPDATE webhooks SET url = $2 WHERE id = $1', [id, receiver.url]);
    const fine = await suite.receiver();
    await createEndpoint(suite.org, fine.url);
    await suite.emit();
    suite.dispatcher();
    await waitUntil(() => fine.requests.length === 1, 'the delivery to the other endpoint');
    assert.equal(receiver.requests.length, 0);
    assert.equal(await countRemainingDeliveries(suite.parley, id), 1);
  });

  it('is removed by WebhookPurgeRepository, which does not remove an endpoint that was not deleted', async () => {
    const { id: kept } = await createEndpoint(suite.org, UNREACHABLE_URL);
    await suite.emit();
    const purge = new WebhookPurgeRepository();
    const scope = { orgId: suite.org.orgId, db: suite.parley.database };
    assert.deepEqual(await purge.deleteLogBatch(scope, kept), []);
    await purge.delete(scope, kept);
    assert.equal(await endpointExists(suite.parley, kept), true);
  });
});

describe('endpoints of a deleted bot', () => {
  itInSoak('are removed with their logs, and the workflows of their deliveries end', async () => {
    const parley = await startParleyWithWorker({ webhookRetrySchedule: '3600' });
    const receiver = await startReceiver((response) => response.writeHead(503).end());
    try {
      const org: TestOrg = await parley.buildOrg();
      const botId = await buildBot(org);
      const { id } = await createEndpoint(org, receiver.url, { bot_id: botId });
      const { id: kept } = await createEndpoint(org, receiver.url);
      await fillLog(parley, org.orgId, id, 5000);
      await emitLead(parley, org, { ...leadCaptured(), bot_id: botId });
      const findRetrying = () =>
        parley.database.repository(WebhookDelivery).findOneBy({ webhookId: id, status: 'retrying' });
      await waitUntil(async () => (await findRetrying()) !== null, 'the failure');
      const handle = parley.temporal.workflow.getHandle(`webhook-delivery/${(await findRetrying())!.id}`);
      assert.equal((await org.client.delete(`/api/bots/${botId}`)).status, 200);
      await waitUntil(async () => !(await endpointExists(parley, id)), 'the endpoint to be removed');
      assert.equal(await handle.result(), 'deleted');
      assert.equal(await countRemainingDeliveries(parley, id), 0);
      assert.equal(await countRemainingDeliveries(parley, kept), 1);
    } finally {
      await receiver.close();
      await parley.stop();
    }
  });
});
