import { useEffect, useState } from 'preact/hooks';
import type { Plan, Subscription } from '../../client/types.ts';
import { useInterval } from '../../hooks/use-interval.ts';
import { hrefOf } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { begunWith } from '../begun-checkout.ts';
import { boughtText } from '../billing-words.ts';
import { isSeen } from '../checkout-seen.ts';

const SOON_MS = 2_000;
const LATER_MS = 10_000;
/** So many looks in vain, and it takes long. */
const PATIENT_LOOKS = 10;

export interface ReturnNoticeProps {
  checkoutId: string;
  /** Whether they came back by the way that does not pay. */
  isLeft: boolean;
  plans: Plan[];
  subscription: Subscription;
  reload(): void;
}

/** For somebody who comes back from the payment provider: what has come of it, as soon as that is known. */
export function ReturnNotice({ checkoutId, isLeft, plans, subscription, reload }: ReturnNoticeProps) {
  const { me } = useSession();
  const [begun] = useState(() => begunWith(checkoutId));
  const [looks, setLooks] = useState(0);
  const isDone = !isLeft && isSeen(begun, subscription);
  const isWaiting = !isLeft && !isDone;
  const isLong = looks >= PATIENT_LOOKS;
  const look = (): void => {
    setLooks(looks + 1);
    reload();
  };
  useInterval(look, isWaiting ? (isLong ? LATER_MS : SOON_MS) : null);
  useEffect(() => {
    if (isDone) me.reload();
  }, [isDone]);
  const bought = begun && boughtText(begun.tier, begun.quantity, plans);
  if (isLeft) return <Notice isProblem text="You have come back without paying: nothing was bought." />;
  if (isDone) return <Notice text={doneText(bought, begun?.tier === 'topup')} />;
  return (
    <div class="card stack" role="status">
      <p>
        {isLong
          ? 'The payment provider has not confirmed the payment yet, which takes longer than it should; some ways to pay take days. You can leave this page: what you bought is there as soon as it is confirmed.'
          : 'Thank you. This page waits until the payment provider has confirmed the payment, which takes some seconds.'}
      </p>
      <progress aria-label="Waiting for the payment provider" />
    </div>
  );
}

function doneText(bought: string | null, isTopUp: boolean): string {
  if (bought === null) return 'The payment is confirmed: below is what holds now.';
  return isTopUp ? `${bought} are added.` : `The workspace has the plan ${bought} now.`;
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
