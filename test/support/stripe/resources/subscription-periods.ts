import type { Subscription, SubscriptionItem } from '../objects.ts';

export function getOnlyItem(subscription: Subscription): SubscriptionItem {
  return subscription.items.data[0]!;
}

export function addMonth(seconds: number): number {
  const date = new Date(seconds * 1000);
  const next = new Date(date);
  next.setUTCMonth(date.getUTCMonth() + 1);
  // End the period on the last day of a month that is shorter.
  if (next.getUTCDate() !== date.getUTCDate()) next.setUTCDate(0);
  return next.getTime() / 1000;
}
