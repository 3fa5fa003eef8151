import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { WorkflowHandle } from '@temporalio/client';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createEndpoint, emitLead } from './support.ts';
import { waitForDeliveryThat, waitForDeliveryWorkflow, type Delivery } from './delivery-workflows.ts';
import { isSignedWith } from './signed-requests.ts';

describe('retries of a webhook delivery', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const receivers: Receiver[] = [];

  before(async () => {
    parley = await startParleyWithWorker({ webhookRetrySchedule: '1,3600,3600' });
  });
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

  async function startReceiverThat(answer: (count: number) => number): Promise<Receiver> {
    const receiver = await startReceiver((response, _request, count) =>
      response.writeHead(answer(count)).end(`answer ${count}`),
    );
    receivers.push(receiver);
    return receiver;
  }

  /** Starts a receiver of webhooks that refuses two attempts, holds the third, and accepts all further attempts. */
  async function startReceiverThatHoldsThird(): Promise<{ receiver: Receiver; letGo: () => void }> {
    let third: ServerResponse | undefined;
    const receiver = await startReceiver((response, _request, count) => {
      if (count === 3) third = response;
      else response.writeHead(count < 3 ? 503 : 200).end();
    });
    receivers.push(receiver);
    return { receiver, letGo: () => third?.end() };
  }

  const waitForDelivery = (isReady: (each: Delivery) => boolean) => waitForDeliveryThat(org, isReady);
  const findWorkflow = (each: Pick<Delivery, 'id'>) => waitForDeliveryWorkflow(parley, each);

  /** Builds a webhook delivery that has failed twice and waits an hour for its next attempt. */
  async function buildWaiting(
    receiver: Receiver,
  ): Promise<{ endpoint: { id: string; secret: string }; id: string; workflow: WorkflowHandle }> {
    const endpoint = await createEndpoint(org, receiver.url);
    await emitLead(parley, org);
    const { id } = await waitForDelivery(({ attempts }) => attempts === 2);
    return { endpoint, id, workflow: await findWorkflow({ id }) };
  }

  it('are signed with the new secret, and not with the old secret, after a rotation', async () => {
    const receiver = await startReceiverThat((count) => (count < 3 ? 503 : 200));
    const { endpoint, workflow } = await buildWaiting(receiver);
    const { body } = await org.client.post(`/api/webhooks/${endpoint.id}/rotate-secret`);
    await workflow.signal('retryNow');
    await waitForDelivery(({ status }) => status === 'delivered');
    assert.deepEqual(
      receiver.requests.map((request) => [
        isSignedWith(endpoint.secret, request),
        isSignedWith(body.secret, request),
      ]),
      [
        [true, false],
        [true, false],
        [false, true],
      ],
    );
    assert.equal(receiver.requests[2]!.body, receiver.requests[0]!.body);
  });

  itInSoak('are sent to the new URL after a change', async () => {
    const old = await startReceiverThat(() => 503);
    const moved = await startReceiverThat(() => 200);
    const { endpoint, id, workflow } = await buildWaiting(old);
    await org.client.patch(`/api/webhooks/${endpoint.id}`, { url: moved.url });
    await workflow.signal('retryNow');
    await waitForDelivery(({ status }) => status === 'delivered');
    assert.deepEqual([old.requests.length, moved.requests.length], [2, 1]);
    assert.equal(moved.requests[0]!.headers['x-webhook-delivery'], id);
  });

  itInSoak('continue after the endpoint was disabled and enabled', async () => {
    const receiver = await startReceiverThat((count) => (count < 3 ? 503 : 200));
    const { endpoint, workflow } = await buildWaiting(receiver);
    await org.client.patch(`/api/webhooks/${endpoint.id}`, { is_active: false });
    await org.client.patch(`/api/webhooks/${endpoint.id}`, { is_active: true });
    await workflow.signal('retryNow');
    assert.equal((await waitForDelivery(({ status }) => status === 'delivered')).attempts, 3);
  });

  itInSoak('continue after the endpoint unsubscribed from the event', async () => {
    const receiver = await startReceiverThat((count) => (count < 3 ? 503 : 200));
    const { endpoint, workflow } = await buildWaiting(receiver);
    await org.client.put(`/api/webhooks/${endpoint.id}/events`, { events: ['document.failed'] });
    await workflow.signal('retryNow');
    assert.equal((await waitForDelivery(({ status }) => status === 'delivered')).attempts, 3);
  });

  itInSoak('end at a final response', async () => {
    const receiver = await startReceiverThat((count) => (count < 3 ? 503 : 404));
    const { workflow } = await buildWaiting(receiver);
    await workflow.signal('retryNow');
    const {
      attempts,
      reason,
      response_body: body,
    } = await waitForDelivery(({ status }) => status === 'failed');
    assert.deepEqual(
      [attempts, reason, body],
      [3, 'http_404: The receiver responded with 404 Not Found, which is not retried.', 'answer 3'],
    );
  });

  it('end after one more attempt than the schedule has pauses', async () => {
    const receiver = await startReceiverThat(() => 500);
    const { workflow } = await buildWaiting(receiver);
    for (const attempts of [3, 4]) {
      await workflow.signal('retryNow');
      await waitForDelivery((each) => each.attempts === attempts);
    }
    const { status } = await waitForDelivery(({ attempts }) => attempts === 4);
    assert.equal(status, 'failed');
    await workflow.signal('retryNow');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(receiver.requests.length, 4);
  });

  itInSoak('are made once if signals arrive simultaneously, or during an attempt', async () => {
    const { receiver, letGo } = await startReceiverThatHoldsThird();
    const { workflow } = await buildWaiting(receiver);
    await Promise.all([
      workflow.signal('retryNow'),
      workflow.signal('retryNow'),
      workflow.signal('retryNow'),
    ]);
    await waitUntil(() => receiver.requests.length === 3, 'the attempt');
    await workflow.signal('retryNow');
    letGo();
    assert.equal(await workflow.result(), 'delivered');
    assert.equal(receiver.requests.length, 3);
  });

  itInSoak('do not affect an attempt in progress during a replay', async () => {
    const { receiver, letGo } = await startReceiverThatHoldsThird();
    const { id, workflow } = await buildWaiting(receiver);
    await workflow.signal('retryNow');
    await waitUntil(() => receiver.requests.length === 3, 'the attempt');
    const { status, body } = await org.client.post(`/api/webhooks/deliveries/${id}/replay`);
    assert.equal(status, 201);
    await waitForDelivery((each) => each.id === body.id && each.status === 'delivered');
    letGo();
    await waitForDelivery((each) => each.id === id && each.status === 'delivered');
    assert.equal(await workflow.result(), 'replayed');
    assert.equal(receiver.requests.length, 4);
  });

  itInSoak('are made even for tests and replays', async () => {
    const receiver = await startReceiverThat((count) => (count % 2 === 1 ? 503 : 200));
    const endpoint = await createEndpoint(org, receiver.url);
    const { body: test } = await org.client.post(`/api/webhooks/${endpoint.id}/test`);
    assert.deepEqual([test.ok, test.status_code], [false, 503]);
    const tested = await waitForDelivery(
      ({ id, status }) => id === test.delivery_id && status === 'delivered',
    );
    const { body: replay } = await org.client.post(`/api/webhooks/deliveries/${tested.id}/replay`);
    const replayed = await waitForDelivery(({ id, status }) => id === replay.id && status === 'delivered');
    assert.deepEqual([tested.attempts, replayed.attempts], [2, 2]);
    for (const each of [tested, replayed])
      assert.equal(await (await findWorkflow(each)).result(), 'delivered');
    const ids = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']);
    assert.deepEqual(ids, [tested.id, tested.id, replayed.id, replayed.id]);
  });
});
