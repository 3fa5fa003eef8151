import assert from 'node:assert/strict';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { buildChild } from '../team/support.ts';
import { buildPayer } from './support.ts';

const NO_LIMITS = {
  messages_per_month: null,
  documents: null,
  bots: null,
  seats: null,
  alerts_per_month: null,
};
const NOTHING = {
  status: 'none',
  period_start: null,
  period_end: null,
  renews_at: null,
  ends_at: null,
  topup_credits_left: 0,
  checkout: null,
  synced_at: null,
};
const PRICED = {
  PARLEY_STRIPE_SECRET_KEY: 'sk_test_1',
  PARLEY_STRIPE_WEBHOOK_SECRET: 'whsec_1',
  PARLEY_PLANS: JSON.stringify({
    starter: { price_id: 'price_starter' },
    pro: { price_id: 'price_pro', bots: null, amount_cents: 8900, currency: 'eur' },
    topup: { price_id: 'price_topup' },
  }),
};

describe('plans and subscriptions', () => {
  describe('without a payment provider:', () => {
    let parley: TestParley;
    before(async () => {
      parley = await startParley();
    });
    after(() => parley.stop());

    it('listPlans returns no plans, and getSubscription returns no limits', async () => {
      const { client } = await buildPayer(parley, 'pro');
      assert.deepEqual((await client.get('/api/billing/plans')).body, []);
      const { status, body } = await client.get('/api/billing/subscription');
      assert.equal(status, 200);
      assert.deepEqual(body, { ...NOTHING, tier: 'pro', is_billed_here: true, limits: NO_LIMITS });
    });
  });

  describe('with a payment provider:', () => {
    let parley: TestParley;
    before(async () => {
      parley = await startParley(PRICED);
    });
    after(() => parley.stop());

    it('listPlans returns plans with a price, their limits, and the workspace’s plan', async () => {
      const { client } = await buildPayer(parley, 'starter');
      const { body } = await client.get('/api/billing/plans');
      assert.deepEqual(body, [
        {
          tier: 'starter',
          name: 'Starter',
          interval: 'month',
          amount_cents: 2900,
          currency: 'usd',
          limits: { messages_per_month: 2000, documents: 250, bots: 3, seats: 5, alerts_per_month: 500 },
          credits: null,
          is_current: true,
        },
        {
          tier: 'pro',
          name: 'Pro',
          interval: 'month',
          amount_cents: 8900,
          currency: 'eur',
          limits: {
            messages_per_month: 10_000,
            documents: 2000,
            bots: null,
            seats: 15,
            alerts_per_month: 3000,
          },
          credits: null,
          is_current: false,
        },
        {
          tier: 'topup',
          name: 'Top-up',
          interval: null,
          amount_cents: 1500,
          currency: 'usd',
          limits: null,
          credits: 1000,
          is_current: false,
        },
      ]);
    });

    it('listPlans accepts viewers, getSubscription admins', async () => {
      const { orgId } = await buildPayer(parley);
      const viewer = await parley.buildOrg({ role: 'viewer', orgId });
      assert.equal((await viewer.client.get('/api/billing/plans')).status, 200);
      assert.equal(formatOutcome(await viewer.client.get('/api/billing/subscription')), '403 forbidden');
    });

    it('getSubscription shows a workspace below the payer its tier and limits, and nothing else of the payer', async () => {
      const { session, client, orgId } = await buildPayer(parley, 'pro');
      await parley.database.repository(BillingAccount).insert({
        orgId,
        paidTier: 'pro',
        status: 'past_due',
        periodStart: new Date('2026-11-01T00:00:00Z'),
        periodEnd: new Date('2026-12-01T00:00:00Z'),
        creditsLeft: 700,
      });
      const limits = {
        messages_per_month: 10_000,
        documents: 2000,
        bots: null,
        seats: 15,
        alerts_per_month: 3000,
      };
      assert.deepEqual((await client.get('/api/billing/subscription')).body, {
        ...NOTHING,
        tier: 'pro',
        is_billed_here: true,
        status: 'past_due',
        period_start: '2026-11-01T00:00:00.000Z',
        period_end: '2026-12-01T00:00:00.000Z',
        renews_at: '2026-12-01T00:00:00.000Z',
        topup_credits_left: 700,
        limits,
      });
      const child = await buildChild(session, orgId);
      const below = await parley.buildOrg({ orgId: child.id });
      assert.deepEqual((await below.client.get('/api/billing/subscription')).body, {
        ...NOTHING,
        tier: 'pro',
        is_billed_here: false,
        limits,
      });
    });
  });
});
