import assert from 'node:assert/strict';
import { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import { mailSamples } from '../../../services/mail/rendering/mail-samples.ts';
import { buildGraph, buildNode } from '../../flows/graphs.ts';
import { buildFlowBot } from '../../flows/flow-visits.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { connectChat, savePolicy } from '../../alerts/support.ts';
import { createEndpoint, emitLead, fanOut, UNREACHABLE_URL } from '../../webhooks/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

/** SQL queries that read the stored content of each table with the id of its key. */
const STORED = {
  outbox: `payload::text FROM outbox WHERE org_id = $1 AND kind = 'event' AND name = 'lead.captured'`,
  webhook_deliveries:
    'payload::text || response_body FROM webhook_deliveries WHERE org_id = $1 AND NOT is_on_demand',
  mails: 'content FROM mails WHERE org_id = $1',
  alert_messages: 'content FROM alert_messages WHERE org_id = $1',
  flow_sessions: 'sealed_state || awaiting FROM flow_sessions WHERE org_id = $1',
  idempotency_keys: 'sealed_body FROM idempotency_keys WHERE org_id = $1',
};

describe('queued content of a workspace that takes its own key', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  /** Creates a conversation that waits in a flow, and one row in each other table with queued content. */
  async function build() {
    const graph = buildGraph(
      [buildNode('question', { text: 'Which size?', input: 'text' }, 'ask'), buildNode('end', {}, 'end')],
      'ask end',
    );
    const org = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
    await (await org.visit()).say('Hello, I am Zoë');
    const { orgId, userId } = org;
    await createEndpoint(org, UNREACHABLE_URL, { events: ['lead.captured'] });
    await emitLead(parley, org);
    await fanOut(parley);
    const { database, runtime } = parley;
    await database.sql(`UPDATE webhook_deliveries SET status = 'failed', response_body = 'Thanks, Zoë'`);
    const { body } = await org.client.get('/api/webhooks/deliveries');
    await org.client.post(
      `/api/webhooks/deliveries/${body.items[0]!.id}/replay`,
      {},
      { 'idempotency-key': 'replay' },
    );
    await emitLead(parley, org);
    const { id } = await savePolicy(org, {
      channel: 'telegram',
      destination: await connectChat(parley, org),
    });
    const policy = await database.repository(AlertPolicy).findOneByOrFail({ id });
    const content = { lines: [[{ text: 'Zoë waits.' }]] };
    await runtime.services.alerts.alertQueue.enqueue({ db: database, orgId }, policy, {
      kind: 'digest',
      content,
    });
    const data = { ...mailSamples.lead_captured, contact: 'Zoë' };
    await database.transaction((db) =>
      runtime.services.mail.mail.send(db, {
        to: 'a@example.com',
        orgId,
        userId,
        template: 'lead_captured',
        data,
      }),
    );
    return org;
  }

  it('stays usable: a flow with encrypted state handles the visitor’s next message', async () => {
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Which size?', input: 'text' }, 'ask'),
        buildNode('end', { message: 'Thank you.' }, 'end'),
      ],
      'ask end',
    );
    const org = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
    await keys.seal(org);
    const visitor = await org.visit();
    await visitor.say('Hello');
    const [session] = (await readStoredRows(org.orgId))['flow_sessions']!;
    assert.ok(session?.key_id);
    assert.equal((await visitor.say('XL')).content, 'Thank you.');
  });

  const readStoredRows = async (orgId: string) => {
    const all = await Promise.all(
      Object.entries(STORED).map(async ([table, query]) => {
        const rows = await parley.database.sql<{ key_id: string | null; text: string }>(
          `SELECT key_id, ${query.replace(' FROM', ' AS text FROM')}`,
          [orgId],
        );
        return [table, rows] as const;
      }),
    );
    return Object.fromEntries(all);
  };
  const walk = async (orgId: string) => {
    parley.runtime.services.encryption.contentKeys.forget(orgId);
    await parley.runtime.services.encryption.resealing.runSteps({ orgId, db: parley.database }, () => false);
  };

  it('is encrypted by reseal, and has the same bytes after a switch to the platform’s key', async () => {
    const org = await build();
    const before = await readStoredRows(org.orgId);
    const owner = await keys.seal(org);
    await walk(org.orgId);
    const sealed = await readStoredRows(org.orgId);
    for (const [table, rows] of Object.entries(sealed)) {
      assert.equal(rows.length, before[table]!.length, table);
      for (const { key_id: keyId, text } of rows) {
        assert.ok(keyId, table);
        assert.ok(!text.includes('Zoë') && !text.includes('Ada'), table);
      }
    }
    const { body } = await org.client.get('/api/webhooks/deliveries');
    assert.ok(body.items.some((delivery) => delivery.response_body === 'Thanks, Zoë'));
    assert.equal((await owner.put('/api/encryption', { mode: 'platform' })).status, 200);
    await walk(org.orgId);
    assert.deepEqual(await readStoredRows(org.orgId), before);
  });
});
