import { Text } from '@mantine/core';
import type { Plan, Subscription } from '../../client/types.ts';
import { Status, type Tone } from '../../components/lists/status.tsx';
import { Facts } from '../../components/lists/facts.tsx';
import { Section } from '../../components/page/section.tsx';
import { formatFullTime } from '../../components/text/format-time.ts';
import { TimeText } from '../../components/text/time-text.tsx';
import { describeLimits, formatNumber, describeSubscription, getTierName } from '../billing-words.ts';
import { isEnding, isAssignedByOperator, isLive } from '../subscription-state.ts';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { CancelSubscription } from './cancel-subscription.tsx';

const statuses: Record<Exclude<Subscription['status'], 'none'>, readonly [Tone, string]> = {
  active: ['good', 'Active'],
  trialing: ['good', 'Trial'],
  past_due: ['bad', 'Payment failed'],
  ended: ['quiet', 'Ended'],
};

function SubscriptionStatus({ status }: { status: keyof typeof statuses }) {
  const [tone, name] = statuses[status];
  return <Status tone={tone}>{name}</Status>;
}

export interface CurrentPlanProps {
  plans: Plan[];
  subscription: Subscription;
  onChange(subscription: Subscription): void;
}

/** Shows the workspace's current plan with its renewal date, and lets an owner cancel the plan. */
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
    <Section title="Current plan">
      <Text>
        <strong className="plan-name">{name}</strong>{' '}
        {status !== 'none' && !isAssigned && <SubscriptionStatus status={status} />}
      </Text>
      {isAssigned && (
        <Text>
          Your operator assigned the {name} plan to this workspace.
          {!isLive(subscription) && ' Buying a plan replaces the assigned plan.'}
        </Text>
      )}
      {isHere && (
        <Text c={status === 'past_due' ? 'var(--busy)' : undefined}>
          {describeSubscription(subscription, formatFullTime)}
        </Text>
      )}
      <Facts
        facts={[
          ['Includes', isHere && !isAssigned ? null : describeLimits(limits).join(', ')],
          [
            'Period',
            start !== null && end !== null ? `${formatFullTime(start)} – ${formatFullTime(end)}` : null,
          ],
          ['Top-ups left', isHere ? `${formatNumber(subscription.topup_credits_left)} messages` : null],
          ['Updated', syncedAt && <TimeText key="synced" at={syncedAt} />],
        ]}
      />
      {isOwner && isHere && isLive(subscription) && !isEnding(subscription) && (
        <CancelSubscription name={name} subscription={subscription} onCancelled={onChange} />
      )}
    </Section>
  );
}
