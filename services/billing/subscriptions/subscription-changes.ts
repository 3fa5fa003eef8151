import type { ProviderSubscription } from '../../../adapters/billing/payment-provider.ts';
import { paidTiers, type PaidTier, type Plans } from '../../../core/billing/plans.ts';
import {
  grantsTier,
  tierGrantingStatuses,
  type BillingAccount,
  type OtherSubscription,
} from '../../../entities/billing/billing-account.entity.ts';
import type { SyncedFields } from '../../../repositories/billing/billing-account.repository.ts';

export type KnownSubscription = Pick<
  BillingAccount,
  'subscriptionId' | 'priceId' | 'paidTier' | 'otherSubscriptions'
>;

export interface SubscriptionChanges {
  fields: SyncedFields;
  /** Ids of the payer's duplicate subscriptions that the payment provider must end. */
  toEnd: string[];
}

const NO_SUBSCRIPTION = {
  subscriptionId: null,
  priceId: null,
  paidTier: 'free',
  status: 'none',
  periodStart: null,
  periodEnd: null,
  endsAt: null,
} as const;

/** Returns true if a subscription in this state gives the payer the tier that it is for. */
export function isPaying({ state }: Pick<ProviderSubscription, 'state'>): boolean {
  return grantsTier(state);
}

/**
 * Selects the subscription that determines the payer's plan: the stored subscription while it is paid, and
 * otherwise the oldest paid subscription.
 * @param stored stored subscription data
 * @param subscriptions the customer's subscriptions, newest first
 */
export function computeSubscriptionChanges(
  stored: KnownSubscription,
  subscriptions: readonly ProviderSubscription[],
  plans: Pick<Plans, 'findTierByPrice'>,
): SubscriptionChanges {
  const current = selectSubscription(stored, subscriptions);
  if (!current)
    return { fields: { ...NO_SUBSCRIPTION, otherSubscriptions: stored.otherSubscriptions }, toEnd: [] };
  const others = classifyOthers(stored, current, subscriptions);
  const duplicatesToEnd = isPaying(current)
    ? subscriptions.filter((each) => each.id in others && (isPaying(each) || each.state === 'unpaid'))
    : [];
  return {
    fields: {
      subscriptionId: current.id,
      priceId: current.priceId,
      paidTier: isPaying(current) ? selectTier(stored, current, plans) : 'free',
      status: tierGrantingStatuses.find((status) => status === current.state) ?? 'ended',
      periodStart: current.periodStart,
      periodEnd: current.periodEnd,
      endsAt: current.endsAt,
      otherSubscriptions: others,
    },
    toEnd: duplicatesToEnd.map(({ id }) => id),
  };
}

function selectSubscription(
  { subscriptionId, otherSubscriptions }: KnownSubscription,
  subscriptions: readonly ProviderSubscription[],
): ProviderSubscription | undefined {
  const recorded = subscriptions.find(({ id }) => id === subscriptionId);
  if (recorded && isPaying(recorded)) return recorded;
  const first = subscriptions.findLast((each) => isPaying(each) && !(each.id in otherSubscriptions));
  return first ?? recorded;
}

function classifyOthers(
  { subscriptionId, otherSubscriptions }: KnownSubscription,
  current: ProviderSubscription,
  subscriptions: readonly ProviderSubscription[],
): Record<string, OtherSubscription> {
  const duplicates = subscriptions.filter(
    (each) => each.id !== current.id && each.id !== subscriptionId && isPaying(each),
  );
  return {
    ...Object.fromEntries(duplicates.map(({ id }) => [id, 'duplicate' as const])),
    ...(subscriptionId !== null && subscriptionId !== current.id && { [subscriptionId]: 'former' as const }),
    ...otherSubscriptions,
  };
}

/**
 * Returns the tier of a subscription. If the subscription's price is no longer configured, the tier stays the
 * same.
 */
function selectTier(
  known: KnownSubscription,
  { id, priceId, tier }: ProviderSubscription,
  plans: Pick<Plans, 'findTierByPrice'>,
): PaidTier | 'free' {
  const tierOfPrice = plans.findTierByPrice(priceId);
  if (tierOfPrice) return tierOfPrice;
  if (known.subscriptionId === id && known.priceId === priceId) return known.paidTier;
  const bought = paidTiers.find((each) => each === tier);
  return bought ?? (known.subscriptionId === id ? known.paidTier : 'free');
}
