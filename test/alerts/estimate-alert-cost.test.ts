import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildBot } from '../support/worker.ts';

const HOUR_MS = 3_600_000;
const POLICY = { channel: 'whatsapp', destination: '+49 30 123456', timezone: 'UTC' } as const;

describe('estimateAlertCost', () => {
  let parley: TestParley;
  let org: TestOrg;

  before(async () => {
    parley = await startParley({ PARLEY_ALERT_PRICES: '{"whatsapp":{"49":0.1,"*":0.5}}' });
  });
  after(() => parley.stop());
  beforeEach(async () => (org = await parley.buildOrg()));

  async function insertEventCount(name: string, daysAgo: number, count: number, botId: string | null = null) {
    const hour = new Date((Math.floor(Date.now() / HOUR_MS) - daysAgo * 24) * HOUR_MS);
    const row = { id: newId(), orgId: org.orgId, hour, botId, name, count };
    await parley.database.repository(EventCount).insert(row);
  }

  const age = (days: number) =>
    parley.database.sql("UPDATE orgs SET created_at = now() - $2 * interval '1 day' WHERE id = $1", [
      org.orgId,
      days,
    ]);

  const estimate = async (fields: object = {}) => {
    const { status, body } = await org.client.post('/api/alerts/estimate', { ...POLICY, ...fields });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('returns zeros for an empty workspace, and stores nothing', async () => {
    const zeros = { events: 0, messages_per_month: 0, digests_per_month: 0, capped_days: 0, cost_usd: 0 };
    const expected = { observed_days: 0, ...zeros, unit_price_usd: 0.1, by_event: [] };
    assert.deepEqual(await estimate({ digest: 'daily' }), expected);
    assert.equal(await parley.database.repository(AlertPolicy).countBy({ orgId: org.orgId }), 0);
    assert.deepEqual((await org.client.get('/api/alerts')).body, []);
  });

  it('extrapolates from the days for which the workspace has data, at most thirty, to a month', async () => {
    for (const days of [2, 9, 20, 31]) await insertEventCount('lead.captured', days, 12);
    await insertEventCount('conversation.started', 2, 500);
    await age(10.2);
    const young = await estimate();
    assert.deepEqual([young.observed_days, young.events, young.messages_per_month], [10, 24, 65.45]);
    assert.deepEqual(young.by_event, [{ event: 'lead.captured', count: 24 }]);
    await age(400);
    const old = await estimate({ digest: 'weekly' });
    assert.deepEqual([old.observed_days, old.events, old.messages_per_month], [30, 36, 32.73]);
    assert.ok(old.digests_per_month >= 2);
    assert.equal(old.cost_usd, Math.round((old.messages_per_month + old.digests_per_month) * 1000) / 10_000);
  });

  it('applies the policy’s intensity, events, cap and bot', async () => {
    const botId = await buildBot(org);
    await insertEventCount('lead.captured', 2, 240, botId);
    await insertEventCount('message.created', 2, 60);
    await age(30.5);
    assert.equal((await estimate({ intensity: 'critical' })).events, 0);
    assert.equal((await estimate({ events: ['message.created'] })).messages_per_month, 40);
    assert.equal((await estimate({ intensity: 'off', digest: 'daily' })).cost_usd, 0);
    const capped = await estimate({ daily_cap: 20, bot_id: botId });
    assert.deepEqual([capped.capped_days, capped.messages_per_month, capped.cost_usd], [1, 21, 2.1]);
    const digest = await estimate({ intensity: 'digest' });
    assert.deepEqual([digest.events, digest.messages_per_month, digest.digests_per_month], [240, 0, 1]);
    assert.equal((await estimate({ bot_id: await buildBot(org) })).events, 0);
  });

  it('refuses what saveAlertPolicy refuses', async () => {
    for (const [fields, expected] of [
      [{ destination: 'Ada' }, 422],
      [{ timezone: 'Nowhere/Else' }, 422],
      [{ intensity: 'digest', digest: 'none' }, 422],
      [{ bot_id: newId() }, 404],
      [{ bot_id: await buildBot(await parley.buildOrg()) }, 403],
    ] as const) {
      const { status } = await org.client.post('/api/alerts/estimate', { ...POLICY, ...fields });
      assert.equal(status, expected, JSON.stringify(fields));
    }
  });
});
