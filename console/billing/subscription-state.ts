import type { Subscription } from '../client/types.ts';

/** Whether something is paid, or tried to be, period after period. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'trialing' || status === 'active' || status === 'past_due';
}

/** Whether it is cancelled and has not ended yet. */
export function isEnding(subscription: Pick<Subscription, 'status' | 'ends_at'>): boolean {
  return isLive(subscription) && subscription.ends_at !== null;
}

/**
 * Whether the operator has certainly given the tier: it cannot be bought, or nothing is paid. One that could be paid as well
 * does not show it.
 */
export function isGiven(subscription: Pick<Subscription, 'tier' | 'status' | 'is_billed_here'>): boolean {
  const { tier, is_billed_here: isHere } = subscription;
  return isHere && (tier === 'enterprise' || (tier !== 'free' && !isLive(subscription)));
}

/** Whether something is paid that the plan does not depend on; another purchase would not change it. */
export function isPaidBesides(
  subscription: Pick<Subscription, 'tier' | 'status' | 'is_billed_here'>,
): boolean {
  return isGiven(subscription) && isLive(subscription);
}

export function isLimited(limits: Subscription['limits']): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}
