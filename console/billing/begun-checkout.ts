import type { Checkout, Subscription } from '../client/types.ts';
import type { BegunCheckout } from './checkout-outcome.ts';

const NAME = 'parley.checkout';

/** Stores the checkout for this tab until the user returns from the payment provider. */
export function keepBegun({ id, tier, quantity }: Checkout, before: Subscription): void {
  const begun: BegunCheckout = { id, tier, quantity, creditsBefore: before.topup_credits_left };
  sessionStorage.setItem(NAME, JSON.stringify(begun));
}

/** Returns the stored checkout; null if it was started in another tab. */
export function begunWith(id: string): BegunCheckout | null {
  try {
    const begun = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as BegunCheckout | null;
    return begun?.id === id ? begun : null;
  } catch {
    return null;
  }
}
