import assert from 'node:assert/strict';
import { isSeen, type BegunCheckout } from '../../console/billing/checkout-seen.ts';
import { boughtText, limitTexts, moneyText, stateText } from '../../console/billing/billing-words.ts';
import { taxIdOptions } from '../../console/billing/profile/tax-id-names.ts';
import { receiptsCsv } from '../../console/billing/receipts/receipts-csv.ts';
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

describe('words about billing', () => {
  const states: [Partial<SubscriptionRead>, RegExp][] = [
    [{ status: 'none', tier: 'free' }, /^Nothing is paid for\.$/],
    [{ status: 'none', tier: 'enterprise' }, /the operator of this server has given/],
    [{ status: 'trialing', renews_at: 'May 1' }, /^The trial lasts until May 1,/],
    [{ renews_at: 'May 1' }, /^Paid for; the next payment is due on May 1\.$/],
    [{ ends_at: 'May 1' }, /^Cancelled: the plan stays until May 1,/],
    [{ status: 'past_due', renews_at: 'May 1' }, /^The last payment has failed\. .* the plan stays/],
    [{ status: 'past_due', ends_at: 'May 1' }, /^Cancelled: /],
    [{ status: 'ended', ends_at: 'May 1' }, /^The subscription has ended on May 1\.$/],
    [{ status: 'ended' }, /^The subscription has ended\.$/],
  ];
  for (const [state, expected] of states)
    it(`getSubscription: ${JSON.stringify(state)}`, () =>
      assert.match(
        stateText(subscription(state), (at) => at),
        expected,
      ));

  it('listPlans: amounts are in the smallest unit of their currency, which need not be a hundredth', () => {
    assert.deepEqual(
      [moneyText(9900, 'usd'), moneyText(9950, 'eur'), moneyText(9900, 'jpy'), moneyText(9900, 'kwd')],
      ['$99', '€99.50', '¥9,900', 'KWD\u00a09.900'],
    );
  });

  it('listPlans: limits are numbers, one of something, or none', () => {
    assert.deepEqual(limitTexts({ ...NO_LIMITS, messages_per_month: 50_000, bots: 1 }), [
      '50,000 messages a month',
      'Any number of documents',
      '1 bot',
      'Any number of seats',
      'Any number of alerts',
    ]);
  });

  it('createCheckout: what is bought has a name, and top-ups a number of messages', () => {
    const plan = { interval: null, amount_cents: 1500, currency: 'usd', limits: null, is_current: false };
    const plans = [{ ...plan, tier: 'topup' as const, name: 'Top-up', credits: 1000 }];
    assert.deepEqual([boughtText('topup', 5, plans), boughtText('pro', 1, plans)], ['5,000 messages', 'Pro']);
  });

  const pro: BegunCheckout = { id: 'a', tier: 'pro', quantity: 1, creditsBefore: 10 };
  const open = { tier: 'pro', expires_at: null } as const;
  const seen: [string, BegunCheckout | null, Partial<SubscriptionRead>, boolean][] = [
    ['another tier still', pro, { tier: 'free' }, false],
    ['the tier that was bought', pro, {}, true],
    ['the tier of which the cancellation is not taken back yet', pro, { ends_at: 'May 1' }, false],
    ['the tier with its checkout open', pro, { checkout: open }, false],
    ['no more credits', { ...pro, tier: 'topup' }, { topup_credits_left: 10 }, false],
    ['more credits', { ...pro, tier: 'topup' }, { topup_credits_left: 1010 }, true],
    ['a checkout that is open, begun elsewhere', null, { checkout: open }, false],
    ['no checkout, begun elsewhere', null, {}, true],
  ];
  for (const [what, begun, state, expected] of seen)
    it(`createCheckout: ${what} ${expected ? 'tells' : 'does not tell'} that it is paid`, () =>
      assert.equal(isSeen(begun, subscription(state)), expected));

  it('listReceipts: a file has a line for each, and nothing that a spreadsheet would calculate', () => {
    const hostile = { ...receipt().addressee, legal_name: '=1+1' };
    const [head, line, end] = receiptsCsv([receipt({ addressee: hostile })]).split('\r\n');
    assert.match(head!, /^Number,Issued at,/);
    assert.equal(line, "AAAAAAA1-0001,2026-11-12T09:00:00.000Z,1 × Pro,11781,1881,USD,paid,'=1+1,PT,");
    assert.equal(end, '');
  });

  it('saveBillingProfile: types of tax ids are those that the provider knows', () => {
    const offered = taxIdOptions('').map(([type]) => type);
    assert.deepEqual(
      offered.filter((type) => type !== '' && !taxIdTypes.has(type)),
      [],
    );
    assert.ok(!offered.includes('tt_bir') && taxIdOptions('tt_bir').some(([type]) => type === 'tt_bir'));
  });
});
