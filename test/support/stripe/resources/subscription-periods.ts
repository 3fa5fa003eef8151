import type { Subscription, SubscriptionItem } from '../objects.ts';

export function itemOf(subscription: Subscription): SubscriptionItem {
  return subscription.items.data[0]!;
}

export function monthAfter(seconds: number): number {
  const date = new Date(seconds * 1000);
  const next = new Date(date);
  next.setUTCMonth(date.getUTCMonth() + 1);
  // A month that has no such day ends sooner.
  if (next.getUTCDate() !== date.getUTCDate()) next.setUTCDate(0);
  return next.getTime() / 1000;
}
