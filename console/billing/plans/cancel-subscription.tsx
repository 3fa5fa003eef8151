import type { Subscription } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { tell } from '../../ui/notices.tsx';
import { fullTime } from '../../ui/time-text.tsx';
import { cancelWords } from './cancel-words.ts';

export interface CancelSubscriptionProps {
  /** Name of the plan. */
  name: string;
  subscription: Subscription;
  onCancelled(subscription: Subscription): void;
}

export function CancelSubscription({ name, subscription, onCancelled }: CancelSubscriptionProps) {
  const { client } = useSession();
  const { period_end: end } = subscription;
  const until = end === null ? 'the end of the period that is paid for' : fullTime(end);
  const cancel = async (): Promise<void> => {
    onCancelled(await client.post<Subscription>('/api/billing/subscription/cancel'));
    tell('The subscription is cancelled.');
  };
  return (
    <div class="row">
      <ConfirmButton {...cancelWords(subscription, name, until)} onConfirm={cancel}>
        Cancel the subscription
      </ConfirmButton>
    </div>
  );
}
