import assert from 'node:assert/strict';
import { KEY_UNAVAILABLE } from '../../../core/encryption/key-retry.ts';
import { resealAll } from '../../encryption/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { waitUntil, waitUntilEqual } from '../../support/wait-until.ts';
import type { Receiver } from '../../webhooks/receiver.ts';
import { useWebhooks } from '../../webhooks/suite.ts';
import {
  createEndpoint,
  emitEvent,
  emitLead,
  fanOut,
  leadCaptured,
  messageCreated,
} from '../../webhooks/support.ts';

const THANKS = 'The lead is in the ledger.';

interface StoredRow {
  payload: Record<string, unknown>;
  response_body?: string | null;
  key_id: string | null;
}

describe('webhooks of a workspace with its own key', () => {
  const suite = useWebhooks({}, { hasStoppedClock: true });
  let keys: OwnKeys;
  let receiver: Receiver;
  before(async () => (keys = await startOwnKeys(suite.parley)));
  after(() => keys.stop());
  beforeEach(async () => {
    receiver = await suite.receiver((response) => response.end(THANKS));
    await createEndpoint(suite.org, receiver.url, { events: ['lead.captured', 'conversation.started'] });
    await keys.seal(suite.org);
  });
  afterEach(() => keys.restore(suite.org));

  const findStoredRows = (table: 'outbox' | 'webhook_deliveries') =>
    suite.parley.database.sql<StoredRow>(
      `SELECT * FROM ${table} WHERE org_id = $1 AND payload::text NOT LIKE '%reseal%'`,
      [suite.org.orgId],
    );
  const readRequests = async () => {
    await waitUntil(() => receiver.requests.length > 0, 'the delivery');
    return receiver.requests.map(({ body }) => JSON.parse(body) as { data: Record<string, unknown> });
  };
  const listLogged = async () => {
    const { body } = await suite.org.client.get('/api/webhooks/deliveries');
    return body.items;
  };

  it('are stored encrypted with receivers’ responses, except the ids for erasure, and sent unchanged', async () => {
    const lead = leadCaptured();
    await emitLead(suite.parley, suite.org, lead);
    const plainIds = { contact_id: lead.contact_id, conversation_id: lead.conversation_id };
    for (const table of ['outbox', 'webhook_deliveries'] as const) {
      if (table === 'webhook_deliveries') await fanOut(suite.parley);
      const [{ payload, key_id: keyId } = { payload: {}, key_id: null }] = await findStoredRows(table);
      const { sealed, ...others } = payload;
      assert.deepEqual(others, plainIds, table);
      assert.match(String(sealed), /^[\w-]{60,}$/);
      assert.ok(keyId);
    }
    suite.dispatcher();
    const [{ data } = { data: {} }] = await readRequests();
    const { event_id: _, occurred_at: __, ...sent } = data;
    assert.deepEqual(sent, lead);
    await waitUntilEqual(async () => (await listLogged())[0]?.status, 'delivered');
    const [row] = await findStoredRows('webhook_deliveries');
    assert.match(row?.response_body ?? '', /^[\w-]{60,}$/);
    const [delivery] = await listLogged();
    assert.deepEqual(
      [delivery?.payload, delivery?.response_body],
      [{ event: 'lead.captured', data }, THANKS],
    );
  });

  it('are sent with the same bytes at each attempt and in replays by replayWebhookDelivery', async () => {
    await emitLead(suite.parley, suite.org);
    await fanOut(suite.parley);
    suite.dispatcher();
    await waitUntilEqual(async () => (await listLogged())[0]?.status, 'delivered');
    const [delivery] = await listLogged();
    const replayed = await suite.org.client.post(`/api/webhooks/deliveries/${delivery!.id}/replay`);
    assert.equal(replayed.status, 201);
    await waitUntil(() => receiver.requests.length === 2, 'the replay');
    const [first, second] = receiver.requests.map(({ body }) => body);
    assert.equal(second, first);
  });

  it('wait in the outbox without an attempt while the key is unavailable, and continue once it is available', async () => {
    const lead = leadCaptured();
    await emitLead(suite.parley, suite.org, lead);
    keys.withdraw(suite.org);
    await fanOut(suite.parley);
    const waiting = await suite.parley.database.sql(
      `SELECT attempts, last_error, extract(epoch FROM due_at - now())::int AS pause FROM outbox WHERE org_id = $1 AND kind = 'event'`,
      [suite.org.orgId],
    );
    assert.deepEqual(waiting, [{ attempts: 0, last_error: KEY_UNAVAILABLE, pause: 5 }]);
    keys.restore(suite.org);
    await suite.parley.passTime(6);
    await fanOut(suite.parley);
    suite.dispatcher();
    const [{ data } = { data: {} }] = await readRequests();
    assert.equal((data['fields'] as Record<string, unknown>)['name'], lead.fields['name']);
  });

  for (const mode of ['refuse', 'hang', 'fail', 'cut'] as const)
    it(`wait for their first attempt without a time limit while the key service would ${mode}, and are sent once the key is available`, async () => {
      await emitLead(suite.parley, suite.org);
      await fanOut(suite.parley);
      await suite.parley.database.sql(
        `UPDATE webhook_deliveries SET created_at = now() - interval '40 days'`,
      );
      keys.withdraw(suite.org, mode);
      suite.dispatcher({ polls: { busyMs: 50, idleMs: 50, busyForMs: 1000, emptyMs: 50 } });
      const states = () =>
        suite.parley.database.sql(
          'SELECT status, attempts, reason FROM webhook_deliveries WHERE org_id = $1',
          [suite.org.orgId],
        );
      await waitUntilEqual(states, [{ status: 'pending', attempts: 0, reason: KEY_UNAVAILABLE }]);
      assert.equal(receiver.requests.length, 0);
      keys.restore(suite.org);
      await suite.parley.passTime(70);
      await waitUntilEqual(states, [{ status: 'delivered', attempts: 1, reason: null }]);
    });

  for (const table of ['outbox', 'webhook_deliveries'] as const)
    it(`are not sent after unencrypted rows were written to ${table}, while those of other workspaces are`, async () => {
      const other = await suite.parley.buildOrg();
      await createEndpoint(other, receiver.url, { events: ['lead.captured'] });
      await resealAll(suite.parley, suite.org.orgId);
      for (const org of [suite.org, other]) await emitLead(suite.parley, org);
      if (table === 'webhook_deliveries') await fanOut(suite.parley);
      await suite.parley.database.sql(
        `UPDATE ${table} SET key_id = NULL, payload = '{"fields": {"name": "Mallory"}}' WHERE org_id = $1 AND key_id IS NOT NULL`,
        [suite.org.orgId],
      );
      const before = suite.parley.runtime.services.encryption.undecryptableValues.count;
      if (table === 'outbox') await fanOut(suite.parley);
      suite.dispatcher();
      await waitUntilEqual(
        async () => (await suite.deliveries(other)).map(({ status }) => status),
        ['delivered'],
      );
      await waitUntil(
        () => suite.parley.runtime.services.encryption.undecryptableValues.count > before,
        'the refusal',
      );
      assert.ok(receiver.requests.every(({ body }) => !body.includes('Mallory')));
      if (table === 'outbox') return;
      const { status, problem } = await suite.org.client.get('/api/webhooks/deliveries');
      assert.equal(formatOutcome({ status, body: problem }), '500 internal_error');
    });

  it('do not delay other workspaces', async () => {
    const other = await suite.parley.buildOrg();
    await createEndpoint(other, receiver.url, { events: ['lead.captured'] });
    for (const org of [suite.org, other, suite.org]) await emitLead(suite.parley, org);
    keys.withdraw(suite.org);
    await fanOut(suite.parley);
    suite.dispatcher();
    assert.equal((await readRequests()).length, 1);
    await waitUntilEqual(
      async () => (await suite.deliveries(other)).map(({ status }) => status),
      ['delivered'],
    );
  });

  it('are sent while the key is unavailable if they have no content', async () => {
    keys.withdraw(suite.org);
    const { conversation_id: id, bot_id: botId } = messageCreated();
    const started = { visitor_id: 'v_1', page_url: null, started_at: new Date().toISOString() };
    await emitEvent(suite.parley, suite.org, 'conversation.started', {
      conversation_id: id,
      bot_id: botId,
      ...started,
    });
    await fanOut(suite.parley);
    suite.dispatcher();
    assert.equal((await readRequests())[0]?.data['conversation_id'], id);
    await waitUntilEqual(
      async () => (await findStoredRows('webhook_deliveries')).map((row) => row.response_body),
      [null],
    );
  });

  it('are refused with 423 while the key is unavailable: listWebhookDeliveries, testWebhook, replayWebhookDelivery', async () => {
    await emitLead(suite.parley, suite.org);
    await fanOut(suite.parley);
    const [delivery] = await listLogged();
    const { webhook_id: webhookId } = delivery!;
    keys.withdraw(suite.org);
    const { client } = suite.org;
    const refused = [
      await client.get('/api/webhooks/deliveries'),
      await client.post(`/api/webhooks/${webhookId}/test`),
      await client.post(`/api/webhooks/deliveries/${delivery!.id}/replay`),
    ];
    assert.deepEqual(
      refused.map((response) => [formatOutcome(response), response.headers.get('retry-after')]),
      refused.map(() => ['423 key_unavailable', '5']),
    );
    assert.equal((await findStoredRows('webhook_deliveries')).length, 1);
  });

  it('cannot be decrypted if they were moved to another event', async () => {
    for (let count = 0; count < 2; count += 1) await emitLead(suite.parley, suite.org);
    await fanOut(suite.parley);
    await suite.parley.database.sql(
      `UPDATE webhook_deliveries SET payload = (SELECT payload FROM webhook_deliveries WHERE org_id = $1 ORDER BY id LIMIT 1)
       WHERE org_id = $1`,
      [suite.org.orgId],
    );
    assert.equal((await suite.org.client.get('/api/webhooks/deliveries')).status, 500);
  });
});
