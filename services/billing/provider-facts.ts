import type {
  PaymentProvider,
  ProviderCharge,
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
} from '../../adapters/billing/payment-provider.ts';
import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import type { CustomerAccount } from './customers.ts';

/** The provider's data of a payer at one moment. */
export interface ProviderFacts {
  subscriptions: ProviderSubscription[];
  /** Checkouts that are not final yet. */
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
  // Read these after the sessions: a complete session guarantees that its subscription, invoices and charges exist.
  const [subscriptions, invoices, charges] = await Promise.all([
    listSubscriptions(provider, account),
    provider.listInvoices(customerId),
    provider.listCharges(customerId),
  ]);
  return { subscriptions, checkouts, invoices, charges };
}

/** Returns the newest subscriptions, and always the known one. */
async function listSubscriptions(
  provider: PaymentProvider,
  { customerId, subscriptionId }: CustomerAccount,
): Promise<ProviderSubscription[]> {
  const listed = await provider.listSubscriptions(customerId);
  if (subscriptionId === null || listed.some(({ id }) => id === subscriptionId)) return listed;
  return [...listed, await provider.getSubscription(subscriptionId)];
}
