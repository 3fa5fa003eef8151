import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { PurgeRepository } from '../../repositories/bots/purge.repository.ts';
import type { WebhookPurge } from '../webhooks/webhook-purge.ts';
import { botPrefix, documentPrefix } from '../../core/storage-keys.ts';

export interface DeletedDocument {
  botId: string;
  documentId: string;
  storageKey: string | null;
}

export interface PurgeServiceDeps {
  purge: PurgeRepository;
  endpoints: WebhookPurge;
  storage: ObjectStorage;
}

/** Deletes the data of deleted bots and documents in the background. Every step is idempotent. */
export class PurgeService {
  readonly #deps: PurgeServiceDeps;

  constructor(deps: PurgeServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Deletes the original files of all revisions of a document. For a website, also deletes the files of its
   * pages.
   */
  async removeOriginals(
    { orgId }: OrgScope,
    { botId, documentId, storageKey }: DeletedDocument,
  ): Promise<void> {
    await this.#deps.storage.deletePrefix(documentPrefix({ orgId, botId, documentId, parentId: null }));
    if (storageKey !== null) await this.#deps.storage.delete(storageKey);
  }

  /**
   * Deletes a file of a deleted bot or document. If the storage key ends with a slash, deletes all files
   * below it.
   */
  removeFile(storageKey: string): Promise<void> {
    const { storage } = this.#deps;
    return storageKey.endsWith('/') ? storage.deletePrefix(storageKey) : storage.delete(storageKey);
  }

  /** Lists the documents of a deleted bot that a workflow is still indexing. */
  listRunningIngestions(scope: OrgScope, botId: string): Promise<{ documentId: string; revision: number }[]> {
    return this.#deps.purge.listRunningIngestions(scope, botId);
  }

  /** Deletes all rows that belong to a deleted bot, in batches. The bot's own row stays. */
  async removeContents(scope: OrgScope, botId: string, signal: AbortSignal): Promise<void> {
    await this.#deps.endpoints.removeByBot(scope, botId, signal);
    await this.#deps.purge.deleteContents(scope, botId, signal);
  }

  /** Deletes the files of a deleted bot, then the bot's own row. */
  async removeBot(scope: OrgScope, botId: string): Promise<void> {
    await this.#deps.storage.deletePrefix(botPrefix({ orgId: scope.orgId, botId }));
    await this.#deps.purge.deleteBot(scope, botId);
  }
}
