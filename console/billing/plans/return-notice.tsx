import { Alert, Loader, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Plan, Subscription } from '../../client/types.ts';
import { useInterval } from '../../state/use-interval.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { readStoredCheckout } from '../stored-checkout.ts';
import { describePurchase } from '../billing-words.ts';
import { findCheckoutOutcome, type StoredCheckout, type CheckoutOutcome } from '../checkout-outcome.ts';

const FIRST_POLLS_MS = 2_000;
const LATER_POLLS_MS = 10_000;
/** Number of polls before the notice says that the payment takes longer than usual. */
const POLLS_BEFORE_HINT = 10;
/** Number of polls before the notice stops waiting for an unknown outcome of the checkout. */
const MAX_POLLS_UNKNOWN = 40;

export interface ReturnNoticeProps {
  checkoutId: string;
  /** Whether the user canceled the payment on the provider's page. */
  isCanceled: boolean;
  plans: Plan[];
  subscription: Subscription;
  reload(): void;
}

/**
 * Notice shown after the user returns from the payment provider. Polls until the outcome of the checkout is
 * known.
 */
export function ReturnNotice({ checkoutId, isCanceled, plans, subscription, reload }: ReturnNoticeProps) {
  const { me } = useSession();
  const [stored] = useState(() => readStoredCheckout(checkoutId));
  const outcome = isCanceled ? 'left' : findCheckoutOutcome(stored, subscription);
  const isLong = usePolling(outcome, reload) >= POLLS_BEFORE_HINT;
  useEffect(() => {
    if (outcome === 'confirmed') me.reload();
  }, [outcome]);
  if (outcome === 'left') return <Notice isProblem text="Checkout canceled. You haven't been charged." />;
  if (outcome === 'pending') return <Waiting isLong={isLong} />;
  if (outcome === 'confirmed' && stored !== null)
    return <Notice text={describeCompletedPurchase(stored, plans)} />;
  return <Notice text="Welcome back. Your purchase appears below once the payment is confirmed." />;
}

/** Polls until the outcome of the checkout is known; returns the number of polls so far. */
function usePolling(outcome: CheckoutOutcome | 'left', poll: () => void): number {
  const [polls, setPolls] = useState(0);
  const isOpen = outcome === 'pending' || (outcome === 'unknown' && polls < MAX_POLLS_UNKNOWN);
  const pauseMs = polls < POLLS_BEFORE_HINT ? FIRST_POLLS_MS : LATER_POLLS_MS;
  useInterval(
    () => {
      setPolls(polls + 1);
      poll();
    },
    isOpen ? pauseMs : null,
  );
  return polls;
}

function Waiting({ isLong }: { isLong: boolean }) {
  return (
    <div className="card" role="status">
      <Text>
        {isLong
          ? 'The payment provider is taking longer than usual to confirm. Some payment methods take days. You can leave this page.'
          : 'Thank you. Waiting for the payment provider to confirm your payment…'}
      </Text>
      <Loader size="sm" aria-label="Waiting for the payment provider" />
    </div>
  );
}

function describeCompletedPurchase({ tier, quantity }: StoredCheckout, plans: readonly Plan[]): string {
  const bought = describePurchase(tier, quantity, plans);
  return tier === 'topup' ? `${bought} added` : `You're on the ${bought} plan now.`;
}

function Notice({ text, isProblem = false }: { text: string; isProblem?: boolean }) {
  return (
    <Alert color={isProblem ? 'red' : 'green'} role={isProblem ? 'alert' : 'status'}>
      <Text>{text}</Text>
      <Text>
        <a href={buildHref(['billing'])}>Dismiss</a>
      </Text>
    </Alert>
  );
}
