import type { Plan, Subscription } from '../../client/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';
import { formatFullTime } from '../../components/format-time.ts';
import { TimeText } from '../../components/time-text.tsx';
import { describeLimits, formatNumber, describeSubscription, getTierName } from '../billing-words.ts';
import { isEnding, isAssignedByOperator, isLive } from '../subscription-state.ts';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { CancelSubscription } from './cancel-subscription.tsx';

export interface CurrentPlanProps {
  plans: Plan[];
  subscription: Subscription;
  onChange(subscription: Subscription): void;
}

/** Shows the current plan with its renewal date, and lets an owner cancel it. */
export function CurrentPlan({ plans, subscription, onChange }: CurrentPlanProps) {
  const isOwner = useIsOwner();
  const {
    tier,
    status,
    is_billed_here: isHere,
    limits,
    period_start: start,
    period_end: end,
    synced_at: syncedAt,
  } = subscription;
  const name = getTierName(tier, plans);
  const isAssigned = isAssignedByOperator(subscription);
  return (
    <Section title="The plan of the workspace">
      <p>
        <strong className="plan-name">{name}</strong>{' '}
        {status !== 'none' && !isAssigned && <Badge state={status} />}
      </p>
      {isAssigned && (
        <p>
          Your operator has given this workspace the plan {name}.
          {!isLive(subscription) && ' One that is bought takes its place.'}
        </p>
      )}
      {isHere && (
        <p className={status === 'past_due' ? 'reason' : undefined}>
          {describeSubscription(subscription, formatFullTime)}
        </p>
      )}
      <Facts
        facts={[
          ['It allows', isHere && !isAssigned ? null : describeLimits(limits).join(', ')],
          [
            'Period',
            start !== null && end !== null ? `${formatFullTime(start)} – ${formatFullTime(end)}` : null,
          ],
          ['Top-ups left', isHere ? `${formatNumber(subscription.topup_credits_left)} messages` : null],
          ['As of', syncedAt && <TimeText key="synced" at={syncedAt} />],
        ]}
      />
      {isOwner && isHere && isLive(subscription) && !isEnding(subscription) && (
        <CancelSubscription name={name} subscription={subscription} onCancelled={onChange} />
      )}
    </Section>
  );
}
