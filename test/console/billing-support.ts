import { EMPTY_PROFILE } from '../../core/billing/billing-profile.ts';
import type { PlanTier } from '../../core/billing/plans.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import type { ReceiptRead } from '../../api/billing/billing.schemas.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';

/** Settings of a Parley that sells plans, with an unreachable payment provider. */
export const SELLING = {
  PARLEY_STRIPE_SECRET_KEY: 'sk_test_nobody',
  PARLEY_STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
  PARLEY_PLANS: JSON.stringify({
    starter: { price_id: 'price_starter' },
    pro: { price_id: 'price_pro' },
    business: { price_id: 'price_business' },
    topup: { price_id: 'price_topup' },
  }),
};

export async function putTier(
  { database }: SharedParley,
  { orgId }: Pick<TestOrg, 'orgId'>,
  tier: PlanTier,
): Promise<void> {
  await database.repository(Org).update({ payerId: orgId }, { planTier: tier });
}

/** Writes a workspace's billing account to the database. */
export async function putAccount(
  parley: SharedParley,
  org: Pick<TestOrg, 'orgId'>,
  tier: PlanTier,
  row: Partial<BillingAccount> = {},
): Promise<void> {
  await putTier(parley, org, tier);
  await parley.database.repository(BillingAccount).upsert({ orgId: org.orgId, ...row }, ['orgId']);
}

/** Fields of a billing account that is paid until the end of a billing month. */
export const PAID = {
  status: 'active',
  paidTier: 'pro',
  subscriptionId: 'sub_1',
  periodStart: new Date('2026-11-12T09:00:00Z'),
  periodEnd: new Date('2026-12-12T09:00:00Z'),
  syncedAt: new Date('2026-11-27T10:00:00Z'),
  creditsLeft: 1500,
} as const;

export function receipt(changes: Partial<ReceiptRead> = {}): ReceiptRead {
  return {
    id: '01a1fdcb-8765-74d9-98f6-8e8f056b1e34',
    number: 'AAAAAAA1-0001',
    issued_at: '2026-11-12T09:00:00.000Z',
    amount_cents: 11_781,
    tax_cents: 1881,
    currency: 'usd',
    status: 'paid',
    description: '1 × Pro',
    addressee: { ...EMPTY_PROFILE, legal_name: 'Harbour Bikes, Lda.', country_code: 'PT' },
    is_file_ready: true,
    ...changes,
  };
}
