import type { Document } from '../../entities/knowledge/document.entity.ts';
import {
  crawlWorkflowId,
  deleteDocumentWorkflowId,
  embedBotWorkflowId,
  ingestWorkflowId,
  scheduleRefreshesWorkflowId,
  type EmbedBotInput,
  type IngestDocumentInput,
  type WorkflowCommand,
} from '../../core/workflows/commands.ts';

type IndexableSource = Pick<Document, 'id' | 'orgId' | 'botId' | 'revision' | 'sourceType'>;

const indexingSummaries: Record<Document['sourceType'], string> = {
  file: 'Index an uploaded file',
  raw_text: 'Index a text',
  url: 'Fetch and index a page',
  sitemap: 'Crawl a site by its sitemap',
};

/** Returns the command that starts the indexing of a document's current revision. */
export function indexingCommand({
  id,
  orgId,
  botId,
  revision,
  sourceType,
}: IndexableSource): WorkflowCommand {
  const args: [IngestDocumentInput] = [{ orgId, botId, documentId: id, revision }];
  const summary = indexingSummaries[sourceType];
  return sourceType === 'sitemap'
    ? { workflow: 'crawlSite', action: 'start', workflowId: crawlWorkflowId(id, revision), args, summary }
    : {
        workflow: 'ingestDocument',
        action: 'start',
        workflowId: ingestWorkflowId(id, revision),
        args,
        summary,
      };
}

/** Returns the command that updates the refresh schedule of one document, or of all documents of a bot. */
export function scheduleRefreshesCommand(orgId: string, botId: string, documentId?: string): WorkflowCommand {
  return {
    workflow: 'scheduleRefreshes',
    action: 'signal',
    workflowId: scheduleRefreshesWorkflowId(botId),
    args: [{ orgId, botId }],
    summary: 'Update the refresh schedules of a bot',
    signal: 'changed',
    signalArgs: documentId === undefined ? [] : [documentId],
  };
}

/**
 * Returns the command that cancels the running workflows of a deleted document, and deletes its
 * files.
 */
export function deleteDocumentCommand(
  document: Pick<Document, 'id' | 'orgId' | 'botId' | 'revision' | 'storageKey'>,
): WorkflowCommand {
  const { id, orgId, botId, revision, storageKey } = document;
  return {
    workflow: 'deleteDocument',
    action: 'start',
    workflowId: deleteDocumentWorkflowId(id),
    args: [{ orgId, botId, documentId: id, revision, storageKey }],
    summary: 'Remove the files of a deleted document',
  };
}

/**
 * Returns the command that computes the embeddings of all documents of a bot with `input.model`. The command
 * has no effect while its workflow runs.
 */
export function embedBotCommand(input: EmbedBotInput): WorkflowCommand {
  return {
    workflow: 'embedBot',
    action: 'start',
    workflowId: embedBotWorkflowId(input.botId),
    isRepeatable: true,
    args: [input],
    summary: 'Embed a bot’s documents with another model',
  };
}
