import type { Subscription } from '../client/types.ts';

/** Whether the subscription is active: in a trial, paid, or with a payment that is being retried. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'trialing' || status === 'active' || status === 'past_due';
}

/** Whether the user has canceled the subscription, but it is active until the end of its period. */
export function isEnding(subscription: Pick<Subscription, 'status' | 'ends_at'>): boolean {
  return isLive(subscription) && subscription.ends_at !== null;
}

/**
 * Whether the server's operator assigned the plan: the plan is not for sale, or the workspace has no active
 * subscription. The check misses an assigned plan that is for sale while a subscription is active.
 */
export function isAssignedByOperator(
  subscription: Pick<Subscription, 'tier' | 'status' | 'is_billed_here'>,
): boolean {
  const { tier, is_billed_here: isHere } = subscription;
  return isHere && (tier === 'enterprise' || (tier !== 'free' && !isLive(subscription)));
}

/**
 * Whether the workspace has an active subscription although the server's operator assigned its plan. Another
 * purchase would then not change the plan.
 */
export function hasExtraSubscription(
  subscription: Pick<Subscription, 'tier' | 'status' | 'is_billed_here'>,
): boolean {
  return isAssignedByOperator(subscription) && isLive(subscription);
}

export function isLimited(limits: Subscription['limits']): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}
