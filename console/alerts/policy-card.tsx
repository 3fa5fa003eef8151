import { Alert, Button, Menu, Title } from '@mantine/core';
import { useState } from 'react';
import { path } from '../client/paths.ts';
import type { AlertPolicy, AlertTest } from '../client/types.ts';
import { toAccessibleName } from '../components/text/accessible-name.ts';
import { Details } from '../components/page/details.tsx';
import { Facts } from '../components/lists/facts.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { showError } from '../components/page/notices.ts';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { Status, type Tone } from '../components/lists/status.tsx';
import { TimeText } from '../components/text/time-text.tsx';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconEdit, IconSend, IconTrash } from '../shell/icons.ts';
import { useAction } from '../state/use-action.ts';
import {
  channelNames,
  describeDigest,
  describePolicyEvents,
  formatDestination,
  getPolicyName,
  type AlertChannel,
} from './alert-words.ts';
import { QueuedAlerts, MAX_PER_DAY } from './queued-alerts.tsx';
import { PolicyDialog, type PolicyStep } from './policy-dialog.tsx';
import { TestOutcome } from './test-outcome.tsx';

export interface PolicyCardProps {
  policy: AlertPolicy;
  /** Name of the alert policy's bot; null if the policy covers the whole workspace. */
  botName: string | null;
  onChange(): void;
}

const statuses: Record<AlertPolicy['status'], readonly [Tone, string]> = {
  active: ['good', 'Active'],
  unverified: ['busy', 'Not verified'],
  blocked: ['bad', 'Blocked'],
  off: ['quiet', 'Off'],
};

export function PolicyCard({ policy, botName, onChange }: PolicyCardProps) {
  const { client, me } = useSession();
  const mayWrite = usePermission()('alerts:write', 'admin');
  const [test, setTest] = useState<AlertTest | null>(null);
  const [step, setStep] = useState<PolicyStep | null>(null);
  const channel = policy.channel as AlertChannel;
  const name = getPolicyName(policy);
  const [tone, status] = statuses[policy.status];
  const isBlocked = policy.blocked_reason !== null || policy.status === 'blocked';
  const isVerified = policy.verified && !isBlocked;
  const sendTest = useAction(
    async () => {
      setTest(await client.post<AlertTest>(path`/api/alerts/${policy.id}/test`));
      onChange();
    },
    ({ message }) => showError(message),
  );
  return (
    <li className="card" data-id={policy.id}>
      <div className="section-head">
        <div>
          <Title order={2} dir="auto">
            {name}
          </Title>
          <span className="cell-note">
            {channelNames[channel]} · {botName ?? `All of ${me.data?.organization?.name ?? 'the workspace'}`}
          </span>
        </div>
        <div className="card-tools">
          <Status tone={tone}>{status}</Status>
          {mayWrite && (
            <RowMenu about={name}>
              {isVerified && (
                <Menu.Item leftSection={<IconSend />} onClick={() => sendTest.run()}>
                  Send test
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconEdit />} onClick={() => setStep('edit')}>
                Edit
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                className="danger-item"
                leftSection={<IconTrash />}
                onClick={() => setStep('delete')}
              >
                Delete
              </Menu.Item>
            </RowMenu>
          )}
        </div>
      </div>
      {policy.status === 'blocked' && (
        <Alert role="note" color="red">
          Delivery blocked: {policy.blocked_reason ?? `${channelNames[channel]} rejects messages.`}
        </Alert>
      )}
      {policy.status === 'unverified' && (
        <Alert role="note" color="yellow">
          Waiting for the recipient to confirm.
        </Alert>
      )}
      {mayWrite && !isVerified && (
        <div>
          <Button
            aria-label={toAccessibleName(isBlocked ? 'Reconnect' : 'Verify', name)}
            onClick={() => setStep('verify')}
          >
            {isBlocked ? 'Reconnect' : 'Verify'}
          </Button>
        </div>
      )}
      <QueuedAlerts policy={policy} />
      <Facts
        facts={[
          ['Instant alerts', describePolicyEvents(policy)],
          ['Summary', describeDigest(policy)],
          ['Sent today', describeSent(policy)],
          ['Queued today', policy.held_today > 0 ? formatCount(policy.held_today, 'alert') : null],
          ['Last error', policy.last_error],
        ]}
      />
      <Details title="Details">
        <Facts
          facts={[
            ['Recipient', formatDestination(policy.destination, policy.destination_name)],
            ['Time zone', policy.timezone],
            ['Next summary', policy.next_digest_at && <TimeText key="next" at={policy.next_digest_at} />],
          ]}
        />
      </Details>
      {test !== null && <TestOutcome test={test} channel={channel} />}
      <PolicyDialog policy={policy} step={step} onChange={onChange} onClose={() => setStep(null)} />
    </li>
  );
}

function describeSent({ sent_today: sent, daily_cap: cap }: AlertPolicy): string {
  return `${sent} of ${formatCount(cap ?? MAX_PER_DAY, 'message')}`;
}
