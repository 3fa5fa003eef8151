import { Group } from '@mantine/core';
import type { Subscription } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { formatFullTime } from '../../components/text/format-time.ts';
import { getCancelTexts } from './cancel-texts.ts';

export interface CancelSubscriptionProps {
  /** Name of the workspace's current plan. */
  name: string;
  subscription: Subscription;
  onCancelled(subscription: Subscription): void;
}

export function CancelSubscription({ name, subscription, onCancelled }: CancelSubscriptionProps) {
  const { client } = useSession();
  const { period_end: end } = subscription;
  const until = end === null ? 'the end of the paid period' : formatFullTime(end);
  const cancelSubscription = async (): Promise<void> => {
    onCancelled(await client.post<Subscription>('/api/billing/subscription/cancel'));
    showConfirmation('Subscription canceled');
  };
  return (
    <Group>
      <ConfirmButton {...getCancelTexts(subscription, name, until)} onConfirm={cancelSubscription}>
        Cancel subscription
      </ConfirmButton>
    </Group>
  );
}
