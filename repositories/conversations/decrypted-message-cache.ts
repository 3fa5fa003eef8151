import { LRUCache } from 'lru-cache';
import { getContentKeys } from '../../database/content-keys.ts';
import { decryptRows, prepareKeys } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { HistoryMessage } from './answer.sql.ts';

/** Maximum number of characters in the cache of decrypted messages, which all workspaces share. */
const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
const CACHE_TTL_MS = 300_000;

/**
 * Caches decrypted messages for five minutes, because every turn reads its conversation again. A cached
 * message is returned only while its data key is available, so a revoked key takes effect at once.
 */
export class DecryptedMessageCache {
  readonly #opened = new LRUCache<string, Opened<HistoryMessage>>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ content }) => content.length + 1,
    ttl: CACHE_TTL_MS,
  });

  /**
   * Decrypts messages, or takes their decrypted text from the cache.
   * @throws AppError `key_unavailable`
   */
  async openAll(db: Database, messages: readonly HistoryMessage[]): Promise<Opened<HistoryMessage>[]> {
    const openedById = new Map<string, Opened<HistoryMessage>>();
    for (const { id, keyId } of messages) {
      const message = this.#opened.get(id);
      if (message && message.keyId === keyId) openedById.set(id, message);
    }
    const uncached = messages.filter(({ id }) => !openedById.has(id));
    await this.#requireKeys(db, [...openedById.values()]);
    for (const message of await decryptRows(db, Message, uncached)) {
      openedById.set(message.id, message);
      if (message.keyId !== null) this.#opened.set(message.id, message);
    }
    return messages.map(({ id }) => openedById.get(id)!);
  }

  async #requireKeys(db: Database, messages: readonly Opened<HistoryMessage>[]): Promise<void> {
    await prepareKeys(db, messages);
    for (const { orgId, keyId } of messages)
      if (keyId !== null) getContentKeys(db.dataSource).requireCachedKey(orgId, keyId);
  }
}
