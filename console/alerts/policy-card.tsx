import { useState } from 'react';
import type { AlertPolicy, AlertTest } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { Badge } from '../components/badge.tsx';
import { formatCount } from '../components/format-count.ts';
import { Facts } from '../components/facts.tsx';
import { TimeText } from '../components/time-text.tsx';
import {
  channelNames,
  describeDigest,
  formatDestination,
  getPolicyName,
  describePolicyEvents,
  type AlertChannel,
} from './alert-words.ts';
import { HeldAlerts, MAX_PER_DAY } from './held-alerts.tsx';
import { PolicyActions } from './policy-actions.tsx';
import { TestOutcome } from './test-outcome.tsx';

export interface PolicyCardProps {
  policy: AlertPolicy;
  /** Name of the policy's bot; null if the policy covers the whole workspace. */
  botName: string | null;
  onChange(): void;
}

export function PolicyCard({ policy, botName, onChange }: PolicyCardProps) {
  const { me } = useSession();
  const mayWrite = usePermission()('alerts:write', 'admin');
  const [test, setTest] = useState<AlertTest | null>(null);
  const channel = channelNames[policy.channel as AlertChannel];
  return (
    <li className="card stack" data-id={policy.id}>
      <h2 className="address" dir="auto">
        {getPolicyName(policy)} <Badge state={policy.status} />
      </h2>
      {policy.status === 'blocked' && (
        <p className="problem">
          Nothing arrives there: {policy.blocked_reason ?? `${channel} takes no messages for it.`}
        </p>
      )}
      {policy.status === 'unverified' && (
        <p className="reason">Nothing is sent until the recipient has agreed.</p>
      )}
      <HeldAlerts policy={policy} />
      <Facts
        facts={[
          ['To', `${channel}: ${formatDestination(policy.destination, policy.destination_name)}`],
          ['About', botName ?? `All of ${me.data?.organization?.name ?? 'the workspace'}`],
          ['At once', describePolicyEvents(policy)],
          ['Summary', describeDigest(policy)],
          ['Next summary', policy.next_digest_at && <TimeText key="next" at={policy.next_digest_at} />],
          ['Sent today', describeSent(policy)],
          ['Held today', policy.held_today > 0 ? formatCount(policy.held_today, 'alert') : null],
          ['Last error', policy.last_error],
        ]}
      />
      {mayWrite && <PolicyActions policy={policy} onChange={onChange} onTested={setTest} />}
      {test !== null && <TestOutcome test={test} channel={policy.channel as AlertChannel} />}
    </li>
  );
}

function describeSent({ sent_today: sent, daily_cap: cap, timezone }: AlertPolicy): string {
  return `${sent} of ${formatCount(cap ?? MAX_PER_DAY, 'message')} (day of ${timezone})`;
}
