import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Document } from '../../../entities/knowledge/document.entity.ts';
import type { DocumentRepository, Refresh } from '../../../repositories/knowledge/document.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { refreshesCommand } from '../document-commands.ts';
import { isBeingIndexed, toNextRevision } from '../next-revision.ts';

/** Storage of refresh schedules. */
export interface RefreshSchedules {
  /** Creates or updates the schedule. */
  upsert(refresh: Refresh): Promise<void>;
  remove(documentId: string): Promise<void>;
  /** Returns the ids of documents that have a schedule. */
  list(): Promise<Set<string>>;
}

/** The indexing that a refresh starts or joins, or the reason why it does neither. */
export type StartedRefresh =
  | Pick<Document, 'revision' | 'sourceType'>
  | { idle: 'the document is deleted' | 'its workspace is inactive' };

export interface RefreshServiceDeps {
  documents: DocumentRepository;
  outbox: OutboxService;
}

const BATCH_SIZE = 20;
const COMPARED_BATCH_SIZE = 1000;

/** Manages documents that are refreshed daily or weekly. */
export class RefreshService {
  readonly #deps: RefreshServiceDeps;

  constructor(deps: RefreshServiceDeps) {
    this.#deps = deps;
  }

  /** Has the bot's schedules updated to its status, if it has any. */
  async requestSchedules(scope: OrgScope, botId: string): Promise<void> {
    const { documents, outbox } = this.#deps;
    const [first] = await documents.listRefreshed(scope, botId, { after: null, limit: 1 });
    if (first !== undefined) await outbox.command(scope, refreshesCommand(scope.orgId, botId));
  }

  /** Has missing schedules recreated. Returns the number of bots that had any missing. */
  async restoreSchedules(db: Database, schedules: RefreshSchedules): Promise<number> {
    const { documents, outbox } = this.#deps;
    const present = await schedules.list();
    const bots = new Map<string, string>();
    for (let after: string | null = null; ;) {
      const batch = await documents.listAllRefreshed(db, { after, limit: COMPARED_BATCH_SIZE });
      for (const { id, orgId, botId } of batch) if (!present.has(id)) bots.set(botId, orgId);
      after = batch.at(-1)?.id ?? null;
      if (after === null) break;
    }
    const { traceparent } = outbox;
    await outbox.commands(
      db,
      [...bots].map(([botId, orgId]) => ({ orgId, command: refreshesCommand(orgId, botId), traceparent })),
    );
    return bots.size;
  }

  /**
   * Returns a page of ids of the bot's refreshed documents, also if the bot is deleted. The last id is the cursor.
   */
  list(scope: OrgScope, botId: string, after: string | null): Promise<string[]> {
    return this.#deps.documents.listRefreshed(scope, botId, { after, limit: BATCH_SIZE });
  }

  /** Updates the schedules of these documents to what the database says now. */
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

  /** Starts the next revision, or joins the indexing that is already running. */
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
