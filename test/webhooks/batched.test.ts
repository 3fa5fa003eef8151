import assert from 'node:assert/strict';
import { buildSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Receiver } from './receiver.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, emitEvent, fanOut, messageCreated } from './support.ts';

const FULL_BATCH = 50;

describe('message.created, which is batched,', () => {
  const suite = useWebhooks({}, { hasStoppedClock: true });
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await suite.receiver();
    await createEndpoint(suite.org, receiver.url);
  });

  async function emitMessages(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1)
      await emitEvent(suite.parley, suite.org, 'message.created', messageCreated());
    await fanOut(suite.parley);
  }
  const waitForDispatcher = () => new Promise((resolve) => setTimeout(resolve, 700));

  it('is sent within two seconds, in one batch with one delivery per message', async () => {
    suite.dispatcher();
    await emitMessages(12);
    const dueAt = (await suite.deliveries()).map((row) => row.dueAt.getTime());
    assert.equal(new Set(dueAt).size, 1);
    await waitForDispatcher();
    assert.equal(receiver.requests.length, 0);
    await suite.parley.passTime(2);
    await waitUntil(() => receiver.requests.length === 12, 'the messages');
    const ids = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(new Set(ids).size, 12);
    for (const { body } of receiver.requests) assert.equal(JSON.parse(body).event, 'message.created');
  });

  it('waits until it is due while fewer than fifty are pending', async () => {
    await emitMessages(FULL_BATCH - 1);
    suite.dispatcher();
    await waitForDispatcher();
    assert.equal(receiver.requests.length, 0);
  });

  it('is sent at once when fifty are pending', async () => {
    await suite.listeningDispatcher();
    await emitMessages(FULL_BATCH - 1);
    await emitMessages(1);
    await waitUntil(() => receiver.requests.length === FULL_BATCH, 'all fifty');
  });

  it('in a full batch of one endpoint does not release the batch of another endpoint', async () => {
    const other = await suite.receiver();
    const otherOrg = await suite.parley.buildOrg();
    await createEndpoint(otherOrg, other.url);
    await emitEvent(suite.parley, otherOrg, 'message.created', messageCreated());
    await fanOut(suite.parley);
    await suite.parley.database.sql(`UPDATE webhook_deliveries SET due_at = now() + interval '1 hour'`);
    await suite.listeningDispatcher();
    await emitMessages(FULL_BATCH);
    await waitUntil(() => receiver.requests.length === FULL_BATCH, 'all fifty');
    assert.equal(other.requests.length, 0);
  });

  it('does not delay other events', async () => {
    await emitMessages(1);
    suite.dispatcher();
    await suite.emit();
    await waitUntil(() => receiver.requests.length === 1, 'the lead');
    assert.equal(receiver.requests[0]!.headers['x-webhook-event'], 'lead.captured');
  });

  it('is sent at once in a test and in a replay', async () => {
    const [{ id } = assert.fail()] = (await suite.org.client.get('/api/webhooks')).body;
    await suite.org.client.put(`/api/webhooks/${id}/events`, { events: ['message.created'] });
    suite.dispatcher();
    const { body: test } = await suite.org.client.post(`/api/webhooks/${id}/test`);
    await waitUntil(() => receiver.requests.length === 1, 'the test');
    await suite.waitUntilTried();
    await suite.org.client.post(`/api/webhooks/deliveries/${test.delivery_id}/replay`);
    await waitUntil(() => receiver.requests.length === 2, 'the replay');
  });

  it('is emitted for each turn of a conversation', async () => {
    const { visitor, path, ...org } = await buildSession(suite.parley);
    await createEndpoint(org, receiver.url, { events: ['message.created'] });
    suite.dispatcher();
    const { body: turn } = await visitor.post(`${path}/messages`, { content: 'Größe? 🎉' });
    await fanOut(suite.parley);
    await suite.parley.passTime(2);
    await waitUntil(() => receiver.requests.length === 2, 'question and answer');
    const data = receiver.requests.map(({ body }) => JSON.parse(body).data);
    assert.deepEqual(data.map(({ role }) => role).sort(), ['assistant', 'user']);
    assert.equal(data.find(({ role }) => role === 'user').content, 'Größe? 🎉');
    assert.ok(data.some(({ message_id: id }) => id === turn.id));
  });
});
