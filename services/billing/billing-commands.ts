import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import {
  checkoutWorkflowId,
  syncBillingWorkflowId,
  type SignalCommand,
  type StartCommand,
} from '../../core/workflows/commands.ts';

/**
 * Syncs a payer's data with the payment provider. The signal `changed` reads the provider's data again;
 * `profile` also sends it the billing profile.
 */
export function syncBillingCommand(
  orgId: string,
  signal: 'changed' | 'profile' = 'changed',
): SignalCommand<'syncBilling'> {
  return {
    workflow: 'syncBilling',
    workflowId: syncBillingWorkflowId(orgId),
    args: [{ orgId }],
    summary: 'Compare a payer with the payment provider',
    action: 'signal',
    signal,
    signalArgs: [],
  };
}

function checkoutTarget({ id, orgId, product, expiresAt }: Checkout) {
  return {
    workflow: 'checkout',
    workflowId: checkoutWorkflowId(id),
    args: [{ orgId, checkoutId: id, expiresAt: expiresAt.toISOString() }],
    summary: `Checkout of ${product}`,
  } satisfies Omit<StartCommand<'checkout'>, 'action'>;
}

/** Starts the workflow that polls a checkout until it is paid or expires. */
export function followCheckoutCommand(row: Checkout): StartCommand<'checkout'> {
  return { ...checkoutTarget(row), action: 'start' };
}

/** Signals the checkout's workflow to check the checkout now. */
export function signalCheckoutCommand(row: Checkout): SignalCommand<'checkout'> {
  return { ...checkoutTarget(row), action: 'signal', signal: 'event', signalArgs: [] };
}
