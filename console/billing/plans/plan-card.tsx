import type { Plan, Subscription } from '../../client/types.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { describeLimits, formatMoney } from '../billing-words.ts';
import { isEnding, isLive } from '../subscription-state.ts';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { useCheckout } from './use-checkout.ts';

export interface PlanCardProps {
  plan: Plan;
  subscription: Subscription;
}

export function PlanCard({ plan, subscription }: PlanCardProps) {
  const isOwner = useIsOwner();
  const buy = useCheckout(subscription);
  const act = getPlanAction(plan, subscription);
  return (
    <li className="card stack" data-tier={plan.tier}>
      <h2>
        {plan.name} {plan.is_current && <span className="badge good">current</span>}
      </h2>
      <p>
        <strong className="price">{formatMoney(plan.amount_cents, plan.currency)}</strong> a month
        <span className="hint"> without tax</span>
      </p>
      {plan.limits && (
        <ul className="plain-list limits">
          {describeLimits(plan.limits).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {isOwner && act !== null && (
        <div className="row">
          <ActionButton kind="primary" onAction={() => buy(plan.tier)}>
            {`${act} ${plan.name}`}
          </ActionButton>
        </div>
      )}
    </li>
  );
}

/** Returns the verb for the button that buys a plan; null if it cannot be bought. */
function getPlanAction(plan: Plan, subscription: Subscription): string | null {
  if (!isLive(subscription)) return 'Choose';
  if (!plan.is_current) return 'Change to';
  return isEnding(subscription) ? 'Keep' : null;
}
