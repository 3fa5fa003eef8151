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
import { countedSubscriptions } from './subscriptions/counted-subscriptions.ts';
import { judgeCheckout, type CheckoutVerdict } from './checkouts/judge-checkout.ts';
import { judgeSubscriptions } from './subscriptions/judge-subscriptions.ts';
import type { ProviderFacts } from './provider-facts.ts';

/** What is to be written down, and what the provider is to do afterwards. */
export interface BillingVerdict {
  fields: SyncedFields;
  checkouts: (CheckoutVerdict & { row: Checkout; paymentId: string | null })[];
  /** Ids of subscriptions that end. */
  toEnd: string[];
  /** Ids of payments that are given back. */
  toRefund: string[];
  /** The subscription that goes on, and the checkout by which somebody wants it to. */
  toResume: { subscriptionId: string; checkoutId: string } | null;
}

/** What follows from what the provider says, whatever it has told of before. */
export function judgeBilling(
  account: BillingAccount,
  facts: ProviderFacts,
  { plans, now }: { plans: Pick<Plans, 'tierOf'>; now: Date },
): BillingVerdict {
  const counted = countedSubscriptions(account, facts.subscriptions, { invoices: facts.invoices, plans });
  const { fields, toEnd } = judgeSubscriptions(account, counted, plans);
  const subscription = presentOf(counted, fields);
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
    toRefund: refundsOf(facts, fields),
    toResume: resuming && subscriptionId !== null ? { subscriptionId, checkoutId: resuming.row.id } : null,
  };
}

function presentOf(
  subscriptions: readonly ProviderSubscription[],
  { subscriptionId, paidTier: tier }: Pick<SyncedFields, 'subscriptionId' | 'paidTier'>,
) {
  const present = subscriptions.find(({ id }) => id === subscriptionId);
  return present ? { ...present, tier } : null;
}

/** The newest attempt counts: a card may be declined before a bank debit is under way. */
function hasFailed(session: ProviderCheckout | null, charges: readonly ProviderCharge[]): boolean {
  return charges.find(({ paymentId }) => paymentId === session?.paymentId)?.state === 'failed';
}

/** What was paid for subscriptions that came while there was one. */
function refundsOf(
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
