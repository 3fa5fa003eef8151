import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BillingActivities } from '../../activities/billing/billing.activities.ts';
import type { CheckoutInput } from '../../core/workflows/commands.ts';
import { formatDetails, formatTimeAfter, limitTimerMs } from '../../core/workflows/format.ts';
import { providerActivity } from './provider-activity.ts';

const eventSignal = defineSignal('event');

type Progress = NonNullable<Awaited<ReturnType<BillingActivities['followCheckout']>>>;
export type CheckoutEnd = Progress['state'] | 'gone';

/**
 * Time in milliseconds to wait after a checkout has expired, so that the payment provider has processed the
 * expiry.
 */
const MARGIN_MS = 30_000;

/**
 * Tracks a customer's checkout until it is paid or expired. Reads its state from the payment provider after
 * each of the provider's events, and when the checkout expires.
 */
export async function checkout(input: CheckoutInput): Promise<CheckoutEnd> {
  const signals = { hasEvent: false };
  setHandler(eventSignal, () => void (signals.hasEvent = true), {
    description: 'Read the state of the checkout, because the provider has sent an event.',
  });
  const { followCheckout } = proxyActivities<BillingActivities>(
    providerActivity('Read the state of the checkout from the payment provider'),
  );
  let waitMs = Math.max(0, Date.parse(input.expiresAt) - Date.now()) + MARGIN_MS;
  showCheckoutDetails('waiting', waitMs);
  for (;;) {
    await condition(() => signals.hasEvent, limitTimerMs(waitMs));
    signals.hasEvent = false;
    setCurrentDetails('Reading from the payment provider.');
    const progress = await followCheckout(input);
    if (progress === null) return showEnd('gone');
    if (progress.isFinished) return showEnd(progress.state);
    ({ waitMs } = progress);
    showCheckoutDetails(progress.state, waitMs);
    if (!signals.hasEvent && workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof checkout>(input);
  }
}

function showCheckoutDetails(state: string, waitMs: number): void {
  setCurrentDetails(
    formatDetails(`Checkout: ${state}`, [
      `Checked again at ${formatTimeAfter(waitMs)}, or when the provider sends an event.`,
    ]),
  );
}

function showEnd(state: CheckoutEnd): CheckoutEnd {
  setCurrentDetails(`Checkout: ${state}.`);
  return state;
}
