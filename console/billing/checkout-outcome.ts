import type { Checkout, Subscription } from '../client/types.ts';
import { isPaidBesides } from './subscription-state.ts';

/** What somebody has left the console for, to pay it. */
export interface BegunCheckout {
  id: string;
  tier: Checkout['tier'];
  quantity: number;
  creditsBefore: number;
}

/**
 * Whether Parley has heard of the payment. unknown: that does not show, as it was begun elsewhere, or as the plan is another
 * one whatever is paid.
 */
export type CheckoutOutcome = 'confirmed' | 'awaited' | 'unknown';

/** @param begun null where it was begun elsewhere */
export function outcomeOf(begun: BegunCheckout | null, now: Subscription): CheckoutOutcome {
  if (begun === null) return 'unknown';
  if (begun.tier === 'topup') return confirmedIf(now.topup_credits_left > begun.creditsBefore);
  if (isPaidBesides(now)) return 'unknown';
  return confirmedIf(now.tier === begun.tier && now.checkout === null && now.ends_at === null);
}

function confirmedIf(isSeen: boolean): CheckoutOutcome {
  return isSeen ? 'confirmed' : 'awaited';
}
