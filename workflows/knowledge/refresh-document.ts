import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope, executeChild, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RefreshActivities } from '../../activities/knowledge/refresh.activities.ts';
import { crawlSite } from './crawl-site.ts';
import { ingestDocument, type IngestState } from './ingest-document.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import {
  crawlWorkflowId,
  ingestWorkflowId,
  type RefreshDocumentInput,
} from '../../core/workflows/commands.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

type RefreshEnd = IngestState | 'joined' | 'idle';

const { beginRefresh } = proxyActivities<RefreshActivities>(databaseActivity);
const { applyRefreshes } = proxyActivities<RefreshActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
});

/**
 * Indexes a web page or website again, on the schedule of its document. Runs until the indexing has ended, so
 * that refreshes of a document never overlap.
 */
export async function refreshDocument(input: RefreshDocumentInput): Promise<RefreshEnd> {
  const started = await beginRefresh(input);
  if ('idle' in started) {
    const { idle: reason } = started;
    setCurrentDetails(`Skipped: ${reason}.`);
    // Update the document's refresh schedule, or remove it if the document was deleted.
    await applyRefreshes({ orgId: input.orgId, documentIds: [input.documentId] });
    return 'idle';
  }
  const { revision, sourceType } = started;
  const end = await indexInChild(input, revision, sourceType === 'sitemap');
  setCurrentDetails(`Revision ${revision}: ${end}.`);
  return end;
}

/**
 * Indexes the document in a child workflow. The child's id is the same as when a user requests the indexing,
 * so that only one of the two runs.
 */
async function indexInChild(
  input: RefreshDocumentInput,
  revision: number,
  isSite: boolean,
): Promise<RefreshEnd> {
  const { orgId, botId, documentId } = input;
  const workflowId = isSite ? crawlWorkflowId(documentId, revision) : ingestWorkflowId(documentId, revision);
  try {
    return await executeChild(isSite ? crawlSite : ingestDocument, {
      workflowId,
      args: [{ orgId, botId, documentId, revision, isRefresh: true }],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: 'REQUEST_CANCEL',
      staticSummary: isSite ? 'Refresh a website' : 'Refresh a web page',
      typedSearchAttributes: [
        { key: searchAttributes.orgId, value: orgId },
        { key: searchAttributes.botId, value: botId },
        { key: searchAttributes.documentId, value: documentId },
      ],
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'joined';
    if (CancellationScope.current().consideredCancelled) throw error;
    return 'failed';
  }
}
