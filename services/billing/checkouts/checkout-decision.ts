import type { ProviderCheckout, ProviderSubscription } from '../../../adapters/billing/payment-provider.ts';
import type { PaidTier } from '../../../core/billing/plans.ts';
import type { Checkout, CheckoutState } from '../../../entities/billing/checkout.entity.ts';
import { isPaying } from '../subscriptions/subscription-changes.ts';

/** Time in milliseconds after which a pending payment counts as failed. No payment method takes this long. */
const MAX_PAYMENT_MS = 30 * 24 * 60 * 60_000;

export interface CheckoutDecision {
  state: CheckoutState;
  /** True if the payer's canceled subscription must be resumed before the checkout is complete. */
  mustResume?: true;
}

/**
 * The payment provider's data about a checkout. `session` is its payment page; null for plan changes and
 * before the page exists.
 */
export interface CheckoutFacts {
  session: ProviderCheckout | null;
  /** True if the last payment attempt for the checkout failed. */
  hasFailed: boolean;
  /** The payer's current subscription and its tier; null if the payer has none. */
  subscription: (Pick<ProviderSubscription, 'state' | 'endsAt'> & { tier: PaidTier | 'free' }) | null;
  now: Date;
}

/** Decides the new state of a checkout from the payment provider's data. */
export function decideCheckout(
  row: Pick<Checkout, 'kind' | 'product' | 'state' | 'expiresAt'>,
  { session, hasFailed, subscription, now }: CheckoutFacts,
): CheckoutDecision {
  const isOver = row.expiresAt <= now;
  if (session) return { state: decideSessionState(row, session, { hasFailed, now }) };
  if (row.kind === 'session') return { state: isOver ? 'expired' : row.state };
  if (subscription && isPaying(subscription) && subscription.tier === row.product) {
    if (subscription.endsAt === null) return { state: 'completed' };
    // The subscription was canceled, and the payer has confirmed another tier. Resume the subscription.
    if (row.kind === 'change' && !isOver) return { state: row.state, mustResume: true };
  }
  return { state: isOver ? 'expired' : row.state };
}

/**
 * Decides the state of a checkout that has a page at the payment provider. The checkout counts as completed
 * once it is paid.
 */
function decideSessionState(
  { expiresAt }: Pick<Checkout, 'expiresAt'>,
  session: ProviderCheckout,
  { hasFailed, now }: Pick<CheckoutFacts, 'hasFailed' | 'now'>,
): CheckoutState {
  if (session.state !== 'complete') return session.state;
  if (session.payment !== 'pending') return 'completed';
  const isOverdue = now.getTime() - expiresAt.getTime() > MAX_PAYMENT_MS;
  return hasFailed || isOverdue ? 'failed' : 'paying';
}
