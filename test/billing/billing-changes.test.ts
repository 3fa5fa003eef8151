import assert from 'node:assert/strict';
import type { ProviderCheckout, ProviderSubscription } from '../../adapters/billing/payment-provider.ts';
import type { PaidTier } from '../../core/billing/plans.ts';
import { decideCheckout } from '../../services/billing/checkouts/checkout-decision.ts';
import {
  computeSubscriptionChanges,
  type KnownSubscription,
} from '../../services/billing/subscriptions/subscription-changes.ts';
import {
  calculateCreditChange,
  countRefundedMessages,
} from '../../services/billing/receipts/refunded-messages.ts';

const tiers: Record<string, PaidTier> = { price_starter: 'starter', price_pro: 'pro' };
const plans = { findTierByPrice: (priceId: string) => tiers[priceId] ?? null };
const NOTHING: KnownSubscription = {
  subscriptionId: null,
  priceId: null,
  paidTier: 'free',
  otherSubscriptions: {},
};
const START = new Date('2026-11-01T00:00:00Z');
const END = new Date('2026-12-01T00:00:00Z');

function subscription(id: string, changes: Partial<ProviderSubscription> = {}): ProviderSubscription {
  return {
    id,
    state: 'active',
    priceId: 'price_pro',
    itemId: `si_${id}`,
    periodStart: START,
    periodEnd: END,
    endsAt: null,
    tier: null,
    orgId: null,
    ...changes,
  };
}

describe('computeSubscriptionChanges', () => {
  const cases: {
    title: string;
    known?: Partial<KnownSubscription>;
    /** Subscriptions that the payment provider returns, newest first. */
    subscriptions: ProviderSubscription[];
    expected: [id: string | null, tier: string, status: string];
    others?: Record<string, string>;
    toEnd?: string[];
  }[] = [
    {
      title: 'returns no subscription if there is none',
      subscriptions: [],
      expected: [null, 'free', 'none'],
    },
    {
      title: 'selects the first subscription',
      subscriptions: [subscription('a')],
      expected: ['a', 'pro', 'active'],
    },
    {
      title: 'gives the tier of a subscription in a trial',
      subscriptions: [subscription('a', { state: 'trialing' })],
      expected: ['a', 'pro', 'trialing'],
    },
    {
      title: 'keeps the tier while a payment is retried',
      known: { subscriptionId: 'a', paidTier: 'pro' },
      subscriptions: [subscription('a', { state: 'past_due' })],
      expected: ['a', 'pro', 'past_due'],
    },
    {
      title: 'gives no tier once the last payment retry has failed',
      known: { subscriptionId: 'a', paidTier: 'pro' },
      subscriptions: [subscription('a', { state: 'unpaid' })],
      expected: ['a', 'free', 'ended'],
    },
    {
      title: 'gives no tier once the subscription has ended',
      known: { subscriptionId: 'a', paidTier: 'pro' },
      subscriptions: [subscription('a', { state: 'ended', endsAt: END })],
      expected: ['a', 'free', 'ended'],
    },
    {
      title: 'ignores a subscription that was never paid',
      subscriptions: [subscription('a', { state: 'incomplete' })],
      expected: [null, 'free', 'none'],
    },
    {
      title: 'keeps the known subscription, and ends a second subscription',
      known: { subscriptionId: 'a', paidTier: 'starter' },
      subscriptions: [subscription('b'), subscription('a', { priceId: 'price_starter' })],
      expected: ['a', 'starter', 'active'],
      others: { b: 'duplicate' },
      toEnd: ['b'],
    },
    {
      title: 'selects the older of two unknown subscriptions',
      subscriptions: [subscription('b'), subscription('a', { priceId: 'price_starter' })],
      expected: ['a', 'starter', 'active'],
      others: { b: 'duplicate' },
      toEnd: ['b'],
    },
    {
      title: 'selects a new subscription after another subscription has ended',
      known: { subscriptionId: 'a', paidTier: 'free' },
      subscriptions: [subscription('b'), subscription('a', { state: 'ended' })],
      expected: ['b', 'pro', 'active'],
      others: { a: 'former' },
    },
    {
      title: 'selects a new subscription after an unpaid subscription, which ends without a refund',
      known: { subscriptionId: 'a', paidTier: 'free' },
      subscriptions: [subscription('b'), subscription('a', { state: 'unpaid' })],
      expected: ['b', 'pro', 'active'],
      others: { a: 'former' },
      toEnd: ['a'],
    },
    {
      title: 'keeps the subscription, and ends a previous subscription that is paid later',
      known: { subscriptionId: 'b', paidTier: 'pro', otherSubscriptions: { a: 'former' } },
      subscriptions: [subscription('b'), subscription('a')],
      expected: ['b', 'pro', 'active'],
      others: { a: 'former' },
      toEnd: ['a'],
    },
    {
      title: 'ignores a duplicate that could not be ended yet',
      known: { subscriptionId: 'a', paidTier: 'free', otherSubscriptions: { b: 'duplicate' } },
      subscriptions: [subscription('b'), subscription('a', { state: 'ended' })],
      expected: ['a', 'free', 'ended'],
      others: { b: 'duplicate' },
    },
    {
      title: 'keeps the tier if the table of plans no longer has its price',
      known: { subscriptionId: 'a', priceId: 'price_old', paidTier: 'starter' },
      subscriptions: [subscription('a', { priceId: 'price_old', tier: 'pro' })],
      expected: ['a', 'starter', 'active'],
    },
    {
      title: 'gives the tier of the checkout if the price is unknown',
      subscriptions: [subscription('a', { priceId: 'price_old', tier: 'business' })],
      expected: ['a', 'business', 'active'],
    },
    {
      title: 'does not take the tier from another subscription if the price is unknown',
      known: { subscriptionId: 'a', priceId: 'price_pro', paidTier: 'pro' },
      subscriptions: [subscription('b', { priceId: 'price_other' }), subscription('a', { state: 'ended' })],
      expected: ['b', 'free', 'active'],
      others: { a: 'former' },
    },
  ];
  for (const { title, known, subscriptions, expected, others = {}, toEnd = [] } of cases)
    it(title, () => {
      const verdict = computeSubscriptionChanges({ ...NOTHING, ...known }, subscriptions, plans);
      const { subscriptionId, paidTier, status, otherSubscriptions } = verdict.fields;
      assert.deepEqual([subscriptionId, paidTier, status], expected);
      assert.deepEqual(otherSubscriptions, others);
      assert.deepEqual(verdict.toEnd, toEnd);
    });
});

describe('decideCheckout', () => {
  const NOW = new Date('2026-11-10T12:00:00Z');
  const SOON = new Date('2026-11-10T12:30:00Z');
  const session = (changes: Partial<ProviderCheckout>): ProviderCheckout => ({
    id: 'cs_1',
    state: 'open',
    url: null,
    expiresAt: SOON,
    payment: 'none',
    paymentId: null,
    ...changes,
  });
  const paying = { state: 'active', endsAt: null, tier: 'pro' } as const;
  const base = { kind: 'session', product: 'pro', state: 'open', expiresAt: SOON } as const;
  const cases: [title: string, row: object, facts: object, expected: object][] = [
    ['a session that is open at the provider', {}, { session: session({}) }, { state: 'open' }],
    [
      'a session that has expired at the provider',
      {},
      { session: session({ state: 'expired' }) },
      { state: 'expired' },
    ],
    ['a paid tier', {}, { session: session({ state: 'complete', payment: 'paid' }) }, { state: 'completed' }],
    [
      'a tier whose payment is delayed',
      {},
      { session: session({ state: 'complete', payment: 'pending' }) },
      { state: 'paying' },
    ],
    [
      'a paid top-up',
      { product: 'topup' },
      { session: session({ state: 'complete', payment: 'paid' }) },
      { state: 'completed' },
    ],
    [
      'a top-up whose payment is delayed',
      { product: 'topup' },
      { session: session({ state: 'complete', payment: 'pending' }) },
      { state: 'paying' },
    ],
    [
      'a top-up whose payment has failed',
      { product: 'topup', state: 'paying' },
      { session: session({ state: 'complete', payment: 'pending' }), hasFailed: true },
      { state: 'failed' },
    ],
    [
      'a session that was not created in time',
      { state: 'preparing', expiresAt: NOW },
      {},
      { state: 'expired' },
    ],
    ['a session that is being created', { state: 'preparing' }, {}, { state: 'preparing' }],
    ['a confirmed change of tier', { kind: 'change' }, { subscription: paying }, { state: 'completed' }],
    [
      'an unconfirmed change of tier',
      { kind: 'change' },
      { subscription: { ...paying, tier: 'starter' } },
      { state: 'open' },
    ],
    [
      'an expired change of tier',
      { kind: 'change', expiresAt: NOW },
      { subscription: { ...paying, tier: 'starter', endsAt: END } },
      { state: 'expired' },
    ],
    [
      'a confirmed change of a subscription that will end',
      { kind: 'change' },
      { subscription: { ...paying, endsAt: END } },
      { state: 'open', mustResume: true },
    ],
    [
      'a confirmed change of a subscription that will end, after the checkout has expired',
      { kind: 'change', expiresAt: NOW },
      { subscription: { ...paying, endsAt: END } },
      { state: 'expired' },
    ],
    [
      'a subscription that was reactivated',
      { kind: 'resume' },
      { subscription: paying },
      { state: 'completed' },
    ],
    [
      'a subscription that is not reactivated yet',
      { kind: 'resume' },
      { subscription: { ...paying, endsAt: END } },
      { state: 'open' },
    ],
  ];
  for (const [title, row, facts, expected] of cases)
    it(`returns ${JSON.stringify(expected)} for ${title}`, () => {
      assert.deepEqual(
        decideCheckout(
          { ...base, ...row },
          { session: null, hasFailed: false, subscription: null, now: NOW, ...facts },
        ),
        expected,
      );
    });
});

describe('credits of refunded top-ups', () => {
  for (const [messages, refundedCents, expected] of [
    [3000, 0, 0],
    [3000, 4500, 3000],
    [3000, 1500, 1000],
    [1000, 1, 0],
    [1000, 500, 111],
  ] as const)
    it(`are reduced by ${expected} of ${messages} for a refund of ${refundedCents} of 4500 cents`, () =>
      assert.equal(countRefundedMessages(messages, { amountCents: 4500, refundedCents }), expected));

  for (const [title, change, expected] of [
    [
      'are deducted completely if enough messages are left',
      { due: 1000, previouslyDue: 0, removed: 0, remaining: 1500 },
      -1000,
    ],
    [
      'are deducted as far as messages are left',
      { due: 1000, previouslyDue: 0, removed: 0, remaining: 400 },
      -400,
    ],
    ['are deducted once', { due: 1000, previouslyDue: 1000, removed: 400, remaining: 700 }, 0],
    ['are deducted in parts', { due: 1000, previouslyDue: 400, removed: 400, remaining: 2000 }, -600],
    ['are restored if a refund fails', { due: 0, previouslyDue: 1000, removed: 1000, remaining: 0 }, 1000],
    [
      'are restored as far as they were deducted',
      { due: 0, previouslyDue: 1000, removed: 400, remaining: 0 },
      400,
    ],
  ] as const)
    it(title, () => assert.equal(calculateCreditChange(change) + 0, expected));
});
