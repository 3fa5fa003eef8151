import type { ProviderCheckout, ProviderSubscription } from '../../adapters/billing/payment-provider.ts';
import type { PaidTier } from '../../core/billing/plans.ts';
import type { Checkout, CheckoutState } from '../../entities/billing/checkout.entity.ts';
import { isPaying } from './judge-subscriptions.ts';

export interface CheckoutVerdict {
  state: CheckoutState;
  /** Whether a cancelled subscription has to go on first. */
  mustResume?: true;
}

/** What is known of a checkout at the provider; the session is null where the provider was not asked. */
export interface CheckoutFacts {
  session: ProviderCheckout | null;
  /** Whether what was tried last to pay it with has failed. */
  hasFailed: boolean;
  /** The payer's, with its tier. */
  subscription: (Pick<ProviderSubscription, 'state' | 'endsAt'> & { tier: PaidTier | 'free' }) | null;
  now: Date;
}

/** What becomes of a checkout. */
export function judgeCheckout(
  row: Pick<Checkout, 'kind' | 'product' | 'state' | 'expiresAt'>,
  { session, hasFailed, subscription, now }: CheckoutFacts,
): CheckoutVerdict {
  const isOver = row.expiresAt <= now;
  if (session) return { state: stateOfSession(row, session, hasFailed) };
  if (row.kind === 'session') return { state: isOver ? 'expired' : row.state };
  if (subscription && isPaying(subscription) && subscription.tier === row.product) {
    if (subscription.endsAt === null) return { state: 'completed' };
    // Whoever has confirmed another tier wants to keep it.
    if (row.kind === 'change') return { state: row.state, mustResume: true };
  }
  return { state: isOver ? 'expired' : row.state };
}

/** A top-up counts once it is paid; what a subscription is worth, it says itself. */
function stateOfSession(
  { product }: Pick<Checkout, 'product'>,
  session: ProviderCheckout,
  hasFailed: boolean,
): CheckoutState {
  if (session.state !== 'complete') return session.state;
  if (product !== 'topup' || session.payment !== 'pending') return 'completed';
  return hasFailed ? 'failed' : 'paying';
}
