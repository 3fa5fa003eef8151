import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { WebhookDelivery, type DeliveryStatus } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, UNREACHABLE_URL } from './support.ts';
import { formatOutcome } from '../support/outcome.ts';

const HOUR_MS = 3_600_000;

interface Item {
  id: string;
  status: string;
  reason: string | null;
  next_attempt_at: string | null;
  webhook_health: string;
}

describe('the log of webhook deliveries', () => {
  const suite = useWebhooks();
  let webhookId: string;

  beforeEach(async () => {
    ({ id: webhookId } = await createEndpoint(suite.org, UNREACHABLE_URL));
  });

  const getRows = () => suite.parley.database.repository(WebhookDelivery);
  const readLog = async (query = '', org = suite.org) => {
    const { status, body } = await org.client.get(`/api/webhooks/deliveries?${query}`);
    assert.equal(status, 200);
    return body as { items: Item[]; total: number; has_more: boolean; next_cursor: string | null };
  };
  const listIds = ({ items }: { items: Item[] }) => items.map(({ id }) => id);

  async function buildDelivery(
    status: DeliveryStatus,
    changes: Omit<Partial<WebhookDelivery>, 'payload'> = {},
  ): Promise<string> {
    const id = newId();
    const row = { id, orgId: suite.org.orgId, webhookId, eventId: newId(), event: 'lead.captured' };
    await getRows().insert({ ...row, payload: {}, status, ...changes });
    return id;
  }

  it('is empty at first', async () => {
    assert.deepEqual(await readLog(), {
      items: [],
      total: 0,
      page: 1,
      page_size: 20,
      has_more: false,
      next_cursor: null,
    });
  });

  it('lists each delivery once across all pages while new deliveries are written', async () => {
    const before = [];
    for (let index = 0; index < 7; index += 1) before.push(await buildDelivery('delivered'));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await readLog(`page_size=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      seen.push(...listIds(page));
      cursor = page.next_cursor;
      assert.equal(page.has_more, cursor !== null);
      await buildDelivery('pending');
    } while (cursor !== null);
    assert.deepEqual(seen, before.toReversed());
  });

  it('pages exactly through deliveries from the same millisecond', async () => {
    const createdAt = new Date();
    for (let index = 0; index < 9; index += 1) await buildDelivery('delivered', { createdAt });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof readLog>> = await readLog(
        `page_size=4${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...listIds(page));
      cursor = page.next_cursor;
    }
    assert.equal(seen.length, 9);
    assert.deepEqual(seen, seen.toSorted().toReversed());
  });

  it('binds a cursor to its filters and workspace', async () => {
    for (let index = 0; index < 3; index += 1) await buildDelivery('failed');
    const { next_cursor: cursor } = await readLog('page_size=1&status=failed');
    assert.equal(listIds(await readLog(`page_size=5&status=failed&cursor=${cursor}`)).length, 2);
    const other = await suite.parley.buildOrg();
    for (const [org, query] of [
      [suite.org, 'status=delivered'],
      [other, 'status=failed'],
    ] as const) {
      assert.equal((await org.client.get(`/api/webhooks/deliveries?${query}&cursor=${cursor}`)).status, 422);
    }
  });

  it('filters by each status, and by several filters together', async () => {
    const made = Object.fromEntries(
      await Promise.all(
        (['pending', 'retrying', 'delivered', 'failed'] as const).map(async (status) => [
          status,
          await buildDelivery(status),
        ]),
      ),
    );
    for (const [status, id] of Object.entries(made))
      assert.deepEqual(listIds(await readLog(`status=${status}`)), [id]);
    const all = `status=failed&event=lead.captured&webhook_id=${webhookId}&id=${made['failed']}`;
    assert.deepEqual(listIds(await readLog(all)), [made['failed']]);
    assert.deepEqual(listIds(await readLog(`${all}&to=2020-01-01T00:00:00Z`)), []);
    const { id: other } = await createEndpoint(suite.org, UNREACHABLE_URL);
    assert.deepEqual(listIds(await readLog(`webhook_id=${other}`)), []);
  });

  it('includes `from` and excludes `to`', async () => {
    const deliverAt = (iso: string) => buildDelivery('delivered', { createdAt: new Date(iso) });
    const [first, second, third] = [
      await deliverAt('2026-09-03T10:00:00.000Z'),
      await deliverAt('2026-09-03T10:00:00.001Z'),
      await deliverAt('2026-09-03T11:00:00.000Z'),
    ];
    const listBetween = (from: string, to: string) =>
      readLog(`from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`);
    assert.deepEqual(listIds(await listBetween('2026-09-03T10:00:00.001Z', '2026-09-03T11:00:00Z')), [
      second,
    ]);
    assert.deepEqual(listIds(await listBetween('2026-09-03T12:00:00+02:00', '2026-09-03T11:00:00.001Z')), [
      third,
      second,
      first,
    ]);
    assert.deepEqual(listIds(await listBetween('2026-09-03T11:00:00Z', '2026-09-03T10:00:00Z')), []);
  });

  for (const query of [
    'status=lost',
    'event=lead.lost',
    'webhook_id=mine',
    'id=1',
    'from=yesterday',
    'page_size=101',
    'page_size=0',
    'cursor=made-up',
    'reason=timeout',
  ]) {
    it(`refuses ${query}`, async () => {
      const { status, body } = await suite.org.client.get(`/api/webhooks/deliveries?${query}`);
      assert.equal(formatOutcome({ status, body }), '422 validation_error');
    });
  }

  it('shows next_attempt_at and reason for a retry, and next_attempt_at for no other delivery', async () => {
    const dueAt = new Date(Date.now() + HOUR_MS);
    const reason = 'timeout: No complete response arrived within 15 s.';
    await buildDelivery('pending', { dueAt });
    await buildDelivery('retrying', { dueAt, reason, attempts: 2 });
    await buildDelivery('failed', { dueAt, reason, attempts: 8 });
    await buildDelivery('delivered', { dueAt, attempts: 1 });
    const shown = (await readLog()).items.map(({ status, reason: why, next_attempt_at: next }) => [
      status,
      why,
      next,
    ]);
    assert.deepEqual(shown.toReversed(), [
      ['pending', null, null],
      ['retrying', reason, dueAt.toISOString()],
      ['failed', reason, null],
      ['delivered', null, null],
    ]);
  });

  it('shows the health of each delivery’s endpoint', async () => {
    await buildDelivery('delivered');
    const { id: failing } = await createEndpoint(suite.org, UNREACHABLE_URL);
    await suite.parley.database.repository(Webhook).update(failing, { consecutiveFailures: 5 });
    await buildDelivery('failed', { webhookId: failing });
    assert.deepEqual(
      (await readLog()).items.map(({ webhook_health: health }) => health),
      ['failing', 'unknown'],
    );
  });

  it('gives endpoint_failing as the reason of held deliveries while a retry is pending', async () => {
    const held = await buildDelivery('pending');
    const asked = await buildDelivery('pending', { isOnDemand: true });
    const retrying = await buildDelivery('retrying', { dueAt: new Date(Date.now() + HOUR_MS) });
    await suite.parley.database.repository(Webhook).update(webhookId, { transientFailures: 5 });
    const readReason = async (id: string) => (await readLog(`id=${id}`)).items[0]!.reason;
    assert.match((await readReason(held))!, /^endpoint_failing: /);
    assert.equal(await readReason(asked), null);
    await getRows().update(retrying, { status: 'failed' });
    assert.equal(await readReason(held), null);
  });

  it('of another workspace is not listed', async () => {
    const id = await buildDelivery('failed');
    const other = await suite.parley.buildOrg();
    assert.deepEqual((await readLog('', other)).items, []);
    for (const query of [`id=${id}`, `webhook_id=${webhookId}`])
      assert.equal((await other.client.get(`/api/webhooks/deliveries?${query}`)).status, 403);
  });

  it('is deleted with its endpoint', async () => {
    await buildDelivery('failed');
    await suite.org.client.delete(`/api/webhooks/${webhookId}`);
    assert.equal((await readLog()).total, 0);
  });
});
