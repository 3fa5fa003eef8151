import type {
  PaymentProvider,
  ProviderCharge,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../adapters/billing/payment-provider.ts';
import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import type { CustomerAccount } from './customers.ts';

/** What the provider says of a payer at one moment. */
export interface ProviderFacts {
  subscriptions: ProviderSubscription[];
  /** Those of which something is still to come. */
  checkouts: { row: Checkout; session: ProviderCheckout | null }[];
  invoices: ProviderInvoice[];
  charges: ProviderCharge[];
}

/** @throws ProviderUnavailable, ProviderRefused */
export async function readProviderFacts(
  provider: PaymentProvider,
  account: CustomerAccount,
  rows: readonly Checkout[],
): Promise<ProviderFacts> {
  const { customerId } = account;
  const checkouts = await Promise.all(
    rows.map(async (row) => ({
      row,
      session: row.sessionId === null ? null : await provider.getCheckout(row.sessionId),
    })),
  );
  // What a checkout has led to is there once it is complete.
  const [subscriptions, invoices, charges] = await Promise.all([
    subscriptionsOf(provider, account),
    provider.listInvoices(customerId),
    provider.listCharges(customerId),
  ]);
  return { subscriptions, checkouts, invoices, charges };
}

/** The one that is known is among them, however long the list is. */
async function subscriptionsOf(
  provider: PaymentProvider,
  { customerId, subscriptionId }: CustomerAccount,
): Promise<ProviderSubscription[]> {
  const listed = await provider.listSubscriptions(customerId);
  if (subscriptionId === null || listed.some(({ id }) => id === subscriptionId)) return listed;
  return [...listed, await provider.getSubscription(subscriptionId)];
}
