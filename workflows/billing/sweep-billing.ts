import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { BillingActivities } from '../../activities/billing/billing.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const { findUnsyncedBilling } = proxyActivities<BillingActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Find payers, checkouts and events that are due for a check',
});

/**
 * Starts checks of all payers and checkouts for which the payment provider's notification may have been lost.
 */
export async function sweepBilling(): Promise<number> {
  const { accounts, checkouts, events } = await findUnsyncedBilling();
  setCurrentDetails(
    formatDetails('Billing', [
      `${pluralize(accounts, 'payer')} compared with the provider`,
      `${pluralize(checkouts, 'checkout')} overdue`,
      `${pluralize(events, 'event')} matched`,
    ]),
  );
  return accounts;
}
