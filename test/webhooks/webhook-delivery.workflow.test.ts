import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import Stripe from 'stripe';
import { newId } from '../../core/ids.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createEndpoint, emitLead } from './support.ts';
import {
  waitForDeliveryThat,
  waitForDeliveryWorkflow,
  listDeliveries,
  type Delivery,
} from './delivery-workflows.ts';

describe('webhookDelivery', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const receivers: Receiver[] = [];

  before(async () => {
    parley = await startParleyWithWorker({
      webhookRetrySchedule: '1,3600',
      webhookParkingHours: 5,
    });
  });
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

  /** Creates a webhook endpoint that responds with this status; `count` is the number of the request from 1. */
  async function createEndpointThat(status: (count: number) => number) {
    const receiver = await startReceiver((response, _request, count) =>
      response.writeHead(status(count)).end(),
    );
    receivers.push(receiver);
    return { ...(await createEndpoint(org, receiver.url)), receiver };
  }

  const listAll = (query?: string) => listDeliveries(org, query);
  const waitForDelivery = (isReady: (each: Delivery) => boolean) => waitForDeliveryThat(org, isReady);
  const findWorkflow = (each: Pick<Delivery, 'id'>) => waitForDeliveryWorkflow(parley, each);

  it('retries on schedule with the same id and body and a new signature, until it is delivered', async () => {
    const { receiver, secret } = await createEndpointThat((count) => (count === 1 ? 503 : 200));
    await emitLead(parley, org);
    const { id, attempts } = await waitForDelivery(({ status }) => status === 'delivered');
    assert.equal(attempts, 2);
    const [first, second] = receiver.requests;
    assert.equal(second!.body, first!.body);
    assert.deepEqual(
      [first, second].map((each) => each!.headers['x-webhook-delivery']),
      [id, id],
    );
    const { signature: verifier } = new Stripe('sk_test_unused').webhooks;
    for (const { body, headers } of receiver.requests)
      assert.ok(verifier!.verifyHeader(body, String(headers['x-webhook-signature']), secret, 300));
    assert.equal(await (await findWorkflow({ id })).result(), 'delivered');
  });

  itInSoak('shows operators the reason for waiting, and the time of the next attempt', async () => {
    const { id: webhookId } = await createEndpointThat(() => 503);
    await emitLead(parley, org);
    const { id, next_attempt_at: nextAttemptAt } = await waitForDelivery(({ attempts }) => attempts === 2);
    const handle = await findWorkflow({ id });
    let details = '';
    await waitUntil(async () => {
      details = await readDetails(handle);
      return details.includes('attempt 2');
    }, 'the details of the second attempt');
    assert.match(details, /^\*\*retrying\*\*/);
    assert.match(details, /Next attempt at \d{4}-\d\d-\d\dT[\d:.]+Z\. Signals: retryNow, replay, giveUp\./);
    assert.match(details, /attempt 1: http_503: The receiver responded with 503 Service Unavailable\./);
    assert.ok(Date.parse(nextAttemptAt!) > Date.now() + 3_000_000);
    const { typedSearchAttributes, searchAttributes, raw } = await handle.describe();
    assert.ok(typedSearchAttributes);
    assert.deepEqual(
      Object.fromEntries(Object.entries(searchAttributes).filter(([name]) => name in expectedAttributes)),
      {
        OrgId: [org.orgId],
        EndpointId: [webhookId],
        EventName: ['lead.captured'],
        DeliveryState: ['retrying'],
      },
    );
    assert.ok(raw);
  });

  itInSoak('makes no other attempt after the signal giveUp', async () => {
    const { receiver } = await createEndpointThat(() => 503);
    await emitLead(parley, org);
    const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
    const handle = await findWorkflow(waiting);
    await handle.signal('giveUp');
    assert.equal(await handle.result(), 'given-up');
    const [given] = await listAll();
    assert.deepEqual(
      [given!.status, given!.reason],
      ['failed', 'given_up: An operator canceled the delivery.'],
    );
    assert.equal(receiver.requests.length, 2);
  });

  itInSoak(
    'waits for a replay after a permanent refusal, and sends the replay as a new delivery',
    async () => {
      const { receiver } = await createEndpointThat((count) => (count === 1 ? 404 : 200));
      await emitLead(parley, org);
      const failed = await waitForDelivery(({ status }) => status === 'failed');
      const handle = await findWorkflow(failed);
      await waitUntil(async () => (await readDetails(handle)).startsWith('**failed**'), 'the parking');
      await handle.signal('replay');
      const replay = await waitForDelivery(
        (each) => each.replay_of_id === failed.id && each.status === 'delivered',
      );
      assert.equal(await handle.result(), 'replayed');
      assert.equal((await listAll()).find(({ id }) => id === failed.id)?.status, 'failed');
      assert.deepEqual(
        receiver.requests.map(({ headers }) => headers['x-webhook-delivery']),
        [failed.id, replay.id],
      );
      assert.equal(receiver.requests[1]!.body, receiver.requests[0]!.body);
    },
  );

  itInSoak('creates one delivery if it gets two replay signals', async () => {
    await createEndpointThat((count) => (count === 1 ? 404 : 200));
    await emitLead(parley, org);
    const failed = await waitForDelivery(({ status }) => status === 'failed');
    const handle = await findWorkflow(failed);
    const replayId = newId();
    await Promise.all([handle.signal('replay', replayId), handle.signal('replay', replayId)]);
    await handle.result();
    await waitForDelivery(({ id, status }) => id === replayId && status === 'delivered');
    assert.equal((await listAll()).length, 2);
  });

  for (const [what, inputOf] of Object.entries<(failed: Delivery) => unknown>({
    'is no id': () => 'again, please',
    'is null': () => null,
    'is its own id': ({ id }) => id,
  })) {
    itInSoak(`creates one replay for a signal whose input ${what}`, async () => {
      await createEndpointThat((count) => (count === 1 ? 404 : 200));
      await emitLead(parley, org);
      const failed = await waitForDelivery(({ status }) => status === 'failed');
      const handle = await findWorkflow(failed);
      await handle.signal('replay', inputOf(failed));
      assert.equal(await handle.result(), 'replayed');
      await waitForDelivery((each) => each.replay_of_id === failed.id && each.status === 'delivered');
      assert.equal((await listAll()).length, 2);
    });
  }

  describe('signaled to replay to a disabled endpoint', () => {
    const refusal = /replay refused: the endpoint is disabled\. Enable it, then send the signal again\./;

    itInSoak('refuses with a reason, and waits until the endpoint is enabled', async () => {
      const { id, receiver } = await createEndpointThat((count) => (count === 1 ? 404 : 200));
      await emitLead(parley, org);
      const failed = await waitForDelivery(({ status }) => status === 'failed');
      const handle = await findWorkflow(failed);
      await org.client.patch(`/api/webhooks/${id}`, { is_active: false });
      await handle.signal('replay');
      await waitUntil(async () => refusal.test(await readDetails(handle)), 'the refusal');
      assert.match(await readDetails(handle), /^\*\*failed\*\*[^]*Waiting 5 hours/);
      assert.equal((await handle.describe()).status.name, 'RUNNING');
      assert.equal((await listAll()).length, 1);
      await org.client.patch(`/api/webhooks/${id}`, { is_active: true });
      await handle.signal('replay');
      assert.equal(await handle.result(), 'replayed');
      await waitForDelivery((each) => each.replay_of_id === failed.id && each.status === 'delivered');
      assert.equal(receiver.requests.length, 2);
    });

    itInSoak('keeps its next attempt if it is still retrying', async () => {
      const { id } = await createEndpointThat(() => 503);
      await emitLead(parley, org);
      const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
      const handle = await findWorkflow(waiting);
      await org.client.patch(`/api/webhooks/${id}`, { is_active: false });
      await handle.signal('replay');
      await waitUntil(async () => refusal.test(await readDetails(handle)), 'the refusal');
      assert.match(await readDetails(handle), /^\*\*retrying\*\*/);
      const [only, ...others] = await listAll();
      assert.deepEqual(
        [only!.status, only!.next_attempt_at, others],
        ['retrying', waiting.next_attempt_at, []],
      );
    });
  });

  itInSoak('ends if it is signaled to replay to a deleted endpoint', async () => {
    const { id } = await createEndpointThat(() => 404);
    await emitLead(parley, org);
    const handle = await findWorkflow(await waitForDelivery(({ status }) => status === 'failed'));
    await waitUntil(async () => (await readDetails(handle)).startsWith('**failed**'), 'the parking');
    await org.client.delete(`/api/webhooks/${id}`);
    await handle.signal('replay');
    assert.equal(await handle.result(), 'deleted');
    assert.match(await readDetails(handle), /The delivery was deleted with its endpoint/);
  });

  describe('canceled in Temporal', () => {
    const CANCELLED = 'cancelled: An operator canceled the retries.';
    const waitForEnd = async (handle: WorkflowHandle) => {
      await assert.rejects(handle.result());
      return (await handle.describe()).status.name;
    };

    it('fails the delivery, and no sweep restarts it', async () => {
      const { receiver } = await createEndpointThat(() => 503);
      await emitLead(parley, org);
      const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
      const handle = await findWorkflow(waiting);
      await handle.cancel();
      assert.equal(await waitForEnd(handle), 'CANCELLED');
      const [given] = await listAll();
      assert.deepEqual([given!.status, given!.reason], ['failed', CANCELLED]);
      assert.match(await readDetails(handle), /^\*\*given-up\*\*[^]*Canceled in Temporal/);
      assert.equal(receiver.requests.length, 2);
    });

    itInSoak('aborts the attempt in progress first', async () => {
      const receiver = await startReceiver((response, _request, count) => {
        if (count === 1) response.writeHead(503).end();
      });
      receivers.push(receiver);
      await createEndpoint(org, receiver.url);
      await emitLead(parley, org);
      await waitUntil(() => receiver.requests.length === 2, 'the attempt');
      const handle = await findWorkflow(await waitForDelivery(() => true));
      await handle.cancel();
      assert.equal(await waitForEnd(handle), 'CANCELLED');
      const [given] = await listAll();
      assert.deepEqual([given!.status, given!.attempts, given!.reason], ['failed', 1, CANCELLED]);
    });

    itInSoak('keeps the reason of a failed delivery, which the API can still replay', async () => {
      await createEndpointThat((count) => (count === 1 ? 404 : 200));
      await emitLead(parley, org);
      const failed = await waitForDelivery(({ status }) => status === 'failed');
      const handle = await findWorkflow(failed);
      await handle.cancel();
      assert.equal(await waitForEnd(handle), 'CANCELLED');
      assert.equal((await listAll())[0]!.reason, failed.reason);
      const { body } = await org.client.post(`/api/webhooks/deliveries/${failed.id}/replay`);
      await waitForDelivery((each) => each.id === body.id && each.status === 'delivered');
    });
  });

  describe('with replayWebhookDelivery', () => {
    const replayDelivery = ({ id }: Delivery) => org.client.post(`/api/webhooks/deliveries/${id}/replay`);

    it('ends once its failed delivery is sent again as a new delivery', async () => {
      await createEndpointThat((count) => (count === 1 ? 404 : 200));
      await emitLead(parley, org);
      const failed = await waitForDelivery(({ status }) => status === 'failed');
      const { status, body } = await replayDelivery(failed);
      assert.deepEqual(
        [status, body.status, body.attempts, body.replay_of_id],
        [201, 'pending', 0, failed.id],
      );
      await waitForDelivery((each) => each.id === body.id && each.status === 'delivered');
      assert.equal(await (await findWorkflow(failed)).result(), 'replayed');
      assert.equal((await listAll()).length, 2);
    });

    itInSoak('ends without further retries once its waiting delivery is sent again', async () => {
      await createEndpointThat((count) => (count < 3 ? 503 : 200));
      await emitLead(parley, org);
      const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
      const { body } = await replayDelivery(waiting);
      await waitForDelivery((each) => each.id === body.id && each.status === 'delivered');
      const original = (await listAll()).find(({ id }) => id === waiting.id)!;
      assert.deepEqual(
        [original.status, original.reason],
        ['failed', `replayed: It was sent again as ${body.id}.`],
      );
      assert.equal(await (await findWorkflow(waiting)).result(), 'replayed');
    });

    itInSoak('can have ended before its delivery is sent again, any number of times', async () => {
      const { receiver } = await createEndpointThat((count) => (count === 1 ? 404 : 200));
      await emitLead(parley, org);
      const failed = await waitForDelivery(({ status }) => status === 'failed');
      const handle = await findWorkflow(failed);
      await handle.signal('giveUp');
      await handle.result();
      for (const count of [2, 3]) {
        const { body } = await replayDelivery(failed);
        await waitForDelivery((each) => each.id === body.id && each.status === 'delivered');
        assert.equal(receiver.requests.length, count);
      }
    });
  });

  it('ends when the endpoint is deleted', async () => {
    const { id } = await createEndpointThat(() => 503);
    await emitLead(parley, org);
    const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
    const handle = await findWorkflow(waiting);
    await org.client.delete(`/api/webhooks/${id}`);
    assert.equal(await handle.result(), 'deleted');
  });

  itInSoak(
    'waits without an attempt while the secret cannot be decrypted, and shows the reason',
    async () => {
      const { id, receiver } = await createEndpointThat((count) => (count < 3 ? 503 : 200));
      const endpoints = parley.database.repository(Webhook);
      await emitLead(parley, org);
      const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
      const { sealedSecret } = await endpoints.findOneByOrFail({ id });
      await endpoints.update(id, { sealedSecret: 'v1.sealed-with-another-key' });
      const handle = await findWorkflow(waiting);
      await handle.signal('retryNow');
      await waitUntil(
        async () => (await readDetails(handle)).includes('not sent: secret_unavailable: '),
        'the reason',
      );
      const [postponed] = await listAll();
      assert.deepEqual([postponed!.status, postponed!.attempts], ['retrying', 2]);
      assert.equal((await endpoints.findOneByOrFail({ id })).consecutiveFailures, 2);
      await endpoints.update(id, { sealedSecret });
      await handle.signal('retryNow');
      assert.equal(await handle.result(), 'delivered');
      assert.equal(receiver.requests.length, 3);
    },
  );

  it('makes no attempt to an endpoint that was disabled in the meantime', async () => {
    const { id, receiver } = await createEndpointThat(() => 503);
    await emitLead(parley, org);
    const waiting = await waitForDelivery(({ attempts }) => attempts === 2);
    await org.client.patch(`/api/webhooks/${id}`, { is_active: false });
    await (await findWorkflow(waiting)).signal('retryNow');
    const { reason, attempts } = await waitForDelivery(({ status }) => status === 'failed');
    assert.deepEqual([reason, attempts], ['endpoint_disabled: The endpoint is disabled.', 2]);
    assert.equal(receiver.requests.length, 2);
  });

  itInSoak(
    'holds new deliveries while the endpoint fails, and sends them once a retry succeeds',
    async () => {
      let isBack = false;
      const { id, receiver } = await createEndpointThat(() => (isBack ? 200 : 503));
      for (let count = 0; count < 5; count += 1) await emitLead(parley, org);
      await waitUntil(async () => (await listAll('&status=retrying')).length === 5, 'five failures');
      for (let count = 0; count < 20; count += 1) await emitLead(parley, org);
      await waitUntil(async () => (await listAll('&status=pending')).length === 20, 'the backlog');
      const [held] = await listAll('&status=pending');
      assert.match(held!.reason!, /^endpoint_failing: /);
      const sentBefore = receiver.requests.length;
      await waitUntil(
        async () => (await listAll()).filter(({ attempts }) => attempts === 2).length === 5,
        'the retries',
      );
      assert.equal((await listAll('&status=pending')).length, 20);
      assert.ok(receiver.requests.length - sentBefore <= 5);
      assert.equal((await org.client.get(`/api/webhooks/${id}`)).body.health, 'failing');
      isBack = true;
      const [retrying] = await listAll('&status=retrying');
      await (await findWorkflow(retrying!)).signal('retryNow');
      await waitUntil(
        async () => (await listAll('&status=delivered')).length === 21,
        'the backlog to be sent',
      );
      assert.equal((await org.client.get(`/api/webhooks/${id}`)).body.health, 'healthy');
    },
  );
});

const expectedAttributes = { OrgId: 0, EndpointId: 0, EventName: 0, DeliveryState: 0 };

async function readDetails(handle: WorkflowHandle): Promise<string> {
  const { currentDetails: details } = await handle.query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  return details;
}
