import type { Plan, Subscription } from '../../client/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { fullTime, TimeText } from '../../ui/time-text.tsx';
import { limitTexts, numberText, stateText, tierName } from '../billing-words.ts';
import { isEnding, isGiven, isLive } from '../subscription-state.ts';
import { useOwnsHere } from '../../session/use-owns-here.ts';
import { CancelSubscription } from './cancel-subscription.tsx';

export interface CurrentPlanProps {
  plans: Plan[];
  subscription: Subscription;
  onChange(subscription: Subscription): void;
}

/** The current plan, its period, and how to cancel it. */
export function CurrentPlan({ plans, subscription, onChange }: CurrentPlanProps) {
  const isOwners = useOwnsHere();
  const {
    tier,
    status,
    is_billed_here: isHere,
    limits,
    period_start: start,
    period_end: end,
    synced_at: syncedAt,
  } = subscription;
  const name = tierName(tier, plans);
  const isOperators = isGiven(subscription);
  return (
    <Section title="The plan of the workspace">
      <p>
        <strong class="plan-name">{name}</strong>{' '}
        {status !== 'none' && !isOperators && <Badge state={status} />}
      </p>
      {isOperators && (
        <p>
          Your operator has given this workspace the plan {name}.
          {!isLive(subscription) && ' One that is bought takes its place.'}
        </p>
      )}
      {isHere && (
        <p class={status === 'past_due' ? 'reason' : undefined}>{stateText(subscription, fullTime)}</p>
      )}
      <Facts
        facts={[
          ['It allows', isHere && !isOperators ? null : limitTexts(limits).join(', ')],
          ['Period', start !== null && end !== null ? `${fullTime(start)} – ${fullTime(end)}` : null],
          ['Top-ups left', isHere ? `${numberText(subscription.topup_credits_left)} messages` : null],
          ['As of', syncedAt && <TimeText key="synced" at={syncedAt} />],
        ]}
      />
      {isOwners && isHere && isLive(subscription) && !isEnding(subscription) && (
        <CancelSubscription name={name} subscription={subscription} onCancelled={onChange} />
      )}
    </Section>
  );
}
