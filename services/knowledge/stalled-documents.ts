import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import type {
  StalledDocument,
  StalledDocumentRepository,
} from '../../repositories/knowledge/stalled-document.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { indexingCommand } from './document-commands.ts';

/** Function that returns true if the workflow exists and is not closed. */
export type IsWorkflowOpen = (workflowId: string) => Promise<boolean>;

export interface StalledDocumentsDeps {
  documents: StalledDocumentRepository;
  outbox: OutboxService;
  log: Logger;
}

export interface StalledSweepResult {
  /**
   * Number of checked documents that have not changed for a long time. Most of these documents only wait for
   * a worker.
   */
  checked: number;
  /** Ids of documents whose workflow was lost and is started again. */
  restarted: string[];
  /** Cursor of the next batch of documents; null after the last batch. */
  next: string | null;
}

const UNCHANGED_SECONDS = 15 * 60;
const BATCH_SIZE = 100;

/**
 * Restarts the indexing of documents whose workflow was terminated or lost. They would otherwise stay `pending` or
 * `processing` forever.
 */
export class StalledDocuments {
  readonly #deps: StalledDocumentsDeps;

  constructor(deps: StalledDocumentsDeps) {
    this.#deps = deps;
  }

  async restart(
    db: Database,
    isWorkflowOpen: IsWorkflowOpen,
    { after, unchangedSeconds = UNCHANGED_SECONDS }: { after: string | null; unchangedSeconds?: number },
  ): Promise<StalledSweepResult> {
    const { documents } = this.#deps;
    const found = await documents.list(db, { after, unchangedSeconds, limit: BATCH_SIZE });
    const areOpen = await Promise.all(found.map((each) => isWorkflowOpen(indexingCommand(each).workflowId)));
    const restarted: string[] = [];
    for (const stalled of found.filter((_each, index) => !areOpen[index])) {
      if (await this.#restart(db, stalled, unchangedSeconds)) restarted.push(stalled.id);
    }
    const last = found.length === BATCH_SIZE ? found.at(-1) : undefined;
    return { checked: found.length, restarted, next: last?.id ?? null };
  }

  #restart(database: Database, stalled: StalledDocument, unchangedSeconds: number): Promise<boolean> {
    const { documents, outbox, log } = this.#deps;
    return database.transaction(async (db) => {
      const renewed = await documents.renew(db, stalled, unchangedSeconds);
      if (!renewed) return false;
      const { id: documentId, orgId, revision } = renewed;
      const command = indexingCommand(renewed);
      const summary = `${command.summary}, again: the previous workflow ended early`;
      await outbox.command({ orgId, db }, { ...command, summary });
      log.warn({ documentId, orgId, revision }, 'document has no running workflow; restarting its indexing');
      return true;
    });
  }
}
