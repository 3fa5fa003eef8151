/**
 * What the outbox may ask of Temporal. A start is idempotent by its workflow id, which is derived from the row it is
 * about, so that a command handed over twice does its work once.
 */
export type WorkflowCommand =
  | {
      workflow: 'ingestDocument';
      action: 'start';
      workflowId: string;
      args: [IngestDocumentInput];
      summary: string;
    }
  | { workflow: 'crawlSite'; action: 'start'; workflowId: string; args: [CrawlSiteInput]; summary: string }
  | { workflow: 'purgeBot'; action: 'start'; workflowId: string; args: [PurgeBotInput]; summary: string }
  | {
      workflow: 'deleteDocument';
      action: 'start';
      workflowId: string;
      args: [DeleteDocumentInput];
      summary: string;
    };

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
