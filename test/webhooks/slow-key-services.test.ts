import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { KEY_UNAVAILABLE } from '../../core/encryption/key-retry.ts';
import { newId } from '../../core/ids.ts';
import { createLogger } from '../../core/logger.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { EventRelay } from '../../worker/outbox/event-relay.ts';
import { startOwnKeys, type OwnKeys } from '../encryption/own-key.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, emitEvent, emitLead, UNREACHABLE_URL } from './support.ts';

describe('the relay', () => {
  const suite = useWebhooks();
  let keys: OwnKeys;
  let other: TestOrg;
  let relay: EventRelay;

  before(async () => (keys = await startOwnKeys(suite.parley)));
  after(() => keys.stop());
  beforeEach(async () => {
    const { runtime } = suite.parley;
    other = await suite.parley.buildOrg();
    for (const org of [suite.org, other])
      await createEndpoint(org, UNREACHABLE_URL, { events: ['lead.captured', 'conversation.started'] });
    await keys.seal(suite.org);
    relay = new EventRelay({
      database: runtime.queues,
      sink: new WebhookFanOut(runtime.services.versions),
      log: createLogger('test', 'silent'),
    });
  });
  afterEach(async () => {
    keys.restore(suite.org);
    await relay.waitForKeys();
  });

  const listEvents = async (org: TestOrg) => (await suite.deliveries(org)).map(({ event }) => event);
  const listWaiting = () =>
    suite.parley.database
      .repository(OutboxRow)
      .find({ where: { orgId: suite.org.orgId, kind: 'event' }, order: { id: 'ASC' } });
  const emitStart = () =>
    emitEvent(suite.parley, suite.org, 'conversation.started', {
      conversation_id: newId(),
      bot_id: newId(),
      visitor_id: 'ada',
      page_url: null,
      started_at: new Date().toISOString(),
    });
  const relayAll = async () => {
    while (await relay.relayBatch());
  };

  it('delivers other workspaces’ events while one workspace’s key service does not respond, and later delivers that workspace’s events in order', async () => {
    // Pause between the events, because deliveries of events from the same millisecond have no defined order.
    await emitLead(suite.parley, suite.org);
    await setTimeout(2);
    await emitStart();
    await setTimeout(2);
    await emitLead(suite.parley, suite.org);
    const order = (await listWaiting()).map(({ id }) => id);
    await emitLead(suite.parley, other);
    keys.forgetCached(suite.org);
    const held = keys.front.holdNext('/decrypt/parley');
    await relayAll();
    await held.asked;
    assert.deepEqual(await listEvents(other), ['lead.captured']);
    assert.deepEqual(await listEvents(suite.org), []);
    assert.deepEqual(
      (await listWaiting()).map(({ id, lastError }) => [id, lastError]),
      order.map((id) => [id, null]),
    );
    held.release();
    await relay.waitForKeys();
    await relayAll();
    const delivered = await suite.deliveries();
    assert.deepEqual(
      delivered.map(({ eventId }) => eventId),
      order,
    );
    assert.ok(delivered.every(({ keyId }) => keyId !== null));
  });

  it('delivers only the events that have no content while the key service refuses, and calls the service again only after a pause', async () => {
    await emitLead(suite.parley, suite.org);
    await emitStart();
    keys.withdraw(suite.org, 'refuse');
    const before = keys.front.requests.length;
    await relayAll();
    await relay.waitForKeys();
    await relayAll();
    assert.deepEqual(await listEvents(suite.org), ['conversation.started']);
    assert.deepEqual(
      (await listWaiting()).map(({ lastError }) => lastError),
      [KEY_UNAVAILABLE],
    );
    const called = keys.front.requests.length;
    assert.ok(called > before);
    keys.withdraw(suite.org, 'refuse');
    await emitStart();
    await relayAll();
    await relay.waitForKeys();
    assert.equal(keys.front.requests.length, called);
    await waitUntil(async () => (await listEvents(suite.org)).length === 2, 'the second event');
  });
});
