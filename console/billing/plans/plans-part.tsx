import type { Plan, Subscription } from '../../client/types.ts';
import { useMay } from '../../session/use-may.ts';
import { useOwnsHere } from '../use-owns-here.ts';
import { CurrentPlan } from './current-plan.tsx';
import { NothingSold } from './nothing-sold.tsx';
import { OpenCheckout } from './open-checkout.tsx';
import { PlanUsage } from './plan-usage.tsx';
import { PlanCard } from './plan-card.tsx';
import { ReturnNotice } from './return-notice.tsx';
import { TopUp } from './top-up.tsx';

export interface PlansPartProps {
  plans: Plan[];
  subscription: Subscription;
  query: Record<string, string>;
  reload(): void;
  onChange(subscription: Subscription): void;
}

/** The plan that holds, and what else there is to buy. */
export function PlansPart({ plans, subscription, query, reload, onChange }: PlansPartProps) {
  const isOwners = useOwnsHere();
  const maySeeUsage = useMay()('usage:read', 'viewer');
  const { checkout: returnedFrom, outcome } = query;
  if (plans.length === 0) return <NothingSold limits={subscription.limits} />;
  const topup = plans.find(({ tier }) => tier === 'topup');
  return (
    <>
      {returnedFrom !== undefined && (
        <ReturnNotice
          key={returnedFrom}
          checkoutId={returnedFrom}
          isLeft={outcome === 'left'}
          plans={plans}
          subscription={subscription}
          reload={reload}
        />
      )}
      {outcome !== 'done' && <OpenCheckout plans={plans} subscription={subscription} />}
      <CurrentPlan plans={plans} subscription={subscription} onChange={onChange} />
      {!subscription.is_billed_here ? (
        <p class="hint">
          The workspace at the top of the hierarchy pays for all below it: its owner sees there what can be
          bought, receipts, and whom they are addressed to.
        </p>
      ) : (
        <>
          {maySeeUsage && <PlanUsage tier={subscription.tier} />}
          {!isOwners && (
            <p class="hint">An owner who has signed in with an account can change what is bought.</p>
          )}
          <ul class="cards of-plans">
            {plans
              .filter(({ tier }) => tier !== 'topup')
              .map((plan) => (
                <PlanCard key={plan.tier} plan={plan} subscription={subscription} />
              ))}
          </ul>
          {topup && <TopUp plan={topup} subscription={subscription} />}
        </>
      )}
    </>
  );
}
