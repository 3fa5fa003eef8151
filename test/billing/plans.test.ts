import assert from 'node:assert/strict';
import { parsePlans, Plans, planTiers } from '../../core/billing/plans.ts';

const SECRET = 'sk_test_1';

describe('the table of plans', () => {
  it('limits nothing without a payment provider', () => {
    const plans = new Plans({ plans: '{"free":{"bots":1}}', stripeSecretKey: undefined });
    assert.equal(plans.isEnforced, false);
    for (const tier of planTiers)
      assert.deepEqual(plans.getLimits(tier), {
        messages_per_month: null,
        documents: null,
        bots: null,
        seats: null,
        alerts_per_month: null,
      });
  });

  it('has default limits and prices', () => {
    const plans = new Plans({ plans: '{}', stripeSecretKey: SECRET });
    assert.deepEqual(
      planTiers.map((tier) => Object.values(plans.getLimits(tier))),
      [
        [200, 25, 1, 2, 50],
        [2000, 250, 3, 5, 500],
        [10_000, 2000, 10, 15, 3000],
        [50_000, 10_000, 50, 50, 15_000],
        [null, null, null, null, null],
      ],
    );
    assert.deepEqual(plans.getPrice('pro'), { amountCents: 9900, currency: 'usd', priceId: undefined });
  });

  it('applies the operator’s settings field by field, and treats null as no limit', () => {
    const changed = { pro: { bots: null, seats: 0, price_id: 'price_pro' }, topup: { amount_cents: 500 } };
    const plans = new Plans({ plans: JSON.stringify(changed), stripeSecretKey: SECRET });
    assert.deepEqual(plans.getLimits('pro'), {
      messages_per_month: 10_000,
      documents: 2000,
      bots: null,
      seats: 0,
      alerts_per_month: 3000,
    });
    assert.deepEqual(plans.getPrice('topup'), { amountCents: 500, currency: 'usd', priceId: undefined });
    assert.equal(plans.findTierByPrice('price_pro'), 'pro');
    assert.equal(plans.findTierByPrice('price_other'), null);
  });

  it('refuses an invalid table', () => {
    for (const json of [
      '',
      '[]',
      '{"gold":{}}',
      '{"pro":{"bots":-1}}',
      '{"pro":{"bots":1.5}}',
      '{"pro":{"bot":1}}',
      '{"free":{"amount_cents":1}}',
      '{"topup":{"bots":1}}',
      '{"pro":{"currency":"USD"}}',
      '{"pro":{"price_id":"price_a"},"topup":{"price_id":"price_a"}}',
    ])
      assert.equal(parsePlans(json), null, json);
  });
});
