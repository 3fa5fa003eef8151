import type { Plan, Subscription } from '../client/types.ts';
import { formatCount } from '../components/text/format-count.ts';
import { isAssignedByOperator } from './subscription-state.ts';

export type Tier = Subscription['tier'];
type Limits = Subscription['limits'];

const tierNames: Record<Tier, string> = {
  free: 'Free',
  starter: 'Starter',
  pro: 'Pro',
  business: 'Business',
  enterprise: 'Enterprise',
};

/** Returns the name of a billing plan. The server names plans for sale; the console names all other plans. */
export function getTierName(tier: Tier, plans: readonly Plan[]): string {
  return plans.find((plan) => plan.tier === tier)?.name ?? tierNames[tier];
}

/**
 * Formats an amount of money.
 * @param amountCents amount in the smallest unit of the currency, which is a hundredth for most
 */
export function formatMoney(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amountCents / 10 ** digits);
}

export function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}

/** Describes the limits of a billing plan, one text each. */
export function describeLimits(limits: Limits): string[] {
  const describeLimit = (limit: number | null, one: string, many: string, period = ''): string =>
    limit === null ? `Unlimited ${many}` : `${formatNumber(limit)} ${limit === 1 ? one : many}${period}`;
  return [
    describeLimit(limits.messages_per_month, 'message', 'messages', ' a month'),
    describeLimit(limits.documents, 'document', 'documents'),
    describeLimit(limits.bots, 'bot', 'bots'),
    describeLimit(limits.seats, 'seat', 'seats'),
    describeLimit(limits.alerts_per_month, 'alert', 'alerts', ' a month'),
  ];
}

/**
 * Describes the workspace's current plan and subscription in a sentence.
 * @param formatTime function that formats a timestamp for the user
 */
export function describeSubscription(subscription: Subscription, formatTime: (at: string) => string): string {
  const { status, ends_at: endsAt, renews_at: renewsAt } = subscription;
  if (status === 'none') return 'No active subscription';
  if (status === 'ended')
    return `The subscription ended${endsAt === null ? '' : ` on ${formatTime(endsAt)}`}.`;
  if (isAssignedByOperator(subscription)) return describeExtraSubscription(subscription, formatTime);
  if (endsAt !== null) return `Canceled. The plan stays active until ${formatTime(endsAt)}.`;
  if (status === 'past_due')
    return "The last payment failed. We'll retry it, and the plan stays active. The payment provider's email explains how to pay.";
  const next = renewsAt === null ? '' : formatTime(renewsAt);
  if (status === 'trialing') return `Trial until ${next}, when the first payment is due.`;
  return next === '' ? 'Paid.' : `Paid. Renews on ${next}.`;
}

/**
 * Describes a paid subscription while the server's operator has assigned the plan, so that the subscription
 * has no effect on the plan.
 */
function describeExtraSubscription(
  { status, ends_at: endsAt, renews_at: renewsAt }: Subscription,
  formatTime: (at: string) => string,
): string {
  if (endsAt !== null) return `There's also a canceled subscription, which ends on ${formatTime(endsAt)}.`;
  const without = "The plan doesn't depend on that subscription.";
  if (status === 'past_due') return `There's also a subscription whose last payment failed. ${without}`;
  const due =
    renewsAt === null
      ? ''
      : `; the ${status === 'trialing' ? 'first' : 'next'} payment is due on ${formatTime(renewsAt)}`;
  const subject = status === 'trialing' ? 'subscription in its trial period' : 'paid subscription';
  return `There's also a ${subject}${due}. ${without}`;
}

/** Names what a purchase of a plan or top-up buys, for buttons and notices. */
export function describePurchase(tier: Plan['tier'], quantity: number, plans: readonly Plan[]): string {
  const plan = plans.find((each) => each.tier === tier);
  if (tier !== 'topup') return plan?.name ?? tierNames[tier];
  const credits = plan?.credits ?? null;
  return credits === null ? formatCount(quantity, 'top-up') : `${formatNumber(credits * quantity)} messages`;
}
