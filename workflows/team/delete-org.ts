import { executeChild, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { BillingActivities } from '../../activities/billing/billing.activities.ts';
import type { OrgPurgeActivities } from '../../activities/team/org-purge.activities.ts';
import { providerActivity } from '../billing/provider-activity.ts';
import { purgeBot } from '../bots/purge-bot.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { DeleteOrgInput } from '../../core/workflows/commands.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const { takeBotsOfOrg, countCalendarsOfOrg } = proxyActivities<OrgPurgeActivities>(databaseActivity);
const { removeOrgRows, removeOrgFiles, removeOrg } = proxyActivities<OrgPurgeActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '1m' },
});

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10 * 60_000;
/**
 * Maximum time in milliseconds to wait for the workflows `disconnectCalendar`, each of which takes a day at
 * most.
 */
const PATIENCE_MS = 48 * 60 * 60_000;

/**
 * Removes all data of a deleted workspace: its bots with their data, other rows and files, and finally the
 * workspace's row.
 */
export async function deleteOrg(input: DeleteOrgInput): Promise<void> {
  await endSubscriptions(input);
  let removed = 0;
  for (let bots = await takeBotsOfOrg(input); bots.length > 0; bots = await takeBotsOfOrg(input)) {
    setCurrentDetails(formatDetails('Removing bots', [`${pluralize(removed, 'bot')} removed`]));
    for (const botId of bots) {
      await executeChild(purgeBot, {
        workflowId: `delete-org/${input.orgId}/${botId}`,
        args: [{ orgId: input.orgId, botId }],
        staticSummary: 'Remove all data of a bot in a deleted workspace',
      });
    }
    removed += bots.length;
  }
  setCurrentDetails('Removing webhooks, the audit log and other rows of the workspace.');
  await removeOrgRows(input);
  await removeOrgFiles(input);
  await waitForCalendars(input);
  setCurrentDetails('Removing files and the workspace.');
  await removeOrg(input);
  setCurrentDetails(formatDetails('All data is removed', [`${pluralize(removed, 'bot')} removed`]));
}

/**
 * Ends the workspace's subscriptions at the payment provider, and waits until that succeeds, so that no
 * customer pays for a deleted workspace.
 */
async function endSubscriptions(input: DeleteOrgInput): Promise<void> {
  const { leaveBilling } = proxyActivities<BillingActivities>(
    providerActivity('End the subscriptions of the workspace'),
  );
  setCurrentDetails(
    'Ending the subscriptions of the workspace. The deletion waits while the payment provider is unavailable, PARLEY_STRIPE_SECRET_KEY is missing, or a payment is in progress.',
  );
  await leaveBilling(input);
}

/**
 * Waits until the workflows `disconnectCalendar` have revoked Parley's access to the workspace's calendars.
 * These workflows need the credentials in the workspace's rows.
 */
async function waitForCalendars(input: DeleteOrgInput): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; Date.now() < deadline; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    if ((await countCalendarsOfOrg(input)) === 0) return;
    setCurrentDetails('All other data is removed. Waiting for a calendar provider to revoke access.');
    await sleep(pauseMs);
  }
}
