import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurgeActivities } from '../../activities/bots/purge.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { RefreshActivities } from '../../activities/knowledge/refresh.activities.ts';
import { cancelAll } from '../shared/cancel-all.ts';
import { crawlWorkflowId, ingestWorkflowId, type PurgeBotInput } from '../../core/workflows/commands.ts';

const { runningIngestions } = proxyActivities<PurgeActivities>(databaseActivity);
const { listRefreshes, applyRefreshes } = proxyActivities<RefreshActivities>({
  ...databaseActivity,
  startToCloseTimeout: '3m',
});
const { removeBotContents, removeBot } = proxyActivities<PurgeActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '1m' },
});

/**
 * Removes all data of a deleted bot: documents, chunks, conversations, webhooks and files, and finally the
 * bot's row.
 */
export async function purgeBot(input: PurgeBotInput): Promise<void> {
  setCurrentDetails('Stopping the indexing of documents.');
  const running = await runningIngestions(input);
  await cancelAll(
    running.flatMap(({ documentId, revision }) => [
      ingestWorkflowId(documentId, revision),
      crawlWorkflowId(documentId, revision),
    ]),
  );
  await removeRefreshes(input);
  setCurrentDetails('Removing documents, conversations and webhooks.');
  await removeBotContents(input);
  setCurrentDetails('Removing files.');
  await removeBot(input);
  setCurrentDetails('All data of the bot is removed.');
}

/**
 * Removes the refresh schedules of a deleted bot's documents. The schedules' ids come from the documents'
 * rows, so this step must run before these rows are deleted.
 */
async function removeRefreshes({ orgId, botId }: PurgeBotInput): Promise<void> {
  for (let after: string | null = null; ;) {
    const documentIds: string[] = await listRefreshes({ orgId, botId, after });
    if (documentIds.length === 0) return;
    await applyRefreshes({ orgId, documentIds });
    after = documentIds.at(-1) ?? null;
  }
}
