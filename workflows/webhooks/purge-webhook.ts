import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks/webhook.activities.ts';
import type { PurgeWebhookInput } from '../../core/workflows/commands.ts';

const { removeWebhook } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '1m' },
  summary: 'Remove the log in batches, and then remove the endpoint',
});

/**
 * Removes a deleted webhook endpoint: ends the workflows of its deliveries, removes its delivery log, and
 * finally its row.
 */
export async function purgeWebhook(input: PurgeWebhookInput): Promise<void> {
  setCurrentDetails('Removing the log. The endpoint is hidden, and nothing is sent to it.');
  await removeWebhook(input);
  setCurrentDetails('The endpoint and its log are removed.');
}
