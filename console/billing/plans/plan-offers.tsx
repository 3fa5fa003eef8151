import type { Plan, Subscription } from '../../client/types.ts';
import { usePermission } from '../../session/use-permission.ts';
import { PlanUsage } from '../../usage/plan-usage.tsx';
import { isLive, hasExtraSubscription } from '../subscription-state.ts';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { NothingSold } from './nothing-sold.tsx';
import { PlanCard } from './plan-card.tsx';
import { TopUp } from './top-up.tsx';

export interface PlanOffersProps {
  plans: Plan[];
  subscription: Subscription;
}

/**
 * Shows the usage of the current plan, and the plans and top-ups that can be bought. Only for the workspace
 * that pays.
 */
export function PlanOffers({ plans, subscription }: PlanOffersProps) {
  const isOwner = useIsOwner();
  const maySeeUsage = usePermission()('usage:read', 'viewer');
  const { tier, limits, topup_credits_left: credits, synced_at: syncedAt } = subscription;
  const isFixed = hasExtraSubscription(subscription);
  const topup = limits.messages_per_month === null ? undefined : plans.find((plan) => plan.tier === 'topup');
  const isChangeable = plans.length > 0 && (!isFixed || topup !== undefined);
  return (
    <>
      {/* The key of this element mounts the usage again after a purchase, which changes the limits. */}
      {maySeeUsage && <PlanUsage key={`${tier} ${credits} ${syncedAt}`} />}
      {!isOwner && (isChangeable || isLive(subscription)) && (
        <p className="hint">Only owners can change the plan.</p>
      )}
      {plans.length === 0 ? (
        <NothingSold isBillingEnabled />
      ) : (
        !isFixed && <PlanCards plans={plans} subscription={subscription} />
      )}
      {topup && <TopUp plan={topup} subscription={subscription} />}
    </>
  );
}

function PlanCards({ plans, subscription }: PlanOffersProps) {
  return (
    <ul className="plan-cards">
      {plans
        .filter(({ tier }) => tier !== 'topup')
        .map((plan) => (
          <PlanCard key={plan.tier} plan={plan} subscription={subscription} />
        ))}
    </ul>
  );
}
