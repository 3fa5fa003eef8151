import { LRUCache } from 'lru-cache';
import { contentKeysOf } from '../../database/content-keys.ts';
import { openedText, requireContent } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { SaidMessage } from './answer.sql.ts';

/** Characters, of all workspaces together. */
const MOST_KEPT = 4 * 1024 * 1024;
const KEPT_MS = 300_000;

interface OpenedMessage {
  keyId: string;
  content: string;
}

/**
 * What sealed messages say that were opened in the last five minutes: a conversation is read at each of its turns, and so
 * each message is opened once. Nobody gets what its key would not open at that moment.
 */
export class OpenedMessages {
  readonly #opened = new LRUCache<string, OpenedMessage>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ content }) => content.length + 1,
    ttl: KEPT_MS,
  });

  /** @param message as it is stored; its key is ready @throws AppError `key_unavailable` */
  contentOf(db: Database, message: SaidMessage): string {
    const { id, orgId, keyId } = message;
    const type = requireContent(Message);
    if (keyId === null) return openedText(db, type, 'content', message);
    const known = this.#opened.get(id);
    if (known?.keyId === keyId) {
      contentKeysOf(db.dataSource).opened(orgId, keyId);
      return known.content;
    }
    const content = openedText(db, type, 'content', message);
    this.#opened.set(id, { keyId, content });
    return content;
  }
}
