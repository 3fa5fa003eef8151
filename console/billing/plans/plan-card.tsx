import { Group, Text, Title } from '@mantine/core';
import type { Plan, Subscription } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
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
    <li className="card" data-tier={plan.tier}>
      <Title order={2}>
        {plan.name} {plan.is_current && <span className="tag">Current</span>}
      </Title>
      <Text>
        <strong className="price">{formatMoney(plan.amount_cents, plan.currency)}</strong> per month
        <span className="hint"> excl. tax</span>
      </Text>
      {plan.limits && (
        <ul className="limits">
          {describeLimits(plan.limits).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {isOwner && act !== null && (
        <Group>
          <ActionButton kind="primary" onAction={() => buy(plan.tier)}>
            {`${act} ${plan.name}`}
          </ActionButton>
        </Group>
      )}
    </li>
  );
}

/** Returns the verb for the button that buys a plan; null if the plan cannot be bought. */
function getPlanAction(plan: Plan, subscription: Subscription): string | null {
  if (!isLive(subscription)) return 'Choose';
  if (!plan.is_current) return 'Change to';
  return isEnding(subscription) ? 'Keep' : null;
}
