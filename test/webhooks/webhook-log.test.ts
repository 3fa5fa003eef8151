import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { WebhookDelivery, type DeliveryStatus } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, URL_OF_NOBODY } from './support.ts';
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
    ({ id: webhookId } = await createEndpoint(suite.org, URL_OF_NOBODY));
  });

  const rows = () => suite.parley.database.repository(WebhookDelivery);
  const read = async (query = '', org = suite.org) => {
    const { status, body } = await org.client.get(`/api/webhooks/deliveries?${query}`);
    assert.equal(status, 200);
    return body as { items: Item[]; total: number; has_more: boolean; next_cursor: string | null };
  };
  const ids = ({ items }: { items: Item[] }) => items.map(({ id }) => id);

  async function build(
    status: DeliveryStatus,
    changes: Omit<Partial<WebhookDelivery>, 'payload'> = {},
  ): Promise<string> {
    const id = newId();
    const row = { id, orgId: suite.org.orgId, webhookId, eventId: newId(), event: 'lead.captured' };
    await rows().insert({ ...row, payload: {}, status, ...changes });
    return id;
  }

  it('is empty at first', async () => {
    assert.deepEqual(await read(), {
      items: [],
      total: 0,
      page: 1,
      page_size: 20,
      has_more: false,
      next_cursor: null,
    });
  });

  it('pages through to the end, each once, while new deliveries are written', async () => {
    const before = [];
    for (let index = 0; index < 7; index += 1) before.push(await build('delivered'));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await read(`page_size=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      seen.push(...ids(page));
      cursor = page.next_cursor;
      assert.equal(page.has_more, cursor !== null);
      await build('pending');
    } while (cursor !== null);
    assert.deepEqual(seen, before.toReversed());
  });

  it('pages exactly through deliveries of the same millisecond', async () => {
    const createdAt = new Date();
    for (let index = 0; index < 9; index += 1) await build('delivered', { createdAt });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof read>> = await read(
        `page_size=4${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...ids(page));
      cursor = page.next_cursor;
    }
    assert.equal(seen.length, 9);
    assert.deepEqual(seen, seen.toSorted().toReversed());
  });

  it('keeps a cursor to the filters and the workspace that it was made for', async () => {
    for (let index = 0; index < 3; index += 1) await build('failed');
    const { next_cursor: cursor } = await read('page_size=1&status=failed');
    assert.equal(ids(await read(`page_size=5&status=failed&cursor=${cursor}`)).length, 2);
    const other = await suite.parley.buildOrg();
    for (const [org, query] of [
      [suite.org, 'status=delivered'],
      [other, 'status=failed'],
    ] as const) {
      assert.equal((await org.client.get(`/api/webhooks/deliveries?${query}&cursor=${cursor}`)).status, 422);
    }
  });

  it('filters by each status, and by several filters at once', async () => {
    const made = Object.fromEntries(
      await Promise.all(
        (['pending', 'retrying', 'delivered', 'failed'] as const).map(async (status) => [
          status,
          await build(status),
        ]),
      ),
    );
    for (const [status, id] of Object.entries(made))
      assert.deepEqual(ids(await read(`status=${status}`)), [id]);
    const all = `status=failed&event=lead.captured&webhook_id=${webhookId}&id=${made['failed']}`;
    assert.deepEqual(ids(await read(all)), [made['failed']]);
    assert.deepEqual(ids(await read(`${all}&to=2020-01-01T00:00:00Z`)), []);
    const { id: other } = await createEndpoint(suite.org, URL_OF_NOBODY);
    assert.deepEqual(ids(await read(`webhook_id=${other}`)), []);
  });

  it('takes `from` as the first moment and `to` as the first one after', async () => {
    const at = (iso: string) => build('delivered', { createdAt: new Date(iso) });
    const [first, second, third] = [
      await at('2026-09-03T10:00:00.000Z'),
      await at('2026-09-03T10:00:00.001Z'),
      await at('2026-09-03T11:00:00.000Z'),
    ];
    const between = (from: string, to: string) =>
      read(`from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`);
    assert.deepEqual(ids(await between('2026-09-03T10:00:00.001Z', '2026-09-03T11:00:00Z')), [second]);
    assert.deepEqual(ids(await between('2026-09-03T12:00:00+02:00', '2026-09-03T11:00:00.001Z')), [
      third,
      second,
      first,
    ]);
    assert.deepEqual(ids(await between('2026-09-03T11:00:00Z', '2026-09-03T10:00:00Z')), []);
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

  it('shows when a retry is due and why it waits, and neither for others', async () => {
    const dueAt = new Date(Date.now() + HOUR_MS);
    const reason = 'timeout: There was no complete answer within 15 s.';
    await build('pending', { dueAt });
    await build('retrying', { dueAt, reason, attempts: 2 });
    await build('failed', { dueAt, reason, attempts: 8 });
    await build('delivered', { dueAt, attempts: 1 });
    const shown = (await read()).items.map(({ status, reason: why, next_attempt_at: next }) => [
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
    await build('delivered');
    const { id: failing } = await createEndpoint(suite.org, URL_OF_NOBODY);
    await suite.parley.database.repository(Webhook).update(failing, { consecutiveFailures: 5 });
    await build('failed', { webhookId: failing });
    assert.deepEqual(
      (await read()).items.map(({ webhook_health: health }) => health),
      ['failing', 'unknown'],
    );
  });

  it('says of what is held that the endpoint is failing, as long as a retry is to come', async () => {
    const held = await build('pending');
    const asked = await build('pending', { isOnDemand: true });
    const retrying = await build('retrying', { dueAt: new Date(Date.now() + HOUR_MS) });
    await suite.parley.database.repository(Webhook).update(webhookId, { transientFailures: 5 });
    const reasonOf = async (id: string) => (await read(`id=${id}`)).items[0]!.reason;
    assert.match((await reasonOf(held))!, /^endpoint_failing: /);
    assert.equal(await reasonOf(asked), null);
    await rows().update(retrying, { status: 'failed' });
    assert.equal(await reasonOf(held), null);
  });

  it('of another workspace stays there', async () => {
    const id = await build('failed');
    const other = await suite.parley.buildOrg();
    assert.deepEqual((await read('', other)).items, []);
    for (const query of [`id=${id}`, `webhook_id=${webhookId}`])
      assert.equal((await other.client.get(`/api/webhooks/deliveries?${query}`)).status, 403);
  });

  it('goes with its endpoint', async () => {
    await build('failed');
    await suite.org.client.delete(`/api/webhooks/${webhookId}`);
    assert.equal((await read()).total, 0);
  });
});
