import type { ProviderCheckout, ProviderSubscription } from '../../../adapters/billing/payment-provider.ts';
import type { PaidTier } from '../../../core/billing/plans.ts';
import type { Checkout, CheckoutState } from '../../../entities/billing/checkout.entity.ts';
import { isPaying } from '../subscriptions/judge-subscriptions.ts';

/** No method takes longer. */
const LONGEST_PAYMENT_MS = 30 * 24 * 60 * 60_000;

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
  if (session) return { state: stateOfSession(row, session, { hasFailed, now }) };
  if (row.kind === 'session') return { state: isOver ? 'expired' : row.state };
  if (subscription && isPaying(subscription) && subscription.tier === row.product) {
    if (subscription.endsAt === null) return { state: 'completed' };
    // Whoever has confirmed another tier wants to keep it.
    if (row.kind === 'change' && !isOver) return { state: row.state, mustResume: true };
  }
  return { state: isOver ? 'expired' : row.state };
}

/** It counts once it is paid. */
function stateOfSession(
  { expiresAt }: Pick<Checkout, 'expiresAt'>,
  session: ProviderCheckout,
  { hasFailed, now }: Pick<CheckoutFacts, 'hasFailed' | 'now'>,
): CheckoutState {
  if (session.state !== 'complete') return session.state;
  if (session.payment !== 'pending') return 'completed';
  const isGivenUp = now.getTime() - expiresAt.getTime() > LONGEST_PAYMENT_MS;
  return hasFailed || isGivenUp ? 'failed' : 'paying';
}
