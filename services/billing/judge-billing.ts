import type {
  ProviderCharge,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../core/billing/plans.ts';
import type { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import type { SyncedFields } from '../../repositories/billing/billing-account.repository.ts';
import { selectPlanSubscriptions } from './subscriptions/plan-subscriptions.ts';
import { judgeCheckout, type CheckoutVerdict } from './checkouts/judge-checkout.ts';
import { judgeSubscriptions } from './subscriptions/judge-subscriptions.ts';
import type { ProviderFacts } from './provider-facts.ts';

/** Changes to store, and actions for the provider afterwards. */
export interface BillingVerdict {
  fields: SyncedFields;
  checkouts: (CheckoutVerdict & { row: Checkout; paymentId: string | null })[];
  /** Ids of subscriptions to end. */
  toEnd: string[];
  /** Ids of payments to refund. */
  toRefund: string[];
  /** The subscription to resume, and the checkout that requires it. */
  toResume: { subscriptionId: string; checkoutId: string } | null;
}

/** Decides from the provider's data alone, independent of the order of events. */
export function judgeBilling(
  account: BillingAccount,
  facts: ProviderFacts,
  { plans, now }: { plans: Pick<Plans, 'findTierByPrice'>; now: Date },
): BillingVerdict {
  const counted = selectPlanSubscriptions(account, facts.subscriptions, { invoices: facts.invoices, plans });
  const { fields, toEnd } = judgeSubscriptions(account, counted, plans);
  const subscription = findSubscription(counted, fields);
  const checkouts = facts.checkouts.map(({ row, session }) => ({
    ...judgeCheckout(row, { session, hasFailed: hasFailed(session, facts.charges), subscription, now }),
    row,
    paymentId: session?.paymentId ?? null,
  }));
  const resuming = checkouts.find(({ mustResume }) => mustResume);
  const { subscriptionId } = fields;
  return {
    fields,
    checkouts,
    toEnd,
    toRefund: listRefunds(facts, fields),
    toResume: resuming && subscriptionId !== null ? { subscriptionId, checkoutId: resuming.row.id } : null,
  };
}

function findSubscription(
  subscriptions: readonly ProviderSubscription[],
  { subscriptionId, paidTier: tier }: Pick<SyncedFields, 'subscriptionId' | 'paidTier'>,
) {
  const present = subscriptions.find(({ id }) => id === subscriptionId);
  return present ? { ...present, tier } : null;
}

/** The newest attempt counts: a declined card may precede a bank debit. Charges come newest first. */
function hasFailed(session: ProviderCheckout | null, charges: readonly ProviderCharge[]): boolean {
  return charges.find(({ paymentId }) => paymentId === session?.paymentId)?.state === 'failed';
}

/** Returns ids of payments for duplicate subscriptions. */
function listRefunds(
  { invoices, charges }: Pick<ProviderFacts, 'invoices' | 'charges'>,
  { otherSubscriptions }: Pick<SyncedFields, 'otherSubscriptions'>,
): string[] {
  const isDuplicate = ({ subscriptionId }: ProviderInvoice) =>
    subscriptionId !== null && otherSubscriptions[subscriptionId] === 'duplicate';
  const payments = new Set(invoices.filter(isDuplicate).flatMap(({ paymentIds }) => paymentIds));
  return charges
    .filter(
      ({ paymentId, state, amountCents, refundedCents }) =>
        state === 'paid' && payments.has(paymentId) && refundedCents < amountCents,
    )
    .map(({ paymentId }) => paymentId);
}
