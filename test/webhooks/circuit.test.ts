import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { newId } from '../../core/ids.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { waitUntil } from '../support/wait-until.ts';
import { codeOf, useWebhooks } from './suite.ts';
import { createEndpoint } from './support.ts';

const FAILING_FROM = 5;

describe('the circuit of an endpoint', () => {
  const suite = useWebhooks();
  let status: number;
  let url: string;
  let requests: { receivedAt: number }[];
  let id: string;

  beforeEach(async () => {
    status = 503;
    ({ url, requests } = await suite.receiver((response) => response.writeHead(status).end()));
    ({ id } = await createEndpoint(suite.org, url));
  });

  const rows = () => suite.parley.database.repository(WebhookDelivery);
  const pending = async () => (await suite.deliveries()).filter((each) => each.status === 'pending');
  const log = async () => (await suite.org.client.get('/api/webhooks/deliveries?page_size=100')).body.items;
  /** Long enough for the dispatcher to have come by, were there something to send. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 700));

  /** Waits until each of so many deliveries has been sent or is held. */
  const allTriedOrHeld = (count: number, sent: readonly unknown[] = requests) =>
    waitUntil(async () => {
      const held = await pending();
      const isAtRest = held.every(({ leaseExpiresAt }) => leaseExpiresAt === null);
      return isAtRest && sent.length >= FAILING_FROM && held.length === count - sent.length;
    }, 'what was not sent to be held');

  /** Five failures one after the other, each of which is `retrying` now. */
  async function fail(count = FAILING_FROM): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await suite.emit();
      await suite.tried();
    }
  }

  it('stays closed after four failures in a row', async () => {
    suite.dispatcher();
    await fail(FAILING_FROM - 1);
    await suite.emit();
    await suite.tried();
    assert.equal(requests.length, FAILING_FROM);
  });

  it('holds first attempts after five, as pending, and says why', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit(3);
    await settle();
    assert.equal(requests.length, FAILING_FROM);
    const held = (await log()).filter((each: { status: string }) => each.status === 'pending');
    assert.equal(held.length, 3);
    for (const { reason, attempts, next_attempt_at: nextAttemptAt, webhook_health: health } of held) {
      assert.deepEqual(
        [reason, attempts, nextAttemptAt, health],
        [
          'endpoint_failing: The endpoint keeps failing. This is sent as soon as a retry succeeds.',
          0,
          null,
          'failing',
        ],
      );
    }
  });

  it('holds nothing of a backlog back from another endpoint of the workspace', async () => {
    const healthy = await suite.receiver();
    suite.dispatcher();
    await fail();
    await createEndpoint(suite.org, healthy.url);
    await suite.emit(3);
    await waitUntil(() => healthy.requests.length === 3, 'the healthy endpoint');
    assert.equal(requests.length, FAILING_FROM);
  });

  it('holds of a backlog what was not under way when the fifth attempt failed', async () => {
    await suite.emit(60);
    suite.dispatcher();
    await allTriedOrHeld(60);
    assert.ok(requests.length <= 10, `${requests.length} requests`);
  });

  for (const [early, state] of [
    [FAILING_FROM, 'nothing else'],
    [9, 'others'],
  ] as const)
    it(`holds, and leaves not behind, what was being claimed when the fifth attempt failed, with ${state} in hand`, async () => {
      const { database } = suite.parley;
      const gate = new EventEmitter();
      let isOpen = false;
      const slow = await suite.receiver((response) => {
        const answer = () => response.writeHead(status).end();
        if (isOpen) answer();
        else gate.once('open', answer);
      });
      const { id: slowId } = await createEndpoint(suite.org, slow.url);
      const insert = (event: string, count: number) =>
        database.sql(
          `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload)
         SELECT gen_random_uuid(), org_id, id, $2 || n, 'lead.captured', '{}' FROM webhooks, generate_series(1, $3) n
         WHERE id = $1`,
          [slowId, event, count],
        );
      // To lease the late one takes a while, and to give the others back even longer.
      await database.sql(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.event_id LIKE 'late%' AND NEW.lease_expires_at IS NOT NULL THEN PERFORM pg_sleep(0.6); END IF;
      IF NEW.status = 'pending' AND NEW.lease_expires_at IS NULL THEN PERFORM pg_sleep(0.4); END IF;
      RETURN NEW; END $$`);
      await database.sql(`CREATE TRIGGER linger BEFORE UPDATE ON webhook_deliveries
      FOR EACH ROW EXECUTE FUNCTION linger()`);
      suite.dispatcher();
      await insert('early', early);
      await waitUntil(() => slow.requests.length === FAILING_FROM, 'the requests');
      await insert('late', 1);
      const isClaiming = () =>
        database.sql(
          `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        );
      await waitUntil(async () => (await isClaiming()).length > 0, 'the claim');
      isOpen = true;
      gate.emit('open');
      for (let count = 0; count < 3; count += 1) await settle();
      assert.ok((await pending()).some(({ eventId }) => eventId === 'late1'));
      await database.sql('DROP FUNCTION linger CASCADE');
      status = 200;
      await rows().update({ webhookId: slowId, status: 'retrying' }, { status: 'failed' });
      await waitUntil(async () => (await pending()).length === 0, 'the deliveries that were held');
    });

  it('is the same for two dispatchers', async () => {
    suite.dispatcher();
    suite.dispatcher();
    await suite.emit(60);
    await allTriedOrHeld(60);
    assert.ok(requests.length <= 20, `${requests.length} requests`);
    assert.equal((await suite.endpoint(id)).transientFailures, requests.length);
    const heldCount = (await pending()).length;
    await settle();
    assert.equal((await pending()).length, heldCount);
  });

  it('is opened by a backlog of failures and refusals, before workflows take it over', async () => {
    const answers = await suite.receiver((response, _request, count) =>
      response.writeHead(count % 2 === 0 ? 404 : 503).end(),
    );
    await suite.parley.database.repository(Webhook).update(id, { url: answers.url });
    await suite.emit(60);
    suite.dispatcher();
    await allTriedOrHeld(60, answers.requests);
    const sent = answers.requests.length;
    assert.ok(sent >= 2 * FAILING_FROM - 1 && sent <= 2 * FAILING_FROM + 5, `${sent} requests`);
  });

  it('sends what people ask for although it is open', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit();
    const [first] = await suite.deliveries();
    const replay = await suite.org.client.post(`/api/webhooks/deliveries/${first!.id}/replay`);
    assert.equal(replay.status, 201);
    await waitUntil(() => requests.length === FAILING_FROM + 1, 'the replay');
    void suite.org.client.post(`/api/webhooks/${id}/test`);
    await waitUntil(() => requests.length === FAILING_FROM + 2, 'the test');
    await waitUntil(async () => (await pending()).every(({ isOnDemand }) => !isOnDemand), 'its result');
    assert.equal((await pending()).length, 1);
  });

  it('lets everything go with the first success', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit(30);
    await settle();
    status = 200;
    const [first] = await suite.deliveries();
    await suite.org.client.post(`/api/webhooks/deliveries/${first!.id}/replay`);
    await waitUntil(() => requests.length === FAILING_FROM + 1 + 30, 'the backlog');
    await waitUntil(async () => (await pending()).length === 0, 'the results of all');
  });

  it('lets the next delivery find out whether the endpoint is back when no retry is left', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit(40);
    await settle();
    assert.equal(requests.length, FAILING_FROM);
    await rows().update({ orgId: suite.org.orgId, status: 'retrying' }, { status: 'failed' });
    await waitUntil(() => requests.length > FAILING_FROM, 'the next delivery');
    await allTriedOrHeld(FAILING_FROM + 40);
    const probes = requests.length - FAILING_FROM;
    assert.ok(probes <= 10, `${probes} requests`);
  });

  it('never opens where there are no retries', async () => {
    suite.dispatcher({ webhookRetrySchedule: 'none' });
    await fail(FAILING_FROM + 2);
    assert.equal(requests.length, FAILING_FROM + 2);
    assert.ok((await suite.deliveries()).every((each) => each.status === 'failed' && each.attempts === 1));
  });

  it('makes what it holds fail when the endpoint is switched off', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit(3);
    await settle();
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: false });
    await waitUntil(async () => (await pending()).length === 0, 'the failure of what was held');
    const unsent = (await suite.deliveries()).filter(({ attempts }) => attempts === 0);
    assert.deepEqual(
      unsent.map((each) => [each.status, codeOf(each)]),
      Array.from({ length: 3 }, () => ['failed', 'endpoint_disabled']),
    );
    assert.equal(requests.length, FAILING_FROM);
  });

  it('makes what it holds fail when the endpoint is disabled for its failures', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit(3);
    await suite.parley.database
      .repository(Webhook)
      .update(id, { consecutiveFailures: 19, failingSince: new Date(Date.now() - 121 * 3_600_000) });
    const [first] = await suite.deliveries();
    await suite.org.client.post(`/api/webhooks/deliveries/${first!.id}/replay`);
    await waitUntil(async () => !(await suite.endpoint(id)).isActive, 'the disabling');
    await waitUntil(async () => (await pending()).length === 0, 'the failure of what was held');
    assert.equal(requests.length, FAILING_FROM + 1);
  });

  it('is closed by a new address, and by switching the endpoint off and on', async () => {
    suite.dispatcher();
    await fail();
    await suite.emit();
    const healthy = await suite.receiver();
    await suite.org.client.patch(`/api/webhooks/${id}`, { url: healthy.url });
    await waitUntil(() => healthy.requests.length === 1, 'the delivery to the new address');
    const isDelivered = ({ status }: Pick<WebhookDelivery, 'status'>) => status === 'delivered';
    await waitUntil(
      async () => (await suite.deliveries()).some(isDelivered),
      'its result, which closes the circuit',
    );
    await suite.parley.database.repository(Webhook).update(id, { transientFailures: 7 });
    await suite.emit();
    await settle();
    assert.equal(healthy.requests.length, 1);
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: true });
    await waitUntil(() => healthy.requests.length === 2, 'the delivery that was held');
  });

  it('is of the endpoint, not of its workspace, and knows no event', async () => {
    assert.equal((await suite.endpoint(id)).orgId, suite.org.orgId);
    const other = await createEndpoint(suite.org, url.replace('/hook', `/${newId()}`));
    suite.dispatcher();
    await fail();
    const failures = await Promise.all([id, other.id].map(async (each) => suite.endpoint(each)));
    assert.deepEqual(
      failures.map(({ consecutiveFailures }) => consecutiveFailures),
      [FAILING_FROM, FAILING_FROM],
    );
  });
});
