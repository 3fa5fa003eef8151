import type {
  PaymentProvider,
  ProviderCharge,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../adapters/billing/payment-provider.ts';
import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import type { CustomerAccount } from './customers.ts';

/** A snapshot of the payment provider's data about a payer. */
export interface ProviderFacts {
  subscriptions: ProviderSubscription[];
  /** Checkouts of the payer that may still change, each with its page at the payment provider. */
  checkouts: { row: Checkout; session: ProviderCheckout | null }[];
  invoices: ProviderInvoice[];
  charges: ProviderCharge[];
}

/** Reads the payment provider's data about a payer. @throws ProviderUnavailable, ProviderRefused */
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
  // Reads subscriptions, invoices and charges after the payment pages: once a page is complete, its
  // subscription, invoice and charge exist.
  const [subscriptions, invoices, charges] = await Promise.all([
    listSubscriptions(provider, account),
    provider.listInvoices(customerId),
    provider.listCharges(customerId),
  ]);
  return { subscriptions, checkouts, invoices, charges };
}

/**
 * Returns the payer's newest subscriptions at the payment provider. Adds the stored subscription if it is not
 * among these.
 */
async function listSubscriptions(
  provider: PaymentProvider,
  { customerId, subscriptionId }: CustomerAccount,
): Promise<ProviderSubscription[]> {
  const listed = await provider.listSubscriptions(customerId);
  if (subscriptionId === null || listed.some(({ id }) => id === subscriptionId)) return listed;
  return [...listed, await provider.getSubscription(subscriptionId)];
}
