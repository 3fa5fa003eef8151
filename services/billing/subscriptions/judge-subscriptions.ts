import type { ProviderSubscription } from '../../../adapters/billing/payment-provider.ts';
import { paidTiers, type PaidTier, type Plans } from '../../../core/billing/plans.ts';
import {
  payingStatuses,
  type BillingAccount,
  type OtherSubscription,
} from '../../../entities/billing/billing-account.entity.ts';
import type { SyncedFields } from '../../../repositories/billing/billing-account.repository.ts';

export type KnownSubscription = Pick<
  BillingAccount,
  'subscriptionId' | 'priceId' | 'paidTier' | 'otherSubscriptions'
>;

export interface SubscriptionVerdict {
  fields: SyncedFields;
  /** Those that end, because another one is paid for. */
  toEnd: string[];
}

const NOTHING = {
  subscriptionId: null,
  priceId: null,
  paidTier: 'free',
  status: 'none',
  periodStart: null,
  periodEnd: null,
  endsAt: null,
} as const;

/** Whether it gives its tier. */
export function isPaying({ state }: Pick<ProviderSubscription, 'state'>): boolean {
  return payingStatuses.some((status) => status === state);
}

/**
 * Which subscription of a payer counts: the one that is known, as long as it is paid for; else the first of the others.
 * @param known what was taken over before
 * @param subscriptions the newest first
 */
export function judgeSubscriptions(
  known: KnownSubscription,
  subscriptions: readonly ProviderSubscription[],
  plans: Pick<Plans, 'tierOf'>,
): SubscriptionVerdict {
  const present = presentOf(known, subscriptions);
  if (!present) return { fields: { ...NOTHING, otherSubscriptions: known.otherSubscriptions }, toEnd: [] };
  const others = othersOf(known, present, subscriptions);
  const mayEnd = isPaying(present)
    ? subscriptions.filter((each) => each.id in others && (isPaying(each) || each.state === 'unpaid'))
    : [];
  return {
    fields: {
      subscriptionId: present.id,
      priceId: present.priceId,
      paidTier: isPaying(present) ? tierOf(known, present, plans) : 'free',
      status: payingStatuses.find((status) => status === present.state) ?? 'ended',
      periodStart: present.periodStart,
      periodEnd: present.periodEnd,
      endsAt: present.endsAt,
      otherSubscriptions: others,
    },
    toEnd: mayEnd.map(({ id }) => id),
  };
}

function presentOf(
  { subscriptionId, otherSubscriptions }: KnownSubscription,
  subscriptions: readonly ProviderSubscription[],
): ProviderSubscription | undefined {
  const recorded = subscriptions.find(({ id }) => id === subscriptionId);
  if (recorded && isPaying(recorded)) return recorded;
  const first = subscriptions.findLast((each) => isPaying(each) && !(each.id in otherSubscriptions));
  return first ?? recorded;
}

function othersOf(
  { subscriptionId, otherSubscriptions }: KnownSubscription,
  present: ProviderSubscription,
  subscriptions: readonly ProviderSubscription[],
): Record<string, OtherSubscription> {
  const duplicates = subscriptions.filter(
    (each) => each.id !== present.id && each.id !== subscriptionId && isPaying(each),
  );
  return {
    ...Object.fromEntries(duplicates.map(({ id }) => [id, 'duplicate' as const])),
    ...(subscriptionId !== null && subscriptionId !== present.id && { [subscriptionId]: 'former' as const }),
    ...otherSubscriptions,
  };
}

/** A price that the table of plans does not have any more keeps the tier that this subscription was bought for. */
function tierOf(
  known: KnownSubscription,
  { id, priceId, tier }: ProviderSubscription,
  plans: Pick<Plans, 'tierOf'>,
): PaidTier | 'free' {
  const ofPrice = plans.tierOf(priceId);
  if (ofPrice) return ofPrice;
  if (known.subscriptionId === id && known.priceId === priceId) return known.paidTier;
  const bought = paidTiers.find((each) => each === tier);
  return bought ?? (known.subscriptionId === id ? known.paidTier : 'free');
}
