import type { Checkout, Subscription } from '../client/types.ts';
import { isPaidBesides } from './subscription-state.ts';

/** A checkout that the user left the console to pay. */
export interface BegunCheckout {
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

/** @param begun stored checkout; null if it was started in another tab */
export function outcomeOf(begun: BegunCheckout | null, now: Subscription): CheckoutOutcome {
  if (begun === null) return 'unknown';
  if (begun.tier === 'topup') return confirmedIf(now.topup_credits_left > begun.creditsBefore);
  if (isPaidBesides(now)) return 'unknown';
  return confirmedIf(now.tier === begun.tier && now.checkout === null && now.ends_at === null);
}

function confirmedIf(isSeen: boolean): CheckoutOutcome {
  return isSeen ? 'confirmed' : 'awaited';
}
