import type { Checkout, Subscription } from '../client/types.ts';
import { hasExtraSubscription } from './subscription-state.ts';

/** A purchase for which the user went to the payment provider's page, as stored in this tab. */
export interface StoredCheckout {
  id: string;
  tier: Checkout['tier'];
  quantity: number;
  creditsBefore: number;
}

/**
 * Whether Parley has received the payment of a checkout. `unknown` if the checkout was started in another
 * tab, or if an operator assigned the plan.
 */
export type CheckoutOutcome = 'confirmed' | 'pending' | 'unknown';

/**
 * Compares the subscription with the stored checkout to find out whether the user has paid the checkout.
 * @param stored stored checkout; null if the checkout was started in another tab
 */
export function findCheckoutOutcome(stored: StoredCheckout | null, now: Subscription): CheckoutOutcome {
  if (stored === null) return 'unknown';
  if (stored.tier === 'topup') return toCheckoutOutcome(now.topup_credits_left > stored.creditsBefore);
  if (hasExtraSubscription(now)) return 'unknown';
  return toCheckoutOutcome(now.tier === stored.tier && now.checkout === null && now.ends_at === null);
}

function toCheckoutOutcome(isSeen: boolean): CheckoutOutcome {
  return isSeen ? 'confirmed' : 'pending';
}
