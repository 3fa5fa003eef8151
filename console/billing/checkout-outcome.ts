import type { Checkout, Subscription } from '../client/types.ts';
import { hasExtraSubscription } from './subscription-state.ts';

/** A checkout that the user left the console to pay. */
export interface StoredCheckout {
  id: string;
  tier: Checkout['tier'];
  quantity: number;
  creditsBefore: number;
}

/**
 * Whether Parley has received the payment. unknown: the state cannot show it, because the checkout was started in
 * another tab, or because the plan does not depend on the payment.
 */
export type CheckoutOutcome = 'confirmed' | 'awaited' | 'unknown';

/** @param stored stored checkout; null if it was started in another tab */
export function findCheckoutOutcome(stored: StoredCheckout | null, now: Subscription): CheckoutOutcome {
  if (stored === null) return 'unknown';
  if (stored.tier === 'topup') return toCheckoutOutcome(now.topup_credits_left > stored.creditsBefore);
  if (hasExtraSubscription(now)) return 'unknown';
  return toCheckoutOutcome(now.tier === stored.tier && now.checkout === null && now.ends_at === null);
}

function toCheckoutOutcome(isSeen: boolean): CheckoutOutcome {
  return isSeen ? 'confirmed' : 'awaited';
}
