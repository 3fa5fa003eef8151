import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurgeActivities } from '../../activities/bots/purge.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { cancelAll } from '../shared/cancel-all.ts';
import { crawlWorkflowId, ingestWorkflowId, type PurgeBotInput } from '../shared/commands.ts';

const { runningIngestions } = proxyActivities<PurgeActivities>(databaseActivity);
const { removeBotContents, removeBot } = proxyActivities<PurgeActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '1m' },
});

/** Removes everything of a deleted bot: documents, chunks, conversations, webhooks, files, and at last the bot. */
export async function purgeBot(input: PurgeBotInput): Promise<void> {
  setCurrentDetails('Stopping what is being indexed.');
  const running = await runningIngestions(input);
  await cancelAll(
    running.flatMap(({ documentId, revision }) => [
      ingestWorkflowId(documentId, revision),
      crawlWorkflowId(documentId, revision),
    ]),
  );
  setCurrentDetails('Removing documents, conversations and webhooks.');
  await removeBotContents(input);
  setCurrentDetails('Removing files.');
  await removeBot(input);
  setCurrentDetails('Everything is removed.');
}
