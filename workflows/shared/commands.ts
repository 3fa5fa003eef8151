/** Asks for a workflow; the summary is its line in the lists of Temporal's UI. */
interface Start<Workflow extends string, Input> {
  workflow: Workflow;
  action: 'start';
  workflowId: string;
  args: [Input];
  summary: string;
}

/**
 * What the outbox may ask of Temporal. A start is idempotent by its workflow id, which is derived from the row it is
 * about, so that a command handed over twice does its work once.
 */
export type WorkflowCommand =
  | Start<'ingestDocument', IngestDocumentInput>
  | Start<'crawlSite', CrawlSiteInput>
  | Start<'purgeBot', PurgeBotInput>
  | Start<'deleteDocument', DeleteDocumentInput>;

export interface IngestDocumentInput {
  orgId: string;
  botId: string;
  documentId: string;
  revision: number;
}

export type CrawlSiteInput = IngestDocumentInput;

export interface PurgeBotInput {
  orgId: string;
  botId: string;
}

export interface DeleteDocumentInput {
  orgId: string;
  botId: string;
  documentId: string;
  /** The revision whose ingestion may still run and is cancelled. */
  revision: number;
  storageKey: string | null;
}

export const ingestWorkflowId = (documentId: string, revision: number) => `ingest/${documentId}/${revision}`;
export const crawlWorkflowId = (documentId: string, revision: number) => `crawl/${documentId}/${revision}`;
export const deleteDocumentWorkflowId = (documentId: string) => `delete-document/${documentId}`;
export const purgeBotWorkflowId = (botId: string) => `purge-bot/${botId}`;
