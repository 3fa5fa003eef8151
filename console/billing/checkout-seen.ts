import type { Checkout, Subscription } from '../client/types.ts';

/** What somebody has left the console for, to pay it. */
export interface BegunCheckout {
  id: string;
  tier: Checkout['tier'];
  quantity: number;
  creditsBefore: number;
}

/** Whether Parley has heard of the payment. @param begun null where it was begun elsewhere */
export function isSeen(begun: BegunCheckout | null, now: Subscription): boolean {
  if (begun === null) return now.checkout === null;
  if (begun.tier === 'topup') return now.topup_credits_left > begun.creditsBefore;
  return now.tier === begun.tier && now.checkout === null && now.ends_at === null;
}
