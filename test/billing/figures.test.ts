import assert from 'node:assert/strict';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { BillingEvent } from '../../entities/billing/billing-event.entity.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildPayer } from './support.ts';

describe('billing metrics', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  it('report the longest time since the sync of a payer with a subscription, and events by outcome', async () => {
    const { database, runtime } = parley;
    const read = () => runtime.services.billing.billingFigures.read(database);
    assert.deepEqual(await read(), {
      syncAgeSeconds: 0,
      outcomes: { passed_on: 0, unmatched: 0, ignored: 0 },
    });
    for (const status of ['active', 'ended'] as const) {
      const { orgId } = await buildPayer(parley);
      await database.sql(
        `INSERT INTO billing_accounts (org_id, status, synced_at)
         VALUES ($1, $2, now() - interval '1 minute')`,
        [orgId, status],
      );
    }
    await database
      .repository(BillingEvent)
      .insert({ id: 'evt_1', type: 'invoice.paid', outcome: 'unmatched' });
    await parley.passTime(120);
    assert.deepEqual(await read(), {
      syncAgeSeconds: 180,
      outcomes: { passed_on: 0, unmatched: 1, ignored: 0 },
    });
    await database.repository(BillingAccount).update({ status: 'active' }, { status: 'ended' });
    assert.equal((await read()).syncAgeSeconds, 0);
  });
});
