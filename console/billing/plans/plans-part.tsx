import type { Plan, Subscription } from '../../client/types.ts';
import { isLimited, isLive } from '../subscription-state.ts';
import { CurrentPlan } from './current-plan.tsx';
import { NothingSold } from './nothing-sold.tsx';
import { OpenCheckout } from './open-checkout.tsx';
import { PlanOffers } from './plan-offers.tsx';
import { ReturnNotice } from './return-notice.tsx';

export interface PlansPartProps {
  plans: Plan[];
  subscription: Subscription;
  query: Record<string, string>;
  reload(): void;
  onChange(subscription: Subscription): void;
}

/** Shows the current plan and the plans for sale. */
export function PlansPart({ plans, subscription, query, reload, onChange }: PlansPartProps) {
  const { checkout: returnedFrom, outcome } = query;
  if (!hasBilling(plans, subscription)) return <NothingSold isBillingEnabled={false} />;
  return (
    <>
      {returnedFrom !== undefined && (
        <ReturnNotice
          key={returnedFrom}
          checkoutId={returnedFrom}
          isCanceled={outcome === 'left'}
          plans={plans}
          subscription={subscription}
          reload={reload}
        />
      )}
      {outcome !== 'done' && <OpenCheckout plans={plans} subscription={subscription} />}
      <CurrentPlan plans={plans} subscription={subscription} onChange={onChange} />
      {subscription.is_billed_here ? (
        <PlanOffers plans={plans} subscription={subscription} />
      ) : (
        <p className="hint">
          The top-level workspace pays for all sub-workspaces. Its owner manages the plan, receipts and
          billing details there.
        </p>
      )}
    </>
  );
}

/** Whether the billing page can show anything: plans for sale, a subscription or limits. */
function hasBilling(plans: readonly Plan[], subscription: Subscription): boolean {
  return plans.length > 0 || isLive(subscription) || isLimited(subscription.limits);
}
