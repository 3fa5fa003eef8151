import { Group, Text } from '@mantine/core';
import type { Plan, Subscription } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { TimeText } from '../../components/text/time-text.tsx';
import { describePurchase } from '../billing-words.ts';
import { hasExtraSubscription } from '../subscription-state.ts';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { useCheckout } from './use-checkout.ts';

export interface OpenCheckoutProps {
  plans: Plan[];
  subscription: Subscription;
}

/** Shows a checkout that the user started but has not paid. */
export function OpenCheckout({ plans, subscription }: OpenCheckoutProps) {
  const isOwner = useIsOwner();
  const buy = useCheckout(subscription);
  const { checkout } = subscription;
  if (checkout === null) return null;
  const name = describePurchase(checkout.tier, 1, plans);
  return (
    <div className="card" role="status">
      <Text>
        The checkout for {name} isn't complete
        {checkout.expires_at !== null && (
          <>
            ; it expires on <TimeText at={checkout.expires_at} />
          </>
        )}
        .
      </Text>
      {isOwner && !hasExtraSubscription(subscription) && (
        <Group>
          <ActionButton about={name} onAction={() => buy(checkout.tier)}>
            Resume checkout
          </ActionButton>
        </Group>
      )}
    </div>
  );
}
