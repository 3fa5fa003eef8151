import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks/webhook.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { formatDetails } from '../../core/workflows/format.ts';

const { resumeStalledDeliveries } = proxyActivities<WebhookActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Find webhook deliveries whose retry is overdue, and restart their workflows',
});

/**
 * Restarts the workflows of webhook deliveries that were terminated or lost, so that no delivery waits
 * forever.
 */
export async function sweepDeliveries(): Promise<number> {
  const { length } = await resumeStalledDeliveries();
  setCurrentDetails(formatDetails('Webhook retries', [`${length} overdue, workflows restarted`]));
  return length;
}
