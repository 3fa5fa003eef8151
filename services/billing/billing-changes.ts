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
import { decideCheckout, type CheckoutDecision } from './checkouts/checkout-decision.ts';
import { computeSubscriptionChanges } from './subscriptions/subscription-changes.ts';
import type { ProviderFacts } from './provider-facts.ts';

/**
 * Changes of a payer's billing data to store in one transaction, and actions that the payment provider must
 * then perform.
 */
export interface BillingChanges {
  fields: SyncedFields;
  checkouts: (CheckoutDecision & { row: Checkout; paymentId: string | null })[];
  /** Ids of the payer's subscriptions that the payment provider must end. */
  toEnd: string[];
  /** Ids of payments that the payment provider must refund. */
  toRefund: string[];
  /** The canceled subscription that must be resumed, and the checkout that needs it. */
  toResume: { subscriptionId: string; checkoutId: string } | null;
}

/**
 * Decides what to store about a payer and which actions the payment provider must perform. Uses only the
 * provider's current data, so that the order of events does not matter.
 */
export function computeBillingChanges(
  account: BillingAccount,
  facts: ProviderFacts,
  { plans, now }: { plans: Pick<Plans, 'findTierByPrice'>; now: Date },
): BillingChanges {
  const counted = selectPlanSubscriptions(account, facts.subscriptions, { invoices: facts.invoices, plans });
  const { fields, toEnd } = computeSubscriptionChanges(account, counted, plans);
  const subscription = findSubscription(counted, fields);
  const checkouts = facts.checkouts.map(({ row, session }) => ({
    ...decideCheckout(row, { session, hasFailed: hasFailed(session, facts.charges), subscription, now }),
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
  const current = subscriptions.find(({ id }) => id === subscriptionId);
  return current ? { ...current, tier } : null;
}

/**
 * Returns true if the newest payment attempt of a checkout failed. Older attempts do not count: after a
 * declined card, the payer may have used a bank debit.
 * @param charges newest first
 */
function hasFailed(session: ProviderCheckout | null, charges: readonly ProviderCharge[]): boolean {
  return charges.find(({ paymentId }) => paymentId === session?.paymentId)?.state === 'failed';
}

/** Returns the ids of payments that must be refunded, since they were made for duplicate subscriptions. */
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
