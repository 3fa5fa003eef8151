import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import {
  checkoutWorkflowId,
  syncBillingWorkflowId,
  type SignalCommand,
  type StartCommand,
} from '../../core/workflows/commands.ts';

/**
 * Returns the command that syncs a payer's data with the payment provider. The signal `changed` reads the
 * provider's data again; `profile` also sends the provider the billing profile.
 */
export function createBillingSyncCommand(
  orgId: string,
  signal: 'changed' | 'profile' = 'changed',
): SignalCommand<'syncBilling'> {
  return {
    workflow: 'syncBilling',
    workflowId: syncBillingWorkflowId(orgId),
    args: [{ orgId }],
    summary: 'Read a payer’s state from the payment provider',
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

/**
 * Returns the command that starts the workflow of a checkout. The workflow checks the checkout until it is
 * paid or expires.
 */
export function createCheckoutStart(row: Checkout): StartCommand<'checkout'> {
  return { ...checkoutTarget(row), action: 'start' };
}

/** Returns the command that makes a checkout's workflow check now whether the checkout was paid. */
export function createCheckoutSignal(row: Checkout): SignalCommand<'checkout'> {
  return { ...checkoutTarget(row), action: 'signal', signal: 'event', signalArgs: [] };
}
