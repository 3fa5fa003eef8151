import type { Checkout, Subscription } from '../client/types.ts';
import type { BegunCheckout } from './checkout-outcome.ts';

const NAME = 'parley.checkout';

/** Keeps for this tab what is being paid, until somebody comes back. */
export function keepBegun({ id, tier, quantity }: Checkout, before: Subscription): void {
  const begun: BegunCheckout = { id, tier, quantity, creditsBefore: before.topup_credits_left };
  sessionStorage.setItem(NAME, JSON.stringify(begun));
}

/** Null where it was begun elsewhere. */
export function begunWith(id: string): BegunCheckout | null {
  try {
    const begun = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as BegunCheckout | null;
    return begun?.id === id ? begun : null;
  } catch {
    return null;
  }
}
