import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { createEndpoint, emitLead, fanOut, leadCaptured, UNREACHABLE_URL } from '../webhooks/support.ts';
import { startOwnKeys, type OwnKeys } from './own-key.ts';

const named = { 'idempotency-key': 'replay' };

describe('responses stored for Idempotency-Keys, of a workspace with its own key,', () => {
  let parley: SharedParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys.stop();
  });

  /** Builds a workspace with a webhook delivery that can be replayed, whose response names a contact. */
  async function build() {
    const org = await parley.buildOrg();
    await keys.seal(org);
    await createEndpoint(org, UNREACHABLE_URL, { events: ['lead.captured'] });
    const lead = leadCaptured();
    await emitLead(parley, org, lead);
    await fanOut(parley);
    await parley.database.sql(`UPDATE webhook_deliveries SET status = 'failed' WHERE org_id = $1`, [
      org.orgId,
    ]);
    const { body } = await org.client.get('/api/webhooks/deliveries');
    const replay = (headers = named) =>
      org.client.post(`/api/webhooks/deliveries/${body.items[0]!.id}/replay`, {}, headers);
    const findStoredResponses = () =>
      parley.database.sql<{ sealed_body: string; key_id: string | null }>(
        'SELECT sealed_body, key_id FROM idempotency_keys WHERE org_id = $1',
        [org.orgId],
      );
    return { ...org, lead, replay, findStoredResponses };
  }

  it('are encrypted with its key if they contain content, and repeated unchanged', async () => {
    const { key, replay, findStoredResponses } = await build();
    const first = await replay();
    const [row, ...others] = await findStoredResponses();
    assert.equal(others.length, 0);
    assert.ok(row?.key_id && key);
    assert.match(row.sealed_body, /^[\w-]+$/);
    const second = await replay();
    assert.deepEqual(
      [second.status, second.body, second.headers.get('idempotent-replay')],
      [201, first.body, 'true'],
    );
  });

  it('are returned again once the key is available, and responses without content even while it is not', async () => {
    const { orgId, userId, client, replay, findStoredResponses } = await build();
    const first = await replay();
    const makeBot = () => client.post('/api/bots', { name: 'Bikes' }, { 'idempotency-key': 'bot' });
    const bot = await makeBot();
    keys.withdraw({ orgId, userId });
    assert.equal(formatOutcome(await replay()), '423 key_unavailable');
    assert.equal(formatOutcome(await replay({ 'idempotency-key': 'another' })), '423 key_unavailable');
    assert.equal((await findStoredResponses()).length, 1);
    assert.deepEqual((await makeBot()).body, bot.body);
    keys.restore({ orgId, userId });
    assert.deepEqual((await replay()).body, first.body);
  });

  it('are deleted with the contact by eraseContact, even if the key is unavailable, as are events and deliveries', async () => {
    for (const isAway of [false, true]) {
      const { orgId, userId, lead, replay, findStoredResponses } = await build();
      await replay();
      const scope = { orgId, db: parley.database };
      await emitLead(parley, { orgId }, lead);
      await emitLead(parley, { orgId }, leadCaptured());
      if (isAway) keys.withdraw({ orgId, userId });
      await parley.database.repository(Contact).insert({
        id: lead.contact_id,
        orgId,
        botId: await createBotIn(orgId),
        visitorId: newId(),
        browserId: newId(),
        firstSeenAt: new Date(0),
        deletedAt: new Date(),
      });
      const { erasure } = parley.runtime.services.conversations;
      const { signal } = new AbortController();
      await erasure.removeEvents(scope, lead.contact_id);
      await erasure.removeDeliveries(scope, lead.contact_id, signal);
      await erasure.removeResponses(scope, lead.contact_id, signal);
      assert.deepEqual(await findStoredResponses(), []);
      const findRemaining = (table: string, also = '') =>
        parley.database.sql(`SELECT FROM ${table} WHERE org_id = $1 ${also}`, [orgId]);
      assert.equal((await findRemaining('webhook_deliveries')).length, 0);
      assert.equal((await findRemaining('outbox', "AND kind = 'event'")).length, 1);
      keys.restore({ orgId, userId });
    }
  });

  async function createBotIn(orgId: string): Promise<string> {
    const { client } = await parley.buildOrg({ orgId });
    return (await client.post('/api/bots', { name: 'Bikes' })).body.id;
  }
});
