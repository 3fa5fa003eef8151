import type { Subscription } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { showConfirmation } from '../../ui/notices.ts';
import { formatFullTime } from '../../ui/format-time.ts';
import { getCancelTexts } from './cancel-texts.ts';

export interface CancelSubscriptionProps {
  /** Name of the current plan. */
  name: string;
  subscription: Subscription;
  onCancelled(subscription: Subscription): void;
}

export function CancelSubscription({ name, subscription, onCancelled }: CancelSubscriptionProps) {
  const { client } = useSession();
  const { period_end: end } = subscription;
  const until = end === null ? 'the end of the period that is paid for' : formatFullTime(end);
  const cancelSubscription = async (): Promise<void> => {
    onCancelled(await client.post<Subscription>('/api/billing/subscription/cancel'));
    showConfirmation('The subscription is cancelled.');
  };
  return (
    <div class="row">
      <ConfirmButton {...getCancelTexts(subscription, name, until)} onConfirm={cancelSubscription}>
        Cancel the subscription
      </ConfirmButton>
    </div>
  );
}
