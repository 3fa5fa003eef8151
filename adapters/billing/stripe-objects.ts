import type Stripe from 'stripe';
import { EMPTY_PROFILE, type BillingProfile, type TaxIdStatus } from '../../core/billing/billing-profile.ts';
import { readId, readTextValue } from '../http/response-values.ts';
import {
  ProviderRefused,
  type ProviderCharge,
  type ProviderCheckout,
  type ProviderInvoice,
  type ProviderSubscription,
} from './payment-provider.ts';

const MAX_DESCRIPTION_LENGTH = 500;

const toStripeDate = (seconds: number) => new Date(seconds * 1000);
const getReferenceId = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const states: Readonly<Record<string, ProviderSubscription['state']>> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid',
  incomplete: 'incomplete',
};

/**
 * Converts a Stripe subscription to Parley's type. Items may have different billing periods: the result has
 * the period of the plan's item.
 */
export function toProviderSubscription(
  subscription: Stripe.Subscription,
  tierPriceIds: readonly string[],
): ProviderSubscription {
  const item = findPlanItem(subscription.items.data, tierPriceIds);
  if (!item) throw new ProviderRefused(`Subscription ${subscription.id} has no items.`);
  const periodEnd = toStripeDate(item.current_period_end);
  const { ended_at: endedAt, cancel_at: cancelAt, cancel_at_period_end: isEnding } = subscription;
  const end = endedAt ?? cancelAt;
  return {
    id: subscription.id,
    state: states[subscription.status] ?? 'ended',
    priceId: item.price.id,
    itemId: item.id,
    periodStart: toStripeDate(item.current_period_start),
    periodEnd,
    endsAt: end === null ? (isEnding ? periodEnd : null) : toStripeDate(end),
    tier: subscription.metadata['tier'] ?? null,
    orgId: subscription.metadata['org_id'] ?? null,
  };
}

/**
 * Returns the subscription item with a plan's price. If no item has the price of a configured plan, returns
 * the oldest item, since customers buy the plan first.
 */
function findPlanItem(
  items: readonly Stripe.SubscriptionItem[],
  tierPriceIds: readonly string[],
): Stripe.SubscriptionItem | undefined {
  const [oldest] = items.toSorted((a, b) => a.created - b.created);
  return items.find(({ price }) => tierPriceIds.includes(price.id)) ?? oldest;
}

const checkoutStates: Readonly<Record<string, ProviderCheckout['state']>> = {
  complete: 'complete',
  expired: 'expired',
};

export function toProviderCheckout(session: Stripe.Checkout.Session): ProviderCheckout {
  return {
    id: session.id,
    state: checkoutStates[session.status ?? ''] ?? 'open',
    url: session.url ?? null,
    expiresAt: toStripeDate(session.expires_at),
    payment: toPaymentState(session),
    paymentId: getReferenceId(session.payment_intent),
  };
}

function toPaymentState({ status, payment_status: state }: Stripe.Checkout.Session) {
  if (state === 'paid') return 'paid';
  return state === 'unpaid' && status === 'complete' ? 'pending' : 'none';
}

/**
 * Converts a Stripe invoice to Parley's type.
 * @param invoice Stripe invoice, requested with its payments expanded
 */
export function toProviderInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  const payments = invoice.payments?.data ?? [];
  return {
    id: invoice.id,
    number: readId(invoice.number) ?? invoice.id,
    issuedAt: toStripeDate(invoice.status_transitions.finalized_at ?? invoice.created),
    totalCents: invoice.total,
    taxCents: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    currency: invoice.currency,
    description: describeInvoice(invoice),
    addressee: toAddressee(invoice),
    subscriptionId: getReferenceId(invoice.parent?.subscription_details?.subscription),
    paymentIds: payments.flatMap(({ payment }) => getReferenceId(payment.payment_intent) ?? []),
  };
}

function describeInvoice({ description, lines }: Stripe.Invoice): string {
  const text = description ?? lines.data.flatMap((line) => line.description ?? []).join('; ');
  return readTextValue(text, MAX_DESCRIPTION_LENGTH);
}

/**
 * Reads the customer's name and address from the invoice, since the customer's own record may have changed
 * later.
 */
function toAddressee(invoice: Stripe.Invoice): BillingProfile {
  const address = invoice.customer_address;
  const [taxId] = invoice.customer_tax_ids ?? [];
  return {
    ...EMPTY_PROFILE,
    legal_name: readTextValue(invoice.customer_name),
    billing_email: readTextValue(invoice.customer_email),
    address_line1: readTextValue(address?.line1),
    address_line2: readTextValue(address?.line2),
    city: readTextValue(address?.city),
    country_code: readTextValue(address?.country),
    postal_code: readTextValue(address?.postal_code),
    state_code: readTextValue(address?.state),
    tax_id: readTextValue(taxId?.value),
    tax_id_type: readTextValue(taxId?.type),
  };
}

const chargeStates: Readonly<Record<string, ProviderCharge['state']>> = {
  succeeded: 'paid',
  failed: 'failed',
};

export function toProviderCharge(charge: Stripe.Charge): ProviderCharge | null {
  const paymentId = getReferenceId(charge.payment_intent);
  if (paymentId === null) return null;
  const { amount: amountCents, amount_refunded: refundedCents } = charge;
  return { paymentId, state: chargeStates[charge.status] ?? 'pending', amountCents, refundedCents };
}

const taxIdStates: Readonly<Record<string, TaxIdStatus>> = {
  pending: 'pending',
  // Stripe cannot reach the tax register of the country at the moment, so the result is still pending.
  unavailable: 'pending',
  verified: 'verified',
  unverified: 'rejected',
};

/**
 * Converts the verification status of a customer's tax id. Returns `none` without a tax id, or if Stripe does
 * not verify its kind.
 */
export function toTaxIdStatus(taxId: Stripe.TaxId | undefined): TaxIdStatus {
  return taxIdStates[taxId?.verification?.status ?? ''] ?? 'none';
}
