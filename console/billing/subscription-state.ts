import type { Subscription } from '../client/types.ts';

/** Whether the subscription is paid for, or payment is being tried, each period. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'trialing' || status === 'active' || status === 'past_due';
}

/** Whether the subscription is cancelled and has not ended yet. */
export function isEnding(subscription: Pick<Subscription, 'status' | 'ends_at'>): boolean {
  return isLive(subscription) && subscription.ends_at !== null;
}

/**
 * Whether the operator assigned the tier: it is not for sale, or nothing is paid. An assigned tier that is also for
 * sale cannot be recognized while a subscription is live.
 */
export function isAssignedByOperator(
  subscription: Pick<Subscription, 'tier' | 'status' | 'is_billed_here'>,
): boolean {
  const { tier, is_billed_here: isHere } = subscription;
  return isHere && (tier === 'enterprise' || (tier !== 'free' && !isLive(subscription)));
}

/** Whether a live subscription does not determine the plan, so that another purchase would not change it. */
export function hasExtraSubscription(
  subscription: Pick<Subscription, 'tier' | 'status' | 'is_billed_here'>,
): boolean {
  return isAssignedByOperator(subscription) && isLive(subscription);
}

export function isLimited(limits: Subscription['limits']): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}
