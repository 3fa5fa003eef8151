import type { Checkout, Plan, Subscription } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { storeCheckout } from '../stored-checkout.ts';

export type Purchase = (tier: Plan['tier'], quantity?: number) => Promise<void>;

/**
 * Returns a function that starts a checkout and opens its payment page. If the checkout costs nothing, opens
 * the console's billing page instead.
 */
export function useCheckout(subscription: Subscription): Purchase {
  const { client } = useSession();
  return async (tier, quantity = 1) => {
    const checkout = await client.post<Checkout>('/api/billing/checkout', { tier, quantity });
    storeCheckout(checkout, subscription);
    window.location.assign(checkout.url);
  };
}
