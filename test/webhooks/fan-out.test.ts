import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { OutboxRow } from '../../entities/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhook.entity.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildBot } from '../support/worker.ts';
import { createEndpoint } from './support.ts';

const URL_OF_NOBODY = 'http://127.0.0.1:9/hook';

describe('the fan-out of events', () => {
  let parley: TestParley;
  let org: TestOrg;

  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  function event(overrides: Partial<OutboxRow> = {}): OutboxRow {
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

  const deliver = (rows: OutboxRow[], sink = new WebhookFanOut()) =>
    parley.database.transaction((db) => sink.deliver(db, rows));

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
});
