import assert from 'node:assert/strict';
import { DataSource } from 'typeorm';
import { shippedVersions } from '../../core/api-versions.ts';
import { newId } from '../../core/ids.ts';
import { attachContentKeys } from '../../database/content-keys.ts';
import { decryptAvailableRows, decryptJson, decryptRow } from '../../database/content.ts';
import type { Sealed } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import '../../services/encryption/reseal-targets.ts';
import { contentEvents, eventCatalog, toSampleData } from '../../services/webhooks/event-catalog.ts';

const ORG = newId();
const stamp = { event_id: newId(), occurred_at: '2026-09-03T10:15:30.000Z' };

describe('in a workspace that encrypts all content, a plain event', () => {
  let refused = 0;
  const dataSource = new DataSource({ type: 'postgres' });
  attachContentKeys(dataSource, {
    getCurrentKey: () => Promise.resolve(null),
    peekCurrentKey: () => Promise.resolve(null),
    getMarker: () => Promise.resolve(null),
    prepareKey: () => undefined,
    isKeyOpen: () => true,
    isKnownToAcceptPlain: () => false,
    mayBePlain: () => Promise.resolve(false),
    reportRefusal: () => void (refused += 1),
    requireCachedKey: () => assert.fail('no key is needed'),
  });
  const db = { dataSource };
  beforeEach(() => (refused = 0));

  const toDelivery = (event: string, payload: unknown, responseBody: string | null = null) => ({
    id: newId(),
    orgId: ORG,
    keyId: null,
    eventId: stamp.event_id,
    event,
    payload,
    responseBody,
  });
  const toEvent = (name: string, payload: unknown) => ({
    id: newId(),
    orgId: ORG,
    keyId: null,
    kind: 'event',
    name,
    payload,
  });

  async function assertRefused(event: string, payload: Record<string, unknown>): Promise<void> {
    const rows = [
      [WebhookDelivery, toDelivery(event, payload)],
      [OutboxRow, toEvent(event, payload)],
    ] as const;
    for (const [entity, row] of rows) {
      await assert.rejects(decryptRow(db, entity, row), /is not encrypted, although its workspace/);
      assert.deepEqual(await decryptAvailableRows(db, entity, [row]), [null]);
    }
    const json = JSON.stringify(payload) as unknown as Sealed<string>;
    const { payload: _, ...claimed } = toDelivery(event, payload);
    await assert.rejects(decryptJson(db, WebhookDelivery, 'payload', claimed, json), /is not encrypted/);
    assert.equal(refused, 5);
  }

  for (const { name } of eventCatalog.filter((event) => !contentEvents.has(event.name))) {
    const sample = toSampleData(name, stamp);

    it(`${name} is read if it has only fields of its schema`, async () => {
      const { page_url: _, title: __, ...older } = sample;
      for (const payload of [sample, { ...sample, test: true }, older]) {
        const delivery = toDelivery(name, payload);
        assert.deepEqual(await decryptRow(db, WebhookDelivery, delivery), delivery);
        const json = JSON.stringify(payload) as unknown as Sealed<string>;
        assert.equal(await decryptJson(db, WebhookDelivery, 'payload', delivery, json), json);
        const event = toEvent(name, payload);
        assert.deepEqual(await decryptRow(db, OutboxRow, event), event);
      }
      assert.equal(refused, 0);
    });

    it(`${name} is refused with an additional field or a value of the wrong type`, async () => {
      await assertRefused(name, { ...sample, content: 'FORGED' });
      refused = 0;
      await assertRefused(name, { ...sample, bot_id: 'FORGED' });
    });

    it(`${name} is refused with a receiver's response`, async () => {
      const delivery = toDelivery(name, sample, 'FORGED');
      await assert.rejects(
        decryptRow(db, WebhookDelivery, delivery),
        /is not encrypted, although its workspace/,
      );
    });

    it(`${name} has the same payload in all API versions, because an unencrypted row does not store its version`, () => {
      assert.deepEqual(shippedVersions.buildOlderEvents(name, sample), {});
    });
  }

  for (const name of contentEvents)
    it(`${name} is refused`, () => assertRefused(name, toSampleData(name as 'lead.captured', stamp)));

  it('with an unknown name is refused in a delivery', async () => {
    const delivery = toDelivery('message.forged', { conversation_id: newId() });
    await assert.rejects(
      decryptRow(db, WebhookDelivery, delivery),
      /is not encrypted, although its workspace/,
    );
  });

  it('that only alerts report is read, since no endpoint gets it', async () => {
    const event = toEvent('booking.created', {
      booking_id: newId(),
      conversation_id: null,
      contact_id: null,
    });
    assert.deepEqual(await decryptRow(db, OutboxRow, event), event);
  });
});

describe('a plain event in a workspace that is known to accept plain content', () => {
  it('is read without a query, and without parsing a delivery', async () => {
    const dataSource = new DataSource({ type: 'postgres' });
    attachContentKeys(dataSource, {
      getCurrentKey: () => assert.fail('no key is needed'),
      peekCurrentKey: () => assert.fail('no key is needed'),
      getMarker: () => assert.fail('no marker is needed'),
      prepareKey: () => assert.fail('no key is needed'),
      isKeyOpen: () => assert.fail('no key is needed'),
      isKnownToAcceptPlain: (orgId) => orgId === ORG,
      mayBePlain: () => assert.fail('no query is needed'),
      reportRefusal: () => assert.fail('nothing is refused'),
      requireCachedKey: () => assert.fail('no key is needed'),
    });
    const row = {
      id: newId(),
      orgId: ORG,
      keyId: null,
      kind: 'event',
      name: 'lead.captured',
      payload: { a: 1 },
    };
    assert.deepEqual(await decryptRow({ dataSource }, OutboxRow, row), row);
    const json = '{ "a": 1 ' as unknown as Sealed<string>;
    assert.equal(await decryptJson({ dataSource }, WebhookDelivery, 'payload', row, json), json);
  });
});
