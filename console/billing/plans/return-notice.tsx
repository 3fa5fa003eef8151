import { useEffect, useState } from 'preact/hooks';
import type { Plan, Subscription } from '../../client/types.ts';
import { useInterval } from '../../hooks/use-interval.ts';
import { hrefOf } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { begunWith } from '../begun-checkout.ts';
import { boughtText } from '../billing-words.ts';
import { outcomeOf, type BegunCheckout, type CheckoutOutcome } from '../checkout-outcome.ts';

const SOON_MS = 2_000;
const LATER_MS = 10_000;
/** Polls after which the notice says that the payment takes longer than usual. */
const PATIENT_LOOKS = 10;
/** Polls after which an unknown outcome is no longer awaited. */
const MOST_LOOKS_UNKNOWN = 40;

export interface ReturnNoticeProps {
  checkoutId: string;
  /** Whether the user returned by the provider's cancel link. */
  isLeft: boolean;
  plans: Plan[];
  subscription: Subscription;
  reload(): void;
}

/** Notice after the return from the payment provider; polls for the outcome of the checkout. */
export function ReturnNotice({ checkoutId, isLeft, plans, subscription, reload }: ReturnNoticeProps) {
  const { me } = useSession();
  const [begun] = useState(() => begunWith(checkoutId));
  const outcome = isLeft ? 'left' : outcomeOf(begun, subscription);
  const isLong = useLooks(outcome, reload) >= PATIENT_LOOKS;
  useEffect(() => {
    if (outcome === 'confirmed') me.reload();
  }, [outcome]);
  if (outcome === 'left')
    return <Notice isProblem text="You have come back without paying: nothing was bought." />;
  if (outcome === 'awaited') return <Waiting isLong={isLong} />;
  if (outcome === 'confirmed' && begun !== null) return <Notice text={doneText(begun, plans)} />;
  return (
    <Notice text="You are back from the payment page; what is bought appears below once it is confirmed." />
  );
}

/** Polls while the outcome is open; returns the number of polls. */
function useLooks(outcome: CheckoutOutcome | 'left', look: () => void): number {
  const [looks, setLooks] = useState(0);
  const isOpen = outcome === 'awaited' || (outcome === 'unknown' && looks < MOST_LOOKS_UNKNOWN);
  const pauseMs = looks < PATIENT_LOOKS ? SOON_MS : LATER_MS;
  useInterval(
    () => {
      setLooks(looks + 1);
      look();
    },
    isOpen ? pauseMs : null,
  );
  return looks;
}

function Waiting({ isLong }: { isLong: boolean }) {
  return (
    <div class="card stack" role="status">
      <p>
        {isLong
          ? 'The payment provider has not confirmed the payment yet, which takes longer than it should; some ways to pay take days. You can leave this page: your purchase appears once it is confirmed.'
          : 'Thank you. This page waits until the payment provider has confirmed the payment, which takes some seconds.'}
      </p>
      <progress aria-label="Waiting for the payment provider" />
    </div>
  );
}

function doneText({ tier, quantity }: BegunCheckout, plans: readonly Plan[]): string {
  const bought = boughtText(tier, quantity, plans);
  return tier === 'topup' ? `${bought} are added.` : `The workspace has the plan ${bought} now.`;
}

function Notice({ text, isProblem = false }: { text: string; isProblem?: boolean }) {
  return (
    <div class={isProblem ? 'problem' : 'notice'} role={isProblem ? 'alert' : 'status'}>
      <p>{text}</p>
      <p>
        <a href={hrefOf(['billing'])}>Dismiss</a>
      </p>
    </div>
  );
}
