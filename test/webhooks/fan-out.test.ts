import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildBot } from '../support/worker.ts';
import { createEndpoint, URL_OF_NOBODY } from './support.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

describe('the fan-out of events', () => {
  let parley: TestParley;
  let org: TestOrg;

  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  function event(overrides: Partial<Opened<OutboxRow>> = {}): Opened<OutboxRow> {
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

  const keep = (rows: Opened<OutboxRow>[]) => parley.database.repository(OutboxRow).insert(rows as object[]);

  async function deliver(rows: Opened<OutboxRow>[], sink = new WebhookFanOut()): Promise<void> {
    await keep(rows);
    await parley.database.transaction((db) => sink.deliver(db, rows));
  }

  const deliveries = () =>
    parley.database.repository(WebhookDelivery).find({ where: { orgId: org.orgId }, order: { id: 'ASC' } });

  it('makes one pending delivery for each subscribed endpoint, with event_id and occurred_at', async () => {
    const wanting = await createEndpoint(org, URL_OF_NOBODY, {
      events: ['lead.captured', 'document.failed'],
    });
    await createEndpoint(org, URL_OF_NOBODY, { events: ['document.failed'] });
    const row = event();
    await deliver([row]);
    const [delivery, ...others] = await deliveries();
    assert.equal(others.length, 0);
    assert.equal(delivery?.webhookId, wanting.id);
    assert.equal(delivery.status, 'pending');
    assert.match(delivery.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(
      JSON.stringify(delivery.payload),
      `{"zebra":1,"ant":"é","event_id":"${row.id}","occurred_at":"2026-09-03T10:15:30.123Z"}`,
    );
  });

  it('passes by inactive endpoints, other workspaces and endpoints limited to another bot', async () => {
    const botId = await buildBot(org);
    const other = await parley.buildOrg();
    const all = await createEndpoint(org, URL_OF_NOBODY);
    const limited = await createEndpoint(org, URL_OF_NOBODY, { bot_id: botId });
    const inactive = await createEndpoint(org, URL_OF_NOBODY);
    await createEndpoint(other, URL_OF_NOBODY);
    await parley.database.repository(Webhook).update(inactive.id, { isActive: false });
    await deliver([event(), event({ botId })]);
    const targets = (await deliveries()).map(({ webhookId }) => webhookId);
    assert.deepEqual(targets.sort(), [all.id, all.id, limited.id].sort());
  });

  it('makes nothing of an event that it has seen before', async () => {
    await createEndpoint(org, URL_OF_NOBODY);
    const [first, second] = [event(), event()];
    await deliver([first]);
    await deliver([first, second]);
    assert.equal((await deliveries()).length, 2);
  });

  it('makes the same deliveries again when the server has lost them, of which it waited for none to be on the disk', async () => {
    await createEndpoint(org, URL_OF_NOBODY);
    await createEndpoint(org, URL_OF_NOBODY);
    const row = event();
    await deliver([row]);
    const lost = await deliveries();
    await parley.database.repository(WebhookDelivery).delete({ orgId: org.orgId });
    await deliver([row]);
    const ids = (rows: WebhookDelivery[]) => rows.map(({ id, webhookId }) => [id, webhookId]);
    assert.equal(new Set(lost.map(({ id }) => id)).size, 2);
    assert.deepEqual(ids(await deliveries()), ids(lost));
  });

  it('takes events out of the outbox, and makes nothing of one that is not there or that another relay is taking', async () => {
    await createEndpoint(org, URL_OF_NOBODY);
    const [free, gone, held] = [event(), event(), event()];
    await keep([free, held]);
    await parley.database.transaction(async (other) => {
      await other.sql('SELECT FROM outbox WHERE id = $1 FOR UPDATE', [held.id]);
      await new WebhookFanOut().deliver(parley.database, [free, gone, held]);
    });
    assert.deepEqual(
      (await deliveries()).map(({ eventId }) => eventId),
      [free.id],
    );
    const left = await parley.database.repository(OutboxRow).findBy({ orgId: org.orgId });
    assert.deepEqual(
      left.map(({ id }) => id),
      [held.id],
    );
  });

  it('holds message.created back for at most two seconds, so that an endpoint’s deliveries go together', async () => {
    await createEndpoint(org, URL_OF_NOBODY);
    const messages = [event({ name: 'message.created' }), event({ name: 'message.created' })];
    await deliver([event(), ...messages]);
    const batch = (await deliveries()).filter(({ event: name }) => name === 'message.created');
    assert.deepEqual(
      batch.map(({ dueAt }) => dueAt.getTime() % 2000),
      [0, 0],
    );
    const waits = Object.fromEntries(
      (await deliveries()).map(({ event: name, dueAt, createdAt }) => [name, +dueAt - +createdAt]),
    );
    assert.ok(waits['lead.captured']! <= 0, 'due when it is made');
    assert.ok(waits['message.created']! <= 2000);
  });

  describe('where a dispatcher has places', () => {
    /** What has been leased for them. */
    async function leased(rows: Opened<OutboxRow>[], count = 20): Promise<ClaimedDelivery[]> {
      const taken: ClaimedDelivery[] = [];
      const sink = new WebhookFanOut(undefined, () => ({
        count,
        leaseSeconds: 4,
        fill: (deliveries) => void taken.push(...deliveries),
      }));
      await deliver(rows, sink);
      return taken;
    }

    const waiting = async () => (await deliveries()).filter(({ leaseExpiresAt }) => leaseExpiresAt === null);

    it('is leased to it, with all that it takes to send it', async () => {
      const { id: webhookId } = await createEndpoint(org, URL_OF_NOBODY);
      const endpoint = await parley.database.repository(Webhook).findOneByOrFail({ id: webhookId });
      const row = event();
      const [claimed, ...more] = await leased([row]);
      assert.equal(more.length, 0);
      const [delivery] = await deliveries();
      assert.ok(delivery?.leaseExpiresAt);
      const { ageMs, data, ...others } = claimed!;
      // Its time is rounded to milliseconds, by up to half of one into the future.
      assert.ok(ageMs >= -1 && ageMs < 60_000, `${ageMs} ms`);
      assert.deepEqual({ ...others, data: JSON.parse(data as unknown as string) as unknown }, {
        id: delivery.id,
        orgId: org.orgId,
        webhookId,
        eventId: row.id,
        keyId: null,
        event: 'lead.captured',
        data: { ...row.payload, event_id: row.id, occurred_at: '2026-09-03T10:15:30.123Z' },
        attempts: 0,
        isOnDemand: false,
        url: URL_OF_NOBODY,
        sealedSecret: endpoint.sealedSecret,
        apiVersion: endpoint.apiVersion,
        isActive: true,
        isFailing: false,
        traceparent: null,
        isLeased: true,
        told: null,
      } as unknown);
    });

    it('is leased for no more places than there are', async () => {
      for (let count = 0; count < 3; count += 1) await createEndpoint(org, URL_OF_NOBODY);
      assert.equal((await leased([event()], 2)).length, 2);
      assert.equal((await waiting()).length, 1);
    });

    it('waits for its turn when there are more events than places', async () => {
      await createEndpoint(org, URL_OF_NOBODY);
      assert.deepEqual(await leased([event(), event()], 1), []);
      assert.equal((await waiting()).length, 2);
    });

    it('waits for its turn behind what is due at its endpoint already', async () => {
      const [busy, idle] = [
        await createEndpoint(org, URL_OF_NOBODY),
        await createEndpoint(org, URL_OF_NOBODY),
      ];
      await parley.database.repository(Webhook).update(idle.id, { isActive: false });
      await deliver([event()]);
      await parley.database.repository(Webhook).update(idle.id, { isActive: true });
      const taken = await leased([event()]);
      assert.deepEqual(
        taken.map(({ webhookId }) => webhookId),
        [idle.id],
      );
      assert.deepEqual(
        (await waiting()).map(({ webhookId }) => webhookId),
        [busy.id, busy.id],
      );
    });

    it('waits for its turn at an endpoint that fails, and for its batch', async () => {
      const { id } = await createEndpoint(org, URL_OF_NOBODY);
      assert.deepEqual(await leased([event({ name: 'message.created' })]), []);
      await parley.database.repository(Webhook).update(id, { consecutiveFailures: 1 });
      assert.deepEqual(await leased([event()]), []);
      assert.equal((await waiting()).length, 2);
    });

    it('is not sent when its transaction fails', async () => {
      await createEndpoint(org, URL_OF_NOBODY);
      const taken: ClaimedDelivery[][] = [];
      const sink = new WebhookFanOut(undefined, () => ({
        count: 1,
        leaseSeconds: 4,
        fill: (deliveries) => void taken.push(deliveries),
      }));
      const row = event();
      await keep([row]);
      const failing = parley.database.transaction(async (db) => {
        await sink.deliver(db, [row]);
        db.runWithCommit({ name: '', text: 'SELECT 1 / 0' }, []);
      });
      await assert.rejects(failing, /division by zero/);
      assert.deepEqual([taken, await deliveries()], [[], []]);
    });
  });
});
