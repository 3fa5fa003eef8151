import type { Checkout, Subscription } from '../client/types.ts';
import type { StoredCheckout } from './checkout-outcome.ts';

const NAME = 'parley.checkout';

/**
 * Stores a checkout in this tab before the payment provider's page opens, with the number of top-up messages
 * before the purchase.
 */
export function storeCheckout({ id, tier, quantity }: Checkout, before: Subscription): void {
  const stored: StoredCheckout = { id, tier, quantity, creditsBefore: before.topup_credits_left };
  sessionStorage.setItem(NAME, JSON.stringify(stored));
}

/** Returns the stored checkout with this id; null if another tab started it. */
export function readStoredCheckout(id: string): StoredCheckout | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as StoredCheckout | null;
    return stored?.id === id ? stored : null;
  } catch {
    return null;
  }
}
