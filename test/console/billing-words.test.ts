import assert from 'node:assert/strict';
import {
  findCheckoutOutcome,
  type StoredCheckout,
  type CheckoutOutcome,
} from '../../console/billing/checkout-outcome.ts';
import {
  describePurchase,
  describeLimits,
  formatMoney,
  describeSubscription,
} from '../../console/billing/billing-words.ts';
import { getCancelTexts } from '../../console/billing/plans/cancel-texts.ts';
import { isAssignedByOperator } from '../../console/billing/subscription-state.ts';
import { listTaxIdOptions } from '../../console/billing/profile/tax-id-names.ts';
import { toReceiptsCsv } from '../../console/billing/receipts/receipts-csv.ts';
import type { SubscriptionRead } from '../../api/billing/billing.schemas.ts';
import { taxIdTypes } from '../../core/billing/tax-id-types.ts';
import { receipt } from './billing-support.ts';

const NO_LIMITS = {
  messages_per_month: null,
  documents: null,
  bots: null,
  seats: null,
  alerts_per_month: null,
};

function subscription(changes: Partial<SubscriptionRead>): SubscriptionRead {
  return {
    tier: 'pro',
    status: 'active',
    is_billed_here: true,
    period_start: null,
    period_end: null,
    renews_at: null,
    ends_at: null,
    topup_credits_left: 0,
    limits: NO_LIMITS,
    checkout: null,
    synced_at: null,
    ...changes,
  };
}

describe('the billing page', () => {
  const states: [Partial<SubscriptionRead>, RegExp][] = [
    [{ status: 'none', tier: 'free' }, /^No active subscription$/],
    [{ status: 'none', tier: 'enterprise' }, /^No active subscription$/],
    [{ status: 'trialing', renews_at: 'May 1' }, /^Trial until May 1,/],
    [{ renews_at: 'May 1' }, /^Paid\. Renews on May 1\.$/],
    [{ ends_at: 'May 1' }, /^Canceled\. The plan stays active until May 1\./],
    [{ status: 'past_due', renews_at: 'May 1' }, /^The last payment failed\. .* the plan stays active\./],
    [{ status: 'past_due', ends_at: 'May 1' }, /^Canceled\. /],
    [{ status: 'ended', ends_at: 'May 1' }, /^The subscription ended on May 1\.$/],
    [{ status: 'ended' }, /^The subscription ended\.$/],
    [
      { tier: 'enterprise', renews_at: 'May 1' },
      /^There's also a paid subscription; the next payment is due on May 1\. The plan doesn't depend on that subscription\.$/,
    ],
    [{ tier: 'enterprise' }, /^There's also a paid subscription\. The plan doesn't depend/],
    [
      { tier: 'enterprise', status: 'trialing', renews_at: 'May 1' },
      /subscription in its trial period; the first payment is due on May 1\./,
    ],
    [{ tier: 'enterprise', status: 'past_due' }, /whose last payment failed\./],
    [
      { tier: 'enterprise', ends_at: 'May 1' },
      /^There's also a canceled subscription, which ends on May 1\.$/,
    ],
  ];
  for (const [state, expected] of states)
    it(`shows the text of getSubscription for ${JSON.stringify(state)}`, () =>
      assert.match(
        describeSubscription(subscription(state), (at) => at),
        expected,
      ));

  it('formats the amounts of listPlans, which are in the currency’s smallest unit, even if the unit is not a hundredth', () => {
    assert.deepEqual(
      [
        formatMoney(9900, 'usd'),
        formatMoney(9950, 'eur'),
        formatMoney(9900, 'jpy'),
        formatMoney(9900, 'kwd'),
      ],
      ['$99', '€99.50', '¥9,900', 'KWD\u00a09.900'],
    );
  });

  it('formats a limit of listPlans as a number with a singular or plural noun, or as unlimited', () => {
    assert.deepEqual(describeLimits({ ...NO_LIMITS, messages_per_month: 50_000, bots: 1 }), [
      '50,000 messages a month',
      'Unlimited documents',
      '1 bot',
      'Unlimited seats',
      'Unlimited alerts',
    ]);
  });

  it('labels each purchase of createCheckout, and shows the number of messages of a top-up', () => {
    const plan = { interval: null, amount_cents: 1500, currency: 'usd', limits: null, is_current: false };
    const plans = [{ ...plan, tier: 'topup' as const, name: 'Top-up', credits: 1000 }];
    assert.deepEqual(
      [describePurchase('topup', 5, plans), describePurchase('pro', 1, plans)],
      ['5,000 messages', 'Pro'],
    );
  });

  const pro: StoredCheckout = { id: 'a', tier: 'pro', quantity: 1, creditsBefore: 10 };
  const open = { tier: 'pro', expires_at: null } as const;
  const enterprise = { tier: 'enterprise' } as const;
  const outcomes: [string, StoredCheckout | null, Partial<SubscriptionRead>, CheckoutOutcome][] = [
    ['another current tier', pro, { tier: 'free' }, 'pending'],
    ['the purchased tier', pro, {}, 'confirmed'],
    ['the tier whose cancellation is not revoked yet', pro, { ends_at: 'May 1' }, 'pending'],
    ['the tier with its checkout open', pro, { checkout: open }, 'pending'],
    ['no more credits', { ...pro, tier: 'topup' }, { topup_credits_left: 10 }, 'pending'],
    ['more credits', { ...pro, tier: 'topup' }, { topup_credits_left: 1010 }, 'confirmed'],
    ['an open checkout of another tab', null, { checkout: open }, 'unknown'],
    ['no checkout of this tab', null, {}, 'unknown'],
    ['a tier that the operator grants', pro, { ...enterprise, status: 'none' }, 'pending'],
    ['a granted tier in addition to a paid one', pro, enterprise, 'unknown'],
    [
      'more credits and a granted tier',
      { ...pro, tier: 'topup' },
      { ...enterprise, topup_credits_left: 11 },
      'confirmed',
    ],
  ];
  for (const [what, begun, state, expected] of outcomes)
    it(`labels the payment of createCheckout as ${expected} for ${what}`, () =>
      assert.equal(findCheckoutOutcome(begun, subscription(state)), expected));

  const given: [Partial<SubscriptionRead>, boolean][] = [
    [{ tier: 'enterprise' }, true],
    [{ tier: 'enterprise', status: 'none' }, true],
    [{ tier: 'business', status: 'none' }, true],
    [{ tier: 'business', status: 'ended' }, true],
    [{ tier: 'business', status: 'past_due' }, false],
    [{ tier: 'free', status: 'active' }, false],
    [{ tier: 'free', status: 'none' }, false],
    [{ tier: 'enterprise', status: 'none', is_billed_here: false }, false],
  ];
  for (const [state, expected] of given)
    it(`shows ${JSON.stringify(state)} of getSubscription as ${expected ? '' : 'not necessarily '}granted by the operator`, () =>
      assert.equal(isAssignedByOperator(subscription(state)), expected));

  it('lists what is lost at cancelSubscription, without the plan if the operator has granted it', () => {
    const describeCancellation = (tier: SubscriptionRead['tier'], name: string) =>
      getCancelTexts(subscription({ tier }), name, 'May 1');
    assert.match(
      describeCancellation('pro', 'Pro').consequence,
      /^The plan stays active until May 1\. .* choosing Pro again\.$/,
    );
    assert.deepEqual(describeCancellation('enterprise', 'Enterprise'), {
      question: 'Cancel subscription?',
      consequence:
        "The subscription ends on May 1. The workspace keeps the Enterprise plan that your operator assigned. You can't undo the cancellation here while the workspace has that plan.",
      otherwise: 'Keep subscription',
    });
    assert.equal(describeCancellation('free', 'Free').consequence, 'The subscription ends on May 1.');
  });

  it('downloads a file with a line for each receipt of listReceipts, and without formulas', () => {
    const hostile = { ...receipt().addressee, legal_name: '=1+1' };
    const [head, line, end] = toReceiptsCsv([receipt({ addressee: hostile })]).split('\r\n');
    assert.match(head!, /^Number,Issued at,/);
    assert.equal(line, "AAAAAAA1-0001,2026-11-12T09:00:00.000Z,1 × Pro,11781,1881,USD,paid,'=1+1,PT,");
    assert.equal(end, '');
  });

  it('offers the provider’s types of tax ids for saveBillingProfile', () => {
    const offered = listTaxIdOptions('').map(([type]) => type);
    assert.deepEqual(
      offered.filter((type) => type !== '' && !taxIdTypes.has(type)),
      [],
    );
    assert.ok(!offered.includes('tt_bir') && listTaxIdOptions('tt_bir').some(([type]) => type === 'tt_bir'));
  });
});
