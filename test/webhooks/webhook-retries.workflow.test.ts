import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createEndpoint, emitLead } from './support.ts';
import { deliveryThat, deliveryWorkflow, type Delivery } from './delivery-workflows.ts';
import { isSignedWith } from './signed-requests.ts';

describe('the retries of a webhook delivery', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const receivers: Receiver[] = [];

  before(async () => {
    parley = await startParleyWithWorker({ webhookRetrySchedule: '1,3600,3600' });
  });
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

  async function receiverThat(answer: (count: number) => number): Promise<Receiver> {
    const receiver = await startReceiver((response, _request, count) =>
      response.writeHead(answer(count)).end(`answer ${count}`),
    );
    receivers.push(receiver);
    return receiver;
  }

  /** Refuses two attempts, and takes all after the third once that is let go. */
  async function receiverThatHoldsTheThird(): Promise<{ receiver: Receiver; letGo: () => void }> {
    let third: ServerResponse | undefined;
    const receiver = await startReceiver((response, _request, count) => {
      if (count === 3) third = response;
      else response.writeHead(count < 3 ? 503 : 200).end();
    });
    receivers.push(receiver);
    return { receiver, letGo: () => third?.end() };
  }

  const delivery = (isReady: (each: Delivery) => boolean) => deliveryThat(org, isReady);
  const workflowOf = (each: Pick<Delivery, 'id'>) => deliveryWorkflow(parley, each);

  /** A delivery that has failed twice and waits for an hour. */
  async function waiting(
    receiver: Receiver,
  ): Promise<{ endpoint: { id: string; secret: string }; id: string; workflow: WorkflowHandle }> {
    const endpoint = await createEndpoint(org, receiver.url);
    await emitLead(parley, org);
    const { id } = await delivery(({ attempts }) => attempts === 2);
    return { endpoint, id, workflow: await workflowOf({ id }) };
  }

  it('are signed with the new secret when it was rotated in between, and no more with the old one', async () => {
    const receiver = await receiverThat((count) => (count < 3 ? 503 : 200));
    const { endpoint, workflow } = await waiting(receiver);
    const { body } = await org.client.post(`/api/webhooks/${endpoint.id}/rotate-secret`);
    await workflow.signal('retryNow');
    await delivery(({ status }) => status === 'delivered');
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

  it('go to the new address when it was changed in between', async () => {
    const old = await receiverThat(() => 503);
    const moved = await receiverThat(() => 200);
    const { endpoint, id, workflow } = await waiting(old);
    await org.client.patch(`/api/webhooks/${endpoint.id}`, { url: moved.url });
    await workflow.signal('retryNow');
    await delivery(({ status }) => status === 'delivered');
    assert.deepEqual([old.requests.length, moved.requests.length], [2, 1]);
    assert.equal(moved.requests[0]!.headers['x-webhook-delivery'], id);
  });

  it('go on when the endpoint was switched off and on in between', async () => {
    const receiver = await receiverThat((count) => (count < 3 ? 503 : 200));
    const { endpoint, workflow } = await waiting(receiver);
    await org.client.patch(`/api/webhooks/${endpoint.id}`, { is_active: false });
    await org.client.patch(`/api/webhooks/${endpoint.id}`, { is_active: true });
    await workflow.signal('retryNow');
    assert.equal((await delivery(({ status }) => status === 'delivered')).attempts, 3);
  });

  it('go on when the endpoint no longer wants the event', async () => {
    const receiver = await receiverThat((count) => (count < 3 ? 503 : 200));
    const { endpoint, workflow } = await waiting(receiver);
    await org.client.put(`/api/webhooks/${endpoint.id}/events`, { events: ['document.failed'] });
    await workflow.signal('retryNow');
    assert.equal((await delivery(({ status }) => status === 'delivered')).attempts, 3);
  });

  it('end at an answer that is final', async () => {
    const receiver = await receiverThat((count) => (count < 3 ? 503 : 404));
    const { workflow } = await waiting(receiver);
    await workflow.signal('retryNow');
    const { attempts, reason, response_body: body } = await delivery(({ status }) => status === 'failed');
    assert.deepEqual(
      [attempts, reason, body],
      [3, 'http_404: The receiver answered 404 Not Found, which is not tried again.', 'answer 3'],
    );
  });

  it('end after one attempt and as many more as the schedule has pauses', async () => {
    const receiver = await receiverThat(() => 500);
    const { workflow } = await waiting(receiver);
    for (const attempts of [3, 4]) {
      await workflow.signal('retryNow');
      await delivery((each) => each.attempts === attempts);
    }
    const { status } = await delivery(({ attempts }) => attempts === 4);
    assert.equal(status, 'failed');
    await workflow.signal('retryNow');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(receiver.requests.length, 4);
  });

  it('are made once for signals that come at the same time, and while an attempt is made', async () => {
    const { receiver, letGo } = await receiverThatHoldsTheThird();
    const { workflow } = await waiting(receiver);
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

  it('leave the attempt be that is made while the delivery is replayed', async () => {
    const { receiver, letGo } = await receiverThatHoldsTheThird();
    const { id, workflow } = await waiting(receiver);
    await workflow.signal('retryNow');
    await waitUntil(() => receiver.requests.length === 3, 'the attempt');
    const { status, body } = await org.client.post(`/api/webhooks/deliveries/${id}/replay`);
    assert.equal(status, 201);
    await delivery((each) => each.id === body.id && each.status === 'delivered');
    letGo();
    await delivery((each) => each.id === id && each.status === 'delivered');
    assert.equal(await workflow.result(), 'replayed');
    assert.equal(receiver.requests.length, 4);
  });

  it('are made of a test and of a replay as of every delivery', async () => {
    const receiver = await receiverThat((count) => (count % 2 === 1 ? 503 : 200));
    const endpoint = await createEndpoint(org, receiver.url);
    const { body: test } = await org.client.post(`/api/webhooks/${endpoint.id}/test`);
    assert.deepEqual([test.ok, test.status_code], [false, 503]);
    const tested = await delivery(({ id, status }) => id === test.delivery_id && status === 'delivered');
    const { body: replay } = await org.client.post(`/api/webhooks/deliveries/${tested.id}/replay`);
    const replayed = await delivery(({ id, status }) => id === replay.id && status === 'delivered');
    assert.deepEqual([tested.attempts, replayed.attempts], [2, 2]);
    for (const each of [tested, replayed]) assert.equal(await (await workflowOf(each)).result(), 'delivered');
    const ids = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']);
    assert.deepEqual(ids, [tested.id, tested.id, replayed.id, replayed.id]);
  });
});
