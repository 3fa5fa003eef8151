import type { ProviderInvoice, ProviderSubscription } from '../../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../../core/billing/plans.ts';
import type { BillingAccount } from '../../../entities/billing/billing-account.entity.ts';

export type SubscribedAccount = Pick<
  BillingAccount,
  'orgId' | 'subscriptionId' | 'paidTier' | 'otherSubscriptions'
>;

/**
 * Returns true if the subscription is for a plan of this installation. Parley ignores the customer's other
 * subscriptions.
 */
export function isPlanSubscription(
  { orgId, subscriptionId, otherSubscriptions }: Omit<SubscribedAccount, 'paidTier'>,
  { id, priceId, orgId: boughtFor }: ProviderSubscription,
  plans: Pick<Plans, 'findTierByPrice'>,
): boolean {
  return (
    id === subscriptionId ||
    id in otherSubscriptions ||
    boughtFor === orgId ||
    plans.findTierByPrice(priceId) !== null
  );
}

/**
 * Selects a payer's subscriptions for plans. A subscription whose first payment is pending is treated as
 * incomplete.
 */
export function selectPlanSubscriptions(
  account: SubscribedAccount,
  subscriptions: readonly ProviderSubscription[],
  { invoices, plans }: { invoices: readonly ProviderInvoice[]; plans: Pick<Plans, 'findTierByPrice'> },
): ProviderSubscription[] {
  const isPaid = ({ id, state }: ProviderSubscription) =>
    (state !== 'active' && state !== 'past_due') ||
    (id === account.subscriptionId && account.paidTier !== 'free') ||
    invoices.some(({ subscriptionId }) => subscriptionId === id);
  return subscriptions
    .filter((each) => isPlanSubscription(account, each, plans))
    .map((each) => (isPaid(each) ? each : { ...each, state: 'incomplete' }));
}
