import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import {
  checkoutWorkflowId,
  syncBillingWorkflowId,
  type SignalCommand,
  type StartCommand,
} from '../../core/workflows/commands.ts';

/** changed: the provider may know more than we do. profile: it is to learn whom receipts are addressed to. */
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

/** Follows it until it is paid or its time is over. */
export function followCheckoutCommand(row: Checkout): StartCommand<'checkout'> {
  return { ...checkoutTarget(row), action: 'start' };
}

/** Has it looked at now. */
export function tellCheckoutCommand(row: Checkout): SignalCommand<'checkout'> {
  return { ...checkoutTarget(row), action: 'signal', signal: 'event', signalArgs: [] };
}
