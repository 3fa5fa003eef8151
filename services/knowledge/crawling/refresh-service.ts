import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Document } from '../../../entities/knowledge/document.entity.ts';
import type { DocumentRepository, Refresh } from '../../../repositories/knowledge/document.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { scheduleRefreshesCommand } from '../document-commands.ts';
import { isBeingIndexed, toNextRevision } from '../next-revision.ts';

/** Temporal schedules that index documents again daily or weekly. */
export interface RefreshSchedules {
  /** Creates or updates the schedule that refreshes a document. */
  upsert(refresh: Refresh): Promise<void>;
  remove(documentId: string): Promise<void>;
  /** Returns the ids of all documents that have a refresh schedule. */
  list(): Promise<Set<string>>;
}

/**
 * Result of starting a document's refresh: the indexing that the refresh has started or joined, or `idle`
 * with the reason why nothing is indexed. Running workflows store this result, so the names in it must not
 * change.
 */
export type StartedRefresh =
  | Pick<Document, 'revision' | 'sourceType'>
  | { idle: 'the document is deleted' | 'its workspace is inactive' };

export interface RefreshServiceDeps {
  documents: DocumentRepository;
  outbox: OutboxService;
}

const BATCH_SIZE = 20;
const COMPARED_BATCH_SIZE = 1000;

/** Manages the daily or weekly refresh of documents, which indexes them again. */
export class RefreshService {
  readonly #deps: RefreshServiceDeps;

  constructor(deps: RefreshServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Requests an update of the refresh schedules of the bot's documents after the bot's status has changed.
   */
  async requestSchedules(scope: OrgScope, botId: string): Promise<void> {
    const { documents, outbox } = this.#deps;
    const [first] = await documents.listRefreshed(scope, botId, { after: null, limit: 1 });
    if (first !== undefined) await outbox.command(scope, scheduleRefreshesCommand(scope.orgId, botId));
  }

  /**
   * Requests the creation of missing refresh schedules. Returns the number of bots with missing schedules.
   */
  async restoreSchedules(db: Database, schedules: RefreshSchedules): Promise<number> {
    const { documents, outbox } = this.#deps;
    const existing = await schedules.list();
    const bots = new Map<string, string>();
    for (let after: string | null = null; ;) {
      const batch = await documents.listAllRefreshed(db, { after, limit: COMPARED_BATCH_SIZE });
      for (const { id, orgId, botId } of batch) if (!existing.has(id)) bots.set(botId, orgId);
      after = batch.at(-1)?.id ?? null;
      if (after === null) break;
    }
    const { traceparent } = outbox;
    await outbox.commands(
      db,
      [...bots].map(([botId, orgId]) => ({
        orgId,
        command: scheduleRefreshesCommand(orgId, botId),
        traceparent,
      })),
    );
    return bots.size;
  }

  /**
   * Returns a page of ids of the bot's refreshed documents, even if the bot is deleted. The next page starts
   * after the last id.
   */
  list(scope: OrgScope, botId: string, after: string | null): Promise<string[]> {
    return this.#deps.documents.listRefreshed(scope, botId, { after, limit: BATCH_SIZE });
  }

  /** Updates the refresh schedules of these documents to match their settings in the database. */
  async applySchedules(
    scope: OrgScope,
    schedules: RefreshSchedules,
    documentIds: readonly string[],
  ): Promise<void> {
    for (const documentId of documentIds) {
      const refresh = await this.#deps.documents.findRefresh(scope, documentId);
      if (refresh === null) await schedules.remove(documentId);
      else await schedules.upsert(refresh);
    }
  }

  /**
   * Starts to index the document's next revision. If the document is already being indexed, joins the running
   * indexing.
   */
  async begin(scope: OrgScope, documentId: string): Promise<StartedRefresh> {
    const { documents } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const document = await documents.findLocked(tx, documentId);
      const bot = document && (await documents.findBotState(tx, document.botId));
      if (!document || !bot) return { idle: 'the document is deleted' };
      if (!bot.isOrgActive) return { idle: 'its workspace is inactive' };
      const { revision, sourceType } = document;
      if (isBeingIndexed(document)) return { revision, sourceType };
      const next = toNextRevision(document);
      await documents.update(tx, documentId, { ...next, updatedAt: () => 'now()' });
      return { revision: next.revision, sourceType };
    });
  }
}
