import { executeChild, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { OrgPurgeActivities } from '../../activities/team/org-purge.activities.ts';
import { purgeBot } from '../bots/purge-bot.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { DeleteOrgInput } from '../shared/commands.ts';
import { counted, detailsOf } from '../shared/format.ts';

const { takeBotsOfOrg } = proxyActivities<OrgPurgeActivities>(databaseActivity);
const { removeOrgRows, removeOrg } = proxyActivities<OrgPurgeActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '1m' },
});

/** Removes everything of a deleted workspace: its bots with all that they have, its rows, its files, and at last itself. */
export async function deleteOrg(input: DeleteOrgInput): Promise<void> {
  let removed = 0;
  for (let bots = await takeBotsOfOrg(input); bots.length > 0; bots = await takeBotsOfOrg(input)) {
    setCurrentDetails(detailsOf('Removing bots', [`${counted(removed, 'bot')} removed`]));
    for (const botId of bots) {
      await executeChild(purgeBot, {
        workflowId: `delete-org/${input.orgId}/${botId}`,
        args: [{ orgId: input.orgId, botId }],
        staticSummary: 'Remove everything of a bot of a deleted workspace',
      });
    }
    removed += bots.length;
  }
  setCurrentDetails('Removing webhooks, the audit log and what else belongs to the workspace.');
  await removeOrgRows(input);
  setCurrentDetails('Removing files, and the workspace.');
  await removeOrg(input);
  setCurrentDetails(detailsOf('Everything is removed', [`${counted(removed, 'bot')} removed`]));
}
