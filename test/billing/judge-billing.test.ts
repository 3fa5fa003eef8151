import assert from 'node:assert/strict';
import type { ProviderCheckout, ProviderSubscription } from '../../adapters/billing/payment-provider.ts';
import type { PaidTier } from '../../core/billing/plans.ts';
import { judgeCheckout } from '../../services/billing/checkouts/judge-checkout.ts';
import {
  judgeSubscriptions,
  type KnownSubscription,
} from '../../services/billing/subscriptions/judge-subscriptions.ts';
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

describe('the effective subscription', () => {
  const cases: {
    title: string;
    known?: Partial<KnownSubscription>;
    /** Subscriptions, newest first. */
    subscriptions: ProviderSubscription[];
    expected: [id: string | null, tier: string, status: string];
    others?: Record<string, string>;
    toEnd?: string[];
  }[] = [
    { title: 'is null without subscriptions', subscriptions: [], expected: [null, 'free', 'none'] },
    { title: 'is the first', subscriptions: [subscription('a')], expected: ['a', 'pro', 'active'] },
    {
      title: 'gives its tier in a trial',
      subscriptions: [subscription('a', { state: 'trialing' })],
      expected: ['a', 'pro', 'trialing'],
    },
    {
      title: 'keeps its tier while a payment is retried',
      known: { subscriptionId: 'a', paidTier: 'pro' },
      subscriptions: [subscription('a', { state: 'past_due' })],
      expected: ['a', 'pro', 'past_due'],
    },
    {
      title: 'gives no tier once it is finally unpaid',
      known: { subscriptionId: 'a', paidTier: 'pro' },
      subscriptions: [subscription('a', { state: 'unpaid' })],
      expected: ['a', 'free', 'ended'],
    },
    {
      title: 'gives no tier once it has ended',
      known: { subscriptionId: 'a', paidTier: 'pro' },
      subscriptions: [subscription('a', { state: 'ended', endsAt: END })],
      expected: ['a', 'free', 'ended'],
    },
    {
      title: 'is not one that was started and never paid',
      subscriptions: [subscription('a', { state: 'incomplete' })],
      expected: [null, 'free', 'none'],
    },
    {
      title: 'stays if another one is added, which ends',
      known: { subscriptionId: 'a', paidTier: 'starter' },
      subscriptions: [subscription('b'), subscription('a', { priceId: 'price_starter' })],
      expected: ['a', 'starter', 'active'],
      others: { b: 'duplicate' },
      toEnd: ['b'],
    },
    {
      title: 'is the older one of two unknown ones',
      subscriptions: [subscription('b'), subscription('a', { priceId: 'price_starter' })],
      expected: ['a', 'starter', 'active'],
      others: { b: 'duplicate' },
      toEnd: ['b'],
    },
    {
      title: 'is a new one after the end of another, which is no duplicate',
      known: { subscriptionId: 'a', paidTier: 'free' },
      subscriptions: [subscription('b'), subscription('a', { state: 'ended' })],
      expected: ['b', 'pro', 'active'],
      others: { a: 'former' },
    },
    {
      title: 'is a new one after an unpaid one, which ends and is not refunded',
      known: { subscriptionId: 'a', paidTier: 'free' },
      subscriptions: [subscription('b'), subscription('a', { state: 'unpaid' })],
      expected: ['b', 'pro', 'active'],
      others: { a: 'former' },
      toEnd: ['a'],
    },
    {
      title: 'stays if a former one is paid later, which ends again',
      known: { subscriptionId: 'b', paidTier: 'pro', otherSubscriptions: { a: 'former' } },
      subscriptions: [subscription('b'), subscription('a')],
      expected: ['b', 'pro', 'active'],
      others: { a: 'former' },
      toEnd: ['a'],
    },
    {
      title: 'excludes a duplicate whose end has failed so far',
      known: { subscriptionId: 'a', paidTier: 'free', otherSubscriptions: { b: 'duplicate' } },
      subscriptions: [subscription('b'), subscription('a', { state: 'ended' })],
      expected: ['a', 'free', 'ended'],
      others: { b: 'duplicate' },
    },
    {
      title: 'keeps the tier of a price that the table of plans no longer has',
      known: { subscriptionId: 'a', priceId: 'price_old', paidTier: 'starter' },
      subscriptions: [subscription('a', { priceId: 'price_old', tier: 'pro' })],
      expected: ['a', 'starter', 'active'],
    },
    {
      title: 'has the tier of its checkout if its price is unknown',
      subscriptions: [subscription('a', { priceId: 'price_old', tier: 'business' })],
      expected: ['a', 'business', 'active'],
    },
    {
      title: 'has no tier of another subscription if its price is unknown',
      known: { subscriptionId: 'a', priceId: 'price_pro', paidTier: 'pro' },
      subscriptions: [subscription('b', { priceId: 'price_other' }), subscription('a', { state: 'ended' })],
      expected: ['b', 'free', 'active'],
      others: { a: 'former' },
    },
  ];
  for (const { title, known, subscriptions, expected, others = {}, toEnd = [] } of cases)
    it(title, () => {
      const verdict = judgeSubscriptions({ ...NOTHING, ...known }, subscriptions, plans);
      const { subscriptionId, paidTier, status, otherSubscriptions } = verdict.fields;
      assert.deepEqual([subscriptionId, paidTier, status], expected);
      assert.deepEqual(otherSubscriptions, others);
      assert.deepEqual(verdict.toEnd, toEnd);
    });
});

describe('the status of a checkout', () => {
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
    ['open at the provider', {}, { session: session({}) }, { state: 'open' }],
    ['expired there', {}, { session: session({ state: 'expired' }) }, { state: 'expired' }],
    [
      'a tier, paid',
      {},
      { session: session({ state: 'complete', payment: 'paid' }) },
      { state: 'completed' },
    ],
    [
      'a tier whose payment is delayed',
      {},
      { session: session({ state: 'complete', payment: 'pending' }) },
      { state: 'paying' },
    ],
    [
      'a top-up, paid',
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
    ['never created in time', { state: 'preparing', expiresAt: NOW }, {}, { state: 'expired' }],
    ['still being created', { state: 'preparing' }, {}, { state: 'preparing' }],
    ['another tier, confirmed', { kind: 'change' }, { subscription: paying }, { state: 'completed' }],
    [
      'another tier, not confirmed',
      { kind: 'change' },
      { subscription: { ...paying, tier: 'starter' } },
      { state: 'open' },
    ],
    [
      'another tier, abandoned',
      { kind: 'change', expiresAt: NOW },
      { subscription: { ...paying, tier: 'starter', endsAt: END } },
      { state: 'expired' },
    ],
    [
      'another tier, confirmed for a subscription that ends',
      { kind: 'change' },
      { subscription: { ...paying, endsAt: END } },
      { state: 'open', mustResume: true },
    ],
    [
      'another tier, confirmed for a subscription that has ended',
      { kind: 'change', expiresAt: NOW },
      { subscription: { ...paying, endsAt: END } },
      { state: 'expired' },
    ],
    ['reactivated', { kind: 'resume' }, { subscription: paying }, { state: 'completed' }],
    [
      'not reactivated yet',
      { kind: 'resume' },
      { subscription: { ...paying, endsAt: END } },
      { state: 'open' },
    ],
  ];
  for (const [title, row, facts, expected] of cases)
    it(`${title}: ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(
        judgeCheckout(
          { ...base, ...row },
          { session: null, hasFailed: false, subscription: null, now: NOW, ...facts },
        ),
        expected,
      );
    });
});

describe('messages of refunded top-ups', () => {
  for (const [messages, refundedCents, expected] of [
    [3000, 0, 0],
    [3000, 4500, 3000],
    [3000, 1500, 1000],
    [1000, 1, 0],
    [1000, 500, 111],
  ] as const)
    it(`are ${expected} of ${messages} for ${refundedCents} of 4500 cents`, () =>
      assert.equal(countRefundedMessages(messages, { amountCents: 4500, refundedCents }), expected));

  for (const [title, change, expected] of [
    ['are all deducted if they are left', { due: 1000, askedBefore: 0, taken: 0, left: 1500 }, -1000],
    ['are deducted as far as they are left', { due: 1000, askedBefore: 0, taken: 0, left: 400 }, -400],
    ['are taken once', { due: 1000, askedBefore: 1000, taken: 400, left: 700 }, 0],
    ['are deducted in parts', { due: 1000, askedBefore: 400, taken: 400, left: 2000 }, -600],
    ['are restored if a refund fails', { due: 0, askedBefore: 1000, taken: 1000, left: 0 }, 1000],
    ['are restored as far as they were deducted', { due: 0, askedBefore: 1000, taken: 400, left: 0 }, 400],
  ] as const)
    it(title, () => assert.equal(calculateCreditChange(change) + 0, expected));
});
