import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';
import { formatOutcome } from '../support/outcome.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, emitLead, fanOut, leadCaptured, UNREACHABLE_URL } from './support.ts';

describe('replayWebhookDelivery', () => {
  const suite = useWebhooks();
  let webhookId: string;

  beforeEach(async () => {
    ({ id: webhookId } = await createEndpoint(suite.org, UNREACHABLE_URL));
  });

  const replayDelivery = (id: string, org = suite.org, headers: Record<string, string> = {}) =>
    org.client.post(`/api/webhooks/deliveries/${id}/replay`, undefined, headers);
  const getRows = () => suite.parley.database.repository(WebhookDelivery);

  /** Inserts a webhook delivery with this status. */
  async function buildDelivery(status: WebhookDelivery['status']): Promise<string> {
    await suite.emit();
    const { id } = (await suite.deliveries()).at(-1)!;
    const attempts = status === 'pending' ? 0 : 2;
    const reason = status === 'failed' ? 'http_404: …' : null;
    await getRows().update(id, { status, attempts, reason, dueAt: new Date(Date.now() + 3_600_000) });
    return id;
  }

  for (const status of ['failed', 'retrying', 'delivered'] as const) {
    it(`creates a delivery from a ${status} delivery, and keeps the original`, async () => {
      const id = await buildDelivery(status);
      const original = await getRows().findOneByOrFail({ id });
      const response = await replayDelivery(id);
      assert.equal(response.status, 201);
      const { id: replayId, created_at: createdAt, payload, ...rest } = response.body;
      assert.notEqual(replayId, id);
      assert.deepEqual(rest, {
        webhook_id: webhookId,
        event: 'lead.captured',
        status: 'pending',
        attempts: 0,
        attempt_log: [],
        reason: null,
        next_attempt_at: null,
        response_status: null,
        response_body: null,
        duration_ms: null,
        webhook_health: 'unknown',
        replay_of_id: id,
        replayed_as_id: null,
        delivered_at: null,
      });
      const { body: log } = await suite.org.client.get(`/api/webhooks/deliveries?id=${id}`);
      assert.equal(log.items[0]!.replayed_as_id, replayId);
      assert.deepEqual(payload, { event: original.event, data: original.payload });
      assert.ok(Date.parse(createdAt) >= original.createdAt.getTime());
      const kept = await getRows().findOneByOrFail({ id });
      const isReplaced = status === 'retrying';
      assert.deepEqual(
        { ...kept },
        {
          ...original,
          ...(isReplaced && { status: 'failed', reason: `replayed: It was sent again as ${replayId}.` }),
        },
      );
    });
  }

  it('refuses a delivery that has not been tried yet', async () => {
    const { status, body, problem } = await replayDelivery(await buildDelivery('pending'));
    assert.equal(formatOutcome({ status, body }), '409 conflict');
    assert.match(problem.error.message, /still pending/);
    assert.equal((await suite.deliveries()).length, 1);
  });

  it('refuses to replay deliveries of a disabled endpoint', async () => {
    const id = await buildDelivery('failed');
    await suite.parley.database.repository(Webhook).update(webhookId, { isActive: false });
    const { status, body, problem } = await replayDelivery(id);
    assert.equal(formatOutcome({ status, body }), '409 conflict');
    assert.match(problem.error.message, /disabled/);
    assert.equal((await suite.deliveries()).length, 1);
  });

  it('refuses another workspace’s delivery, an unknown delivery and a malformed id', async () => {
    const id = await buildDelivery('failed');
    const other = await suite.parley.buildOrg();
    assert.deepEqual(
      [(await replayDelivery(id, other)).status, (await replayDelivery(newId())).status],
      [403, 404],
    );
    assert.equal((await replayDelivery('last')).status, 422);
    assert.deepEqual(await suite.deliveries(other), []);
    assert.equal((await suite.deliveries()).length, 1);
  });

  it('creates another delivery for each call, but only one per idempotency key', async () => {
    const id = await buildDelivery('failed');
    const replayWithKey = () => replayDelivery(id, suite.org, { 'idempotency-key': 'again-please-1' });
    const [first, second, third] = [await replayWithKey(), await replayWithKey(), await replayDelivery(id)];
    assert.deepEqual([first.status, second.status, third.status], [201, 201, 201]);
    assert.deepEqual(second.body, first.body);
    assert.notEqual(third.body.id, first.body.id);
    assert.equal((await suite.deliveries()).length, 3);
  });

  it('creates a replay of a replay, which refers to the first replay', async () => {
    const id = await buildDelivery('failed');
    const { body: first } = await replayDelivery(id);
    await getRows().update(first.id, { status: 'failed' });
    const { status, body: second } = await replayDelivery(first.id);
    assert.deepEqual([status, second.replay_of_id], [201, first.id]);
    assert.deepEqual(second.payload, first.payload);
  });

  it('sends the same bytes only to the same endpoint, with its current secret and URL', async () => {
    const [mine, others, moved] = [await suite.receiver(), await suite.receiver(), await suite.receiver()];
    await suite.org.client.patch(`/api/webhooks/${webhookId}`, { url: mine.url });
    await createEndpoint(suite.org, others.url);
    await createEndpoint(await suite.parley.buildOrg(), others.url);
    suite.dispatcher();
    const note = 'Ñandú 😊 \u001b \u2028 \\ </script>';
    await emitLead(suite.parley, suite.org, { ...leadCaptured(), fields: { note } });
    await fanOut(suite.parley);
    await suite.waitUntilTried();
    await suite.org.client.patch(`/api/webhooks/${webhookId}`, { url: moved.url });
    const [request] = mine.requests;
    const { body } = await replayDelivery(String(request!.headers['x-webhook-delivery']));
    await waitUntil(() => moved.requests.length === 1, 'the replay');
    assert.equal(moved.requests[0]!.headers['x-webhook-delivery'], body.id);
    assert.equal(moved.requests[0]!.body, request!.body);
    assert.equal(
      (JSON.parse(request!.body) as { data: { fields: { note: string } } }).data.fields.note,
      note,
    );
    assert.deepEqual([mine.requests.length, others.requests.length], [1, 1]);
  });

  it('counts as an attempt of the endpoint', async () => {
    const { url } = await suite.receiver((response) => response.writeHead(404).end());
    await suite.org.client.patch(`/api/webhooks/${webhookId}`, { url });
    const id = await buildDelivery('failed');
    suite.dispatcher();
    await replayDelivery(id);
    await suite.waitUntilTried();
    const { deliveryCount, failureCount } = await suite.endpoint(webhookId);
    assert.deepEqual([deliveryCount, failureCount], [1, 1]);
  });

  it('keeps replays after the original delivery was deleted from the log', async () => {
    const monthsAgo = `00000000-0000-7000-8000-${newId().slice(-12)}`;
    await getRows().update(await buildDelivery('failed'), { id: monthsAgo });
    const replays: string[] = [
      (await replayDelivery(monthsAgo)).body.id,
      (await replayDelivery(monthsAgo)).body.id,
    ];
    const { removed } = await new ExpiryRepository(suite.parley.runtime.settings).deleteBatch(
      suite.parley.database,
    );
    assert.equal(removed.deliveries, 1);
    const left = await suite.deliveries();
    assert.deepEqual(left.map((each) => each.id).sort(), replays.sort());
    assert.ok(left.every(({ replayOfId }) => replayOfId === null));
  });
});
