import type { Checkout, Subscription } from '../client/types.ts';
import type { StoredCheckout } from './checkout-outcome.ts';

const NAME = 'parley.checkout';

/** Stores the checkout for this tab until the user returns from the payment provider. */
export function storeCheckout({ id, tier, quantity }: Checkout, before: Subscription): void {
  const stored: StoredCheckout = { id, tier, quantity, creditsBefore: before.topup_credits_left };
  sessionStorage.setItem(NAME, JSON.stringify(stored));
}

/** Returns the stored checkout; null if it was started in another tab. */
export function readStoredCheckout(id: string): StoredCheckout | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as StoredCheckout | null;
    return stored?.id === id ? stored : null;
  } catch {
    return null;
  }
}
