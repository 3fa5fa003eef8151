import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildBot } from '../support/worker.ts';
import { createEndpoint, UNREACHABLE_URL } from './support.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

describe('the fan-out of events', () => {
  let parley: TestParley;
  let org: TestOrg;

  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  function buildEvent(overrides: Partial<Opened<OutboxRow>> = {}): Opened<OutboxRow> {
    const createdAt = new Date('2026-09-03T10:15:30.123Z');
    return Object.assign(new OutboxRow(), {
      id: newId(),
      orgId: org.orgId,
      botId: newId(),
      kind: 'event',
      name: 'lead.captured',
      payload: { zebra: 1, ant: 'é' },
      attempts: 0,
      lastError: null,
      dueAt: createdAt,
      createdAt,
      ...overrides,
    });
  }

  const saveEvents = (rows: Opened<OutboxRow>[]) =>
    parley.database.repository(OutboxRow).insert(rows as object[]);

  async function deliverEvents(rows: Opened<OutboxRow>[], sink = new WebhookFanOut()): Promise<void> {
    await saveEvents(rows);
    await parley.database.transaction((db) => sink.deliver(db, rows));
  }

  const listDeliveries = () =>
    parley.database.repository(WebhookDelivery).find({ where: { orgId: org.orgId }, order: { id: 'ASC' } });

  it('creates a pending delivery for each subscribed endpoint, with event_id and occurred_at', async () => {
    const wanting = await createEndpoint(org, UNREACHABLE_URL, {
      events: ['lead.captured', 'document.failed'],
    });
    await createEndpoint(org, UNREACHABLE_URL, { events: ['document.failed'] });
    const row = buildEvent();
    await deliverEvents([row]);
    const [delivery, ...others] = await listDeliveries();
    assert.equal(others.length, 0);
    assert.equal(delivery?.webhookId, wanting.id);
    assert.equal(delivery.status, 'pending');
    assert.match(delivery.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(
      JSON.stringify(delivery.payload),
      `{"zebra":1,"ant":"é","event_id":"${row.id}","occurred_at":"2026-09-03T10:15:30.123Z"}`,
    );
  });

  it('skips inactive endpoints, other workspaces and endpoints limited to another bot', async () => {
    const botId = await buildBot(org);
    const other = await parley.buildOrg();
    const all = await createEndpoint(org, UNREACHABLE_URL);
    const limited = await createEndpoint(org, UNREACHABLE_URL, { bot_id: botId });
    const inactive = await createEndpoint(org, UNREACHABLE_URL);
    await createEndpoint(other, UNREACHABLE_URL);
    await parley.database.repository(Webhook).update(inactive.id, { isActive: false });
    await deliverEvents([buildEvent(), buildEvent({ botId })]);
    const targets = (await listDeliveries()).map(({ webhookId }) => webhookId);
    assert.deepEqual(targets.sort(), [all.id, all.id, limited.id].sort());
  });

  it('creates nothing for an event that was already delivered', async () => {
    await createEndpoint(org, UNREACHABLE_URL);
    const [first, second] = [buildEvent(), buildEvent()];
    await deliverEvents([first]);
    await deliverEvents([first, second]);
    assert.equal((await listDeliveries()).length, 2);
  });

  it('creates the same deliveries again if the server lost them, because it commits asynchronously', async () => {
    await createEndpoint(org, UNREACHABLE_URL);
    await createEndpoint(org, UNREACHABLE_URL);
    const row = buildEvent();
    await deliverEvents([row]);
    const lost = await listDeliveries();
    await parley.database.repository(WebhookDelivery).delete({ orgId: org.orgId });
    await deliverEvents([row]);
    const listIds = (rows: WebhookDelivery[]) => rows.map(({ id, webhookId }) => [id, webhookId]);
    assert.equal(new Set(lost.map(({ id }) => id)).size, 2);
    assert.deepEqual(listIds(await listDeliveries()), listIds(lost));
  });

  it('removes events from the outbox, and skips missing events and events that another relay has locked', async () => {
    await createEndpoint(org, UNREACHABLE_URL);
    const [free, gone, held] = [buildEvent(), buildEvent(), buildEvent()];
    await saveEvents([free, held]);
    await parley.database.transaction(async (other) => {
      await other.sql('SELECT FROM outbox WHERE id = $1 FOR UPDATE', [held.id]);
      await new WebhookFanOut().deliver(parley.database, [free, gone, held]);
    });
    assert.deepEqual(
      (await listDeliveries()).map(({ eventId }) => eventId),
      [free.id],
    );
    const left = await parley.database.repository(OutboxRow).findBy({ orgId: org.orgId });
    assert.deepEqual(
      left.map(({ id }) => id),
      [held.id],
    );
  });

  it('delays message.created by up to two seconds, so that an endpoint’s deliveries form a batch', async () => {
    await createEndpoint(org, UNREACHABLE_URL);
    const messages = [buildEvent({ name: 'message.created' }), buildEvent({ name: 'message.created' })];
    await deliverEvents([buildEvent(), ...messages]);
    const batch = (await listDeliveries()).filter(({ event: name }) => name === 'message.created');
    assert.deepEqual(
      batch.map(({ dueAt }) => dueAt.getTime() % 2000),
      [0, 0],
    );
    const waits = Object.fromEntries(
      (await listDeliveries()).map(({ event: name, dueAt, createdAt }) => [name, +dueAt - +createdAt]),
    );
    assert.ok(waits['lead.captured']! <= 0, 'due when it is made');
    assert.ok(waits['message.created']! <= 2000);
  });

  describe('with capacity at the dispatcher', () => {
    /** Creates webhook deliveries from outbox rows. Returns the deliveries that are leased to the dispatcher. */
    async function deliverAndLease(
      rows: Opened<OutboxRow>[],
      count = 20,
      fullEndpoints: string[] = [],
    ): Promise<ClaimedDelivery[]> {
      const leased: ClaimedDelivery[] = [];
      const sink = new WebhookFanOut(undefined, () => ({
        count,
        fullEndpoints,
        leaseSeconds: 4,
        fill: (deliveries) => void leased.push(...deliveries),
      }));
      await deliverEvents(rows, sink);
      return leased;
    }

    const listWaiting = async () =>
      (await listDeliveries()).filter(({ leaseExpiresAt }) => leaseExpiresAt === null);

    it('leases a delivery with everything needed to send it', async () => {
      const { id: webhookId } = await createEndpoint(org, UNREACHABLE_URL);
      const endpoint = await parley.database.repository(Webhook).findOneByOrFail({ id: webhookId });
      const row = buildEvent();
      const [claimed, ...more] = await deliverAndLease([row]);
      assert.equal(more.length, 0);
      const [delivery] = await listDeliveries();
      assert.ok(delivery?.leaseExpiresAt);
      const { ageMs, data, ...others } = claimed!;
      // Allow a negative age: the time is rounded to milliseconds, up to half a millisecond into the future.
      assert.ok(ageMs >= -1 && ageMs < 60_000, `${ageMs} ms`);
      assert.deepEqual({ ...others, data: JSON.parse(data as unknown as string) as unknown }, {
        id: delivery.id,
        orgId: org.orgId,
        payerId: org.orgId,
        webhookId,
        eventId: row.id,
        keyId: null,
        event: 'lead.captured',
        data: { ...row.payload, event_id: row.id, occurred_at: '2026-09-03T10:15:30.123Z' },
        attempts: 0,
        isOnDemand: false,
        url: UNREACHABLE_URL,
        sealedSecret: endpoint.sealedSecret,
        apiVersion: endpoint.apiVersion,
        isActive: true,
        isFailing: false,
        transientFailures: 0,
        traceparent: null,
        isLeased: true,
        notified: null,
      } as unknown);
    });

    it('leases at most as many deliveries as its capacity', async () => {
      for (let count = 0; count < 3; count += 1) await createEndpoint(org, UNREACHABLE_URL);
      assert.equal((await deliverAndLease([buildEvent()], 2)).length, 2);
      assert.equal((await listWaiting()).length, 1);
    });

    it('queues a delivery to an endpoint for which the dispatcher has enough deliveries', async () => {
      const full = await createEndpoint(org, UNREACHABLE_URL);
      const other = await createEndpoint(org, UNREACHABLE_URL);
      const taken = await deliverAndLease([buildEvent()], 20, [full.id]);
      assert.deepEqual(
        taken.map(({ webhookId }) => webhookId),
        [other.id],
      );
      assert.deepEqual(
        (await listWaiting()).map(({ webhookId }) => webhookId),
        [full.id],
      );
    });

    itInSoak('queues deliveries above the capacity', async () => {
      await createEndpoint(org, UNREACHABLE_URL);
      assert.deepEqual(await deliverAndLease([buildEvent(), buildEvent()], 1), []);
      assert.equal((await listWaiting()).length, 2);
    });

    it('queues a delivery after those that are already due at its endpoint', async () => {
      const [busy, idle] = [
        await createEndpoint(org, UNREACHABLE_URL),
        await createEndpoint(org, UNREACHABLE_URL),
      ];
      await parley.database.repository(Webhook).update(idle.id, { isActive: false });
      await deliverEvents([buildEvent()]);
      await parley.database.repository(Webhook).update(idle.id, { isActive: true });
      const taken = await deliverAndLease([buildEvent()]);
      assert.deepEqual(
        taken.map(({ webhookId }) => webhookId),
        [idle.id],
      );
      assert.deepEqual(
        (await listWaiting()).map(({ webhookId }) => webhookId),
        [busy.id, busy.id],
      );
    });

    itInSoak('queues a delivery to a failing endpoint, and a delivery that waits for its batch', async () => {
      const { id } = await createEndpoint(org, UNREACHABLE_URL);
      assert.deepEqual(await deliverAndLease([buildEvent({ name: 'message.created' })]), []);
      await parley.database.repository(Webhook).update(id, { consecutiveFailures: 1 });
      assert.deepEqual(await deliverAndLease([buildEvent()]), []);
      assert.equal((await listWaiting()).length, 2);
    });

    itInSoak('leases nothing if its transaction fails', async () => {
      await createEndpoint(org, UNREACHABLE_URL);
      const taken: ClaimedDelivery[][] = [];
      const sink = new WebhookFanOut(undefined, () => ({
        count: 1,
        fullEndpoints: [],
        leaseSeconds: 4,
        fill: (deliveries) => void taken.push(deliveries),
      }));
      const row = buildEvent();
      await saveEvents([row]);
      const failing = parley.database.transaction(async (db) => {
        await sink.deliver(db, [row]);
        db.runWithCommit({ name: '', text: 'SELECT 1 / 0' }, []);
      });
      await assert.rejects(failing, /division by zero/);
      assert.deepEqual([taken, await listDeliveries()], [[], []]);
    });
  });
});
