import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { limitNames, paidTiers, Plans, planTiers, TOPUP_MESSAGES } from '../../core/billing/plans.ts';

describe('the page about plans', () => {
  const page = readFileSync('docs/billing.md', 'utf8');
  const plans = new Plans({ plans: '{}', stripeSecretKey: 'sk_test_1' });
  const dollars = (amountCents: number) => `$${amountCents / 100}`;
  const readCells = (tier: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| \`${tier}\` `))!
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim());

  it('has the limits of each tier', () => {
    for (const tier of planTiers.filter((each) => each !== 'enterprise')) {
      const limits = plans.getLimits(tier);
      const expected = limitNames.map((name) => limits[name]!.toLocaleString('en-GB'));
      assert.deepEqual(readCells(tier).slice(0, limitNames.length), expected, tier);
    }
  });

  it('has the price of each product', () => {
    for (const tier of paidTiers)
      assert.equal(readCells(tier).at(-1), dollars(plans.getPrice(tier).amountCents), tier);
    const messages = TOPUP_MESSAGES.toLocaleString('en-GB');
    const { amountCents } = plans.getPrice('topup');
    assert.ok(
      page.includes(`A unit of a top-up adds ${messages} messages and costs ${dollars(amountCents)}.`),
    );
  });
});
