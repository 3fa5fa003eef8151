import type { ProviderCheckout, ProviderSubscription } from '../../../adapters/billing/payment-provider.ts';
import type { PaidTier } from '../../../core/billing/plans.ts';
import type { Checkout, CheckoutState } from '../../../entities/billing/checkout.entity.ts';
import { isPaying } from '../subscriptions/judge-subscriptions.ts';

/** No payment method takes longer. */
const MAX_PAYMENT_MS = 30 * 24 * 60 * 60_000;

export interface CheckoutVerdict {
  state: CheckoutState;
  /** Set if a cancelled subscription must be resumed first. */
  mustResume?: true;
}

/** Data of a checkout at the provider. The session is null if the checkout has none. */
export interface CheckoutFacts {
  session: ProviderCheckout | null;
  /** True if the last payment attempt of the session failed. */
  hasFailed: boolean;
  /** The payer's current subscription with its tier. */
  subscription: (Pick<ProviderSubscription, 'state' | 'endsAt'> & { tier: PaidTier | 'free' }) | null;
  now: Date;
}

/** Returns the new state of a checkout. */
export function judgeCheckout(
  row: Pick<Checkout, 'kind' | 'product' | 'state' | 'expiresAt'>,
  { session, hasFailed, subscription, now }: CheckoutFacts,
): CheckoutVerdict {
  const isOver = row.expiresAt <= now;
  if (session) return { state: judgeSession(row, session, { hasFailed, now }) };
  if (row.kind === 'session') return { state: isOver ? 'expired' : row.state };
  if (subscription && isPaying(subscription) && subscription.tier === row.product) {
    if (subscription.endsAt === null) return { state: 'completed' };
    // The payer keeps the subscription by confirming another tier.
    if (row.kind === 'change' && !isOver) return { state: row.state, mustResume: true };
  }
  return { state: isOver ? 'expired' : row.state };
}

/** A session counts as completed once it is paid. */
function judgeSession(
  { expiresAt }: Pick<Checkout, 'expiresAt'>,
  session: ProviderCheckout,
  { hasFailed, now }: Pick<CheckoutFacts, 'hasFailed' | 'now'>,
): CheckoutState {
  if (session.state !== 'complete') return session.state;
  if (session.payment !== 'pending') return 'completed';
  const isOverdue = now.getTime() - expiresAt.getTime() > MAX_PAYMENT_MS;
  return hasFailed || isOverdue ? 'failed' : 'paying';
}
