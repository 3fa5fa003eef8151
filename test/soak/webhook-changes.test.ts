import assert from 'node:assert/strict';
import Stripe from 'stripe';
import type { Opened } from '../../database/sealed-columns.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import type { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createTemporalClient } from '../support/worker.ts';
import { useWorkerProcesses } from '../webhooks/fault-support.ts';
import type { ReceivedRequest, Receiver } from '../webhooks/receiver.ts';
import {
  createEndpoint,
  emitLead,
  fanOut,
  startDispatcher,
  type CreatedEndpoint,
} from '../webhooks/support.ts';

const FAILING_FROM = 5;
/**
 * Number of deliveries to the failing webhook endpoint. Exceeds the number in progress when its fifth failure
 * is recorded.
 */
const TO_FAILING = 20;

interface Endpoint extends CreatedEndpoint {
  /** Deliveries that wait for the endpoint, with their state before the test changes the endpoint. */
  before: Map<string, 'pending' | 'held' | 'retrying'>;
}

describe('deliveries waiting for an endpoint', () => {
  const suite = useWorkerProcesses(() => ({ webhookRetrySchedule: '2,2,2' }));
  let receiver: Receiver;
  let isDown: boolean;

  /**
   * Creates a workspace with one delivery to a healthy endpoint, and several retried or held deliveries to a
   * failing endpoint.
   */
  async function buildWaiting(): Promise<{ org: TestOrg; fine: Endpoint; failing: Endpoint }> {
    isDown = true;
    receiver = await suite.receiver((response, { path }) =>
      response.writeHead(isDown && path === '/failing' ? 503 : 200).end(),
    );
    const { parley, org } = suite;
    const failing = await createEndpoint(org, new URL('/failing', receiver.url).href);
    for (let index = 0; index < TO_FAILING; index += 1) await emitLead(parley, org);
    await fanOut(parley);
    const dispatcher = startDispatcher(parley, { webhookRetrySchedule: '2,2,2' });
    const failures = async () =>
      (await parley.database.repository(Webhook).findOneByOrFail({ id: failing.id })).consecutiveFailures;
    await waitUntil(async () => (await failures()) >= FAILING_FROM, 'the endpoint to fail');
    await dispatcher.stop();
    const fine = await createEndpoint(org, new URL('/fine', receiver.url).href);
    await emitLead(parley, org);
    await fanOut(parley);
    const rows = await suite.deliveries();
    return {
      org,
      fine: { ...fine, before: readDeliveryStates(rows, fine.id) },
      failing: { ...failing, before: readDeliveryStates(rows, failing.id) },
    };
  }

  function readDeliveryStates(rows: Opened<WebhookDelivery>[], webhookId: string): Endpoint['before'] {
    const ofEndpoint = rows.filter((row) => row.webhookId === webhookId);
    const isFailing = ofEndpoint.some(({ status }) => status === 'retrying');
    return new Map(
      ofEndpoint.map(({ id, status }) => [
        id,
        status === 'retrying' ? status : isFailing ? 'held' : 'pending',
      ]),
    );
  }

  /** Applies the change to both webhook endpoints, repairs the failing one, and starts the worker again. */
  async function change(
    make: (org: TestOrg, endpoint: Endpoint) => Promise<{ status: number }>,
  ): Promise<{ endpoints: Endpoint[]; later: ReceivedRequest[] }> {
    const { org, fine, failing } = await buildWaiting();
    assert.deepEqual([...new Set(fine.before.values())], ['pending']);
    assert.deepEqual(new Set(failing.before.values()), new Set(['held', 'retrying']));
    const sent = receiver.requests.length;
    for (const endpoint of [fine, failing]) assert.equal((await make(org, endpoint)).status, 200);
    isDown = false;
    await suite.workerHere();
    const { body } = await org.client.get('/api/webhooks/deliveries?page_size=100');
    await suite.waitUntilSettled(body.items.length);
    return { endpoints: [fine, failing], later: receiver.requests.slice(sent) };
  }

  /** Checks that every webhook delivery was sent once after the change. */
  async function assertSent({ endpoints, later }: Awaited<ReturnType<typeof change>>): Promise<void> {
    const rows = await suite.deliveries();
    assert.ok(rows.every(({ status }) => status === 'delivered'));
    assert.deepEqual(
      later.map(({ headers }) => headers['x-webhook-delivery']).sort(),
      endpoints.flatMap(({ before }) => [...before.keys()]).sort(),
    );
  }

  const patch =
    (body: object) =>
    (org: TestOrg, { id }: Endpoint) =>
      org.client.patch(`/api/webhooks/${id}`, body);

  it('are deleted with the endpoint, and their workflows end', async () => {
    const { later } = await change((org, { id }) => org.client.delete(`/api/webhooks/${id}`));
    const { client, close } = createTemporalClient(suite.parley.runtime.settings);
    const query = `OrgId = '${suite.org.orgId}'`;
    const { database } = suite.parley;
    await waitUntil(async () => (await database.sql('SELECT 1 FROM outbox')).length === 0, 'the commands');
    await waitUntil(async () => {
      const { count } = await client.workflow.count(`${query} AND DeliveryState = 'deleted'`);
      return (
        count > 0 && (await client.workflow.count(`${query} AND ExecutionStatus = 'Running'`)).count === 0
      );
    }, 'the end of the workflows');
    assert.deepEqual(later, []);
    assert.equal(receiver.requests.filter(({ path }) => path === '/fine').length, 0);
    await close();
  });

  it('fail unsent when the endpoint is disabled', async () => {
    const { endpoints, later } = await change(patch({ is_active: false }));
    const rows = await suite.deliveries();
    assert.deepEqual(later, []);
    for (const { before } of endpoints) {
      for (const [id, state] of before) {
        const row = rows.find((each) => each.id === id)!;
        assert.deepEqual(
          [row.status, row.attempts, row.reason],
          ['failed', state === 'retrying' ? 1 : 0, 'endpoint_disabled: The endpoint is disabled.'],
        );
      }
    }
  });

  it('are sent if the endpoint was disabled and is active again', async () => {
    await assertSent(
      await change(async (org, endpoint) => {
        await patch({ is_active: false })(org, endpoint);
        return patch({ is_active: true })(org, endpoint);
      }),
    );
  });

  it('are sent to the new URL with the new signature, even if the endpoint no longer subscribes to the event or bot', async () => {
    const secrets = new Map<string, string>();
    const { body: bot } = await suite.org.client.post('/api/bots', { name: 'Other' });
    const outcome = await change(async ({ client }, { id }) => {
      const response = await client.post(`/api/webhooks/${id}/rotate-secret`);
      secrets.set(id, response.body.secret);
      const replaced = await client.put(`/api/webhooks/${id}/events`, { events: ['conversation.ended'] });
      assert.equal(replaced.status, 200);
      const url = new URL(`/moved/${id}`, receiver.url).href;
      return client.patch(`/api/webhooks/${id}`, { url, bot_id: bot.id });
    });
    await assertSent(outcome);
    const { signature } = new Stripe('sk_test_unused').webhooks;
    for (const { path, headers, body } of outcome.later) {
      const id = String(headers['x-webhook-id']);
      assert.equal(path, `/moved/${id}`);
      const secret = secrets.get(id) ?? '';
      assert.ok(signature!.verifyHeader(body, String(headers['x-webhook-signature']), secret, 300));
    }
  });
});
