import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurgeActivities } from '../../activities/bots/purge.activities.ts';
import { cancelAll } from '../shared/cancel-all.ts';
import {
  crawlWorkflowId,
  ingestWorkflowId,
  type DeleteDocumentInput,
} from '../../core/workflows/commands.ts';

const { removeOriginals } = proxyActivities<PurgeActivities>({
  startToCloseTimeout: '2m',
  retry: { maximumInterval: '1m' },
  summary: 'Remove the stored originals of all revisions',
});

/** Cancels the indexing of a deleted document, then removes its files. */
export async function deleteDocument(input: DeleteDocumentInput): Promise<void> {
  const { documentId, revision } = input;
  await cancelAll([ingestWorkflowId(documentId, revision), crawlWorkflowId(documentId, revision)]);
  await removeOriginals(input);
  setCurrentDetails('The stored originals are removed.');
}
