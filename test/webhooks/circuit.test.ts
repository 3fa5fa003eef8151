import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { newId } from '../../core/ids.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { readReasonCode, useWebhooks } from './suite.ts';
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

  const getRows = () => suite.parley.database.repository(WebhookDelivery);
  const listPending = async () => (await suite.deliveries()).filter((each) => each.status === 'pending');
  const readLog = async () =>
    (await suite.org.client.get('/api/webhooks/deliveries?page_size=100')).body.items;
  /** Waits longer than the dispatcher needs to send a due webhook delivery. */
  const waitForDispatcher = () => new Promise((resolve) => setTimeout(resolve, 700));

  /**
   * Waits until Parley has stopped sending to the failing endpoint. Each of `count` deliveries has then been
   * sent or is held.
   */
  const waitUntilTriedOrHeld = (count: number, sent: readonly unknown[] = requests) =>
    waitUntil(async () => {
      const { transientFailures } = await suite.endpoint(id);
      const held = await listPending();
      const isAtRest = held.every(({ leaseExpiresAt }) => leaseExpiresAt === null);
      return isAtRest && transientFailures >= FAILING_FROM && held.length === count - sent.length;
    }, 'what was not sent to be held');

  /** Makes five webhook deliveries fail one after another; each is `retrying` afterwards. */
  async function failDeliveries(count = FAILING_FROM): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await suite.emit();
      await suite.waitUntilTried();
    }
  }

  it('stays closed after four consecutive failures', async () => {
    suite.dispatcher();
    await failDeliveries(FAILING_FROM - 1);
    await suite.emit();
    await suite.waitUntilTried();
    assert.equal(requests.length, FAILING_FROM);
  });

  it('opens after five failures: first attempts are held as pending, with a reason', async () => {
    suite.dispatcher();
    await failDeliveries();
    await suite.emit(3);
    await waitForDispatcher();
    assert.equal(requests.length, FAILING_FROM);
    const held = (await readLog()).filter((each: { status: string }) => each.status === 'pending');
    assert.equal(held.length, 3);
    for (const {
      reason,
      attempts,
      next_attempt_at: nextAttemptAt,
      webhook_health: health,
      webhook_id: webhookId,
    } of held) {
      assert.deepEqual(
        [reason, attempts, nextAttemptAt, health],
        [
          `endpoint_failing: The endpoint keeps failing. The delivery is sent as soon as a retry of an earlier delivery succeeds. To send it now, run parley webhooks test ${webhookId}.`,
          0,
          null,
          'failing',
        ],
      );
    }
  });

  it('does not hold deliveries to other endpoints of the workspace', async () => {
    const healthy = await suite.receiver();
    suite.dispatcher();
    await failDeliveries();
    await createEndpoint(suite.org, healthy.url);
    await suite.emit(3);
    await waitUntil(() => healthy.requests.length === 3, 'the healthy endpoint');
    assert.equal(requests.length, FAILING_FROM);
  });

  itInSoak('holds the deliveries of a backlog that were not in progress at the fifth failure', async () => {
    await suite.emit(60);
    suite.dispatcher();
    await waitUntilTriedOrHeld(60);
    assert.ok(requests.length <= 10, `${requests.length} requests`);
  });

  for (const [early, state] of [
    [FAILING_FROM, 'nothing else'],
    [9, 'others'],
  ] as const)
    itInSoak(
      `holds deliveries that were being claimed at the fifth failure, with ${state} in progress`,
      async () => {
        const { database } = suite.parley;
        const gate = new EventEmitter();
        let isOpen = false;
        const slow = await suite.receiver((response) => {
          const answerAll = () => response.writeHead(status).end();
          if (isOpen) answerAll();
          else gate.once('open', answerAll);
        });
        const { id: slowId } = await createEndpoint(suite.org, slow.url);
        const insertDeliveries = (event: string, count: number) =>
          database.sql(
            `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload)
         SELECT gen_random_uuid(), org_id, id, $2 || n, 'lead.captured', '{}' FROM webhooks, generate_series(1, $3) n
         WHERE id = $1`,
            [slowId, event, count],
          );
        // Add a trigger that delays the lease of each late delivery by 0.6 s, and the release of each leased
        // delivery by 0.4 s.
        await database.sql(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.event_id LIKE 'late%' AND NEW.lease_expires_at IS NOT NULL THEN PERFORM pg_sleep(0.6); END IF;
      IF NEW.status = 'pending' AND NEW.lease_expires_at IS NULL THEN PERFORM pg_sleep(0.4); END IF;
      RETURN NEW; END $$`);
        await database.sql(`CREATE TRIGGER linger BEFORE UPDATE ON webhook_deliveries
      FOR EACH ROW EXECUTE FUNCTION linger()`);
        suite.dispatcher();
        await insertDeliveries('early', early);
        await waitUntil(() => slow.requests.length === FAILING_FROM, 'the requests');
        await insertDeliveries('late', 1);
        const isClaiming = () =>
          database.sql(
            `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
          );
        await waitUntil(async () => (await isClaiming()).length > 0, 'the claim');
        isOpen = true;
        gate.emit('open');
        for (let count = 0; count < 3; count += 1) await waitForDispatcher();
        assert.ok((await listPending()).some(({ eventId }) => eventId === 'late1'));
        await database.sql('DROP FUNCTION linger CASCADE');
        status = 200;
        await getRows().update({ webhookId: slowId, status: 'retrying' }, { status: 'failed' });
        await waitUntil(async () => (await listPending()).length === 0, 'the deliveries that were held');
      },
    );

  itInSoak('is shared by two dispatchers', async () => {
    suite.dispatcher();
    suite.dispatcher();
    await suite.emit(60);
    await waitUntilTriedOrHeld(60);
    assert.ok(requests.length <= 20, `${requests.length} requests`);
    assert.equal((await suite.endpoint(id)).transientFailures, requests.length);
    const heldCount = (await listPending()).length;
    await waitForDispatcher();
    assert.equal((await listPending()).length, heldCount);
  });

  it('opens during a backlog of failures and refusals, before workflows retry them', async () => {
    const answers = await suite.receiver((response, _request, count) =>
      response.writeHead(count % 2 === 0 ? 404 : 503).end(),
    );
    await suite.parley.database.repository(Webhook).update(id, { url: answers.url });
    await suite.emit(60);
    suite.dispatcher();
    await waitUntilTriedOrHeld(60, answers.requests);
    const sent = answers.requests.length;
    assert.ok(sent >= 2 * FAILING_FROM - 1 && sent <= 2 * FAILING_FROM + 5, `${sent} requests`);
  });

  it('opens at the fifth failure, even if no delivery was claimed after the fourth', async () => {
    suite.dispatcher();
    await failDeliveries(FAILING_FROM - 1);
    await suite.emit(60);
    await waitUntilTriedOrHeld(60 + FAILING_FROM - 1);
    assert.ok(requests.length <= FAILING_FROM + 1, `${requests.length} requests`);
  });

  itInSoak('does not hold tests and replays', async () => {
    suite.dispatcher();
    await failDeliveries();
    await suite.emit();
    const [first] = await suite.deliveries();
    const replay = await suite.org.client.post(`/api/webhooks/deliveries/${first!.id}/replay`);
    assert.equal(replay.status, 201);
    await waitUntil(() => requests.length === FAILING_FROM + 1, 'the replay');
    void suite.org.client.post(`/api/webhooks/${id}/test`);
    await waitUntil(() => requests.length === FAILING_FROM + 2, 'the test');
    await waitUntil(async () => (await listPending()).every(({ isOnDemand }) => !isOnDemand), 'its result');
    assert.equal((await listPending()).length, 1);
  });

  it('releases all held deliveries at the first success', async () => {
    suite.dispatcher();
    await failDeliveries();
    await suite.emit(30);
    await waitForDispatcher();
    status = 200;
    const [first] = await suite.deliveries();
    await suite.org.client.post(`/api/webhooks/deliveries/${first!.id}/replay`);
    await waitUntil(() => requests.length === FAILING_FROM + 1 + 30, 'the backlog');
    await waitUntil(async () => (await listPending()).length === 0, 'the results of all');
  });

  itInSoak('uses the next delivery as a probe if no retry is left', async () => {
    suite.dispatcher();
    await failDeliveries();
    await suite.emit(40);
    await waitForDispatcher();
    assert.equal(requests.length, FAILING_FROM);
    await getRows().update({ orgId: suite.org.orgId, status: 'retrying' }, { status: 'failed' });
    await waitUntil(() => requests.length > FAILING_FROM, 'the next delivery');
    await waitUntilTriedOrHeld(FAILING_FROM + 40);
    const probes = requests.length - FAILING_FROM;
    assert.ok(probes <= 10, `${probes} requests`);
  });

  it('stays closed after seven failures if the schedule has no retries', async () => {
    suite.dispatcher({ webhookRetrySchedule: 'none' });
    await failDeliveries(FAILING_FROM + 2);
    assert.equal(requests.length, FAILING_FROM + 2);
    assert.ok((await suite.deliveries()).every((each) => each.status === 'failed' && each.attempts === 1));
  });

  it('fails held deliveries when the endpoint is disabled by a person', async () => {
    suite.dispatcher();
    await failDeliveries();
    await suite.emit(3);
    await waitForDispatcher();
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: false });
    await waitUntil(async () => (await listPending()).length === 0, 'the failure of what was held');
    const unsent = (await suite.deliveries()).filter(({ attempts }) => attempts === 0);
    assert.deepEqual(
      unsent.map((each) => [each.status, readReasonCode(each)]),
      Array.from({ length: 3 }, () => ['failed', 'endpoint_disabled']),
    );
    assert.equal(requests.length, FAILING_FROM);
  });

  it('fails held deliveries when the endpoint is disabled for its failures', async () => {
    suite.dispatcher();
    await failDeliveries();
    await suite.emit(3);
    await suite.parley.database
      .repository(Webhook)
      .update(id, { consecutiveFailures: 19, failingSince: new Date(Date.now() - 121 * 3_600_000) });
    const [first] = await suite.deliveries();
    await suite.org.client.post(`/api/webhooks/deliveries/${first!.id}/replay`);
    await waitUntil(async () => !(await suite.endpoint(id)).isActive, 'the disabling');
    await waitUntil(async () => (await listPending()).length === 0, 'the failure of what was held');
    assert.equal(requests.length, FAILING_FROM + 1);
  });

  it('closes when the URL changes, and when the endpoint is disabled and enabled again', async () => {
    suite.dispatcher();
    await failDeliveries();
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
    await waitForDispatcher();
    assert.equal(healthy.requests.length, 1);
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: true });
    await waitUntil(() => healthy.requests.length === 2, 'the delivery that was held');
  });

  it('counts only failures of the endpoint itself, not those of other endpoints of its workspace or event', async () => {
    assert.equal((await suite.endpoint(id)).orgId, suite.org.orgId);
    const other = await createEndpoint(suite.org, url.replace('/hook', `/${newId()}`));
    suite.dispatcher();
    await failDeliveries();
    const failures = await Promise.all([id, other.id].map(async (each) => suite.endpoint(each)));
    assert.deepEqual(
      failures.map(({ consecutiveFailures }) => consecutiveFailures),
      [FAILING_FROM, FAILING_FROM],
    );
  });
});
