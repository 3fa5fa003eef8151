import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import { botPrefix, documentPrefix } from './storage-keys.ts';

export interface DeletedDocument {
  botId: string;
  documentId: string;
  storageKey: string | null;
}

/** Children before what they hang on, in batches that stay far below the time PostgreSQL gives a statement. */
const BATCHES = [
  { table: 'chunks', size: 5000 },
  { table: 'documents', size: 200 },
  { table: 'conversations', size: 200 },
] as const;
const MAX_CANCELLED = 500;

/** What remains to be removed after a deletion was answered. Every step may be repeated. */
export class PurgeService {
  readonly #storage: ObjectStorage;

  constructor({ storage }: { storage: ObjectStorage }) {
    this.#storage = storage;
  }

  /** Removes the originals of all revisions, and of the pages of a site. */
  async removeOriginals(
    { orgId }: OrgScope,
    { botId, documentId, storageKey }: DeletedDocument,
  ): Promise<void> {
    await this.#storage.deletePrefix(documentPrefix({ orgId, botId, documentId, parentId: null }));
    if (storageKey !== null) await this.#storage.delete(storageKey);
  }

  /** Documents of a deleted bot that are still being indexed. */
  runningIngestions(
    { db, orgId }: OrgScope,
    botId: string,
  ): Promise<{ documentId: string; revision: number }[]> {
    return db.sql(
      `SELECT id AS "documentId", revision FROM documents
       WHERE org_id = $1 AND bot_id = $2 AND status IN ('pending', 'processing') LIMIT ${MAX_CANCELLED}`,
      [orgId, botId],
    );
  }

  /** Removes what belongs to a deleted bot, batch by batch. */
  async removeContents({ db, orgId }: OrgScope, botId: string, signal: AbortSignal): Promise<void> {
    for (const { table, size } of BATCHES) {
      for (let isMore = true; isMore;) {
        signal.throwIfAborted();
        const removed = await db.sql(
          `DELETE FROM ${table} WHERE id IN (
             SELECT id FROM ${table} WHERE org_id = $1 AND bot_id = $2 LIMIT ${size}
           ) RETURNING id`,
          [orgId, botId],
        );
        isMore = removed.length === size;
      }
    }
  }

  /** Removes the files of a deleted bot and, at last, the bot itself. */
  async removeBot({ db, orgId }: OrgScope, botId: string): Promise<void> {
    await this.#storage.deletePrefix(botPrefix({ orgId, botId }));
    await db.sql('DELETE FROM bots WHERE id = $1 AND org_id = $2 AND deleted_at IS NOT NULL', [botId, orgId]);
  }
}
