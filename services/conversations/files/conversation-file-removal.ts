import { conversationFilesPrefix } from '../../../core/storage-keys.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ConversationRepository } from '../../../repositories/conversations/conversation.repository.ts';
import type {
  ConversationFileRepository,
  UnsentFile,
} from '../../../repositories/conversations/conversation-file.repository.ts';
import { deleteFileCommand } from '../../outbox/delete-file-command.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';

export interface ConversationFileRemovalDeps {
  rows: ConversationFileRepository;
  conversations: ConversationRepository;
  outbox: OutboxService;
}

/** Number of files without a message that one step removes. */
const UNSENT_BATCH = 200;

/** Deletes files of conversations. Workflows delete the files' content after the transaction. */
export class ConversationFileRemoval {
  readonly #deps: ConversationFileRemovalDeps;

  constructor(deps: ConversationFileRemovalDeps) {
    this.#deps = deps;
  }

  /**
   * Deletes conversations with their messages and files. The lock of the conversations makes uploads wait, so
   * that no file is missed. Returns the ids of the deleted conversations.
   */
  async deleteConversations(tx: OrgScope, ids: readonly string[]): Promise<string[]> {
    const { rows, conversations, outbox } = this.#deps;
    await conversations.listLocked(tx, ids);
    for (const { conversationId, botId } of await rows.listConversationsWithFiles(tx, ids)) {
      const storageKey = conversationFilesPrefix({ orgId: tx.orgId, botId, conversationId });
      const input = { orgId: tx.orgId, botId, storageKey };
      await outbox.command(tx, deleteFileCommand(input, 'Remove the files of a deleted conversation'));
    }
    return conversations.deleteAll(tx, ids);
  }

  /** Deletes a conversation's file, whether its content is stored or not. */
  async deleteFile(tx: OrgScope, { id, botId, storageKey }: UnsentFile): Promise<void> {
    const { rows, outbox } = this.#deps;
    if (!(await rows.delete(tx, id))) return;
    const folder = storageKey.slice(0, storageKey.lastIndexOf('/') + 1);
    const input = { orgId: tx.orgId, botId, storageKey: folder };
    await outbox.command(tx, deleteFileCommand(input, 'Remove a file of a conversation'));
  }

  /**
   * Deletes files of all workspaces that belong to no message after an hour, such as those of crashed
   * uploads. Records for the other files to which messages they belong. Returns true if more files may
   * remain.
   */
  removeUnsent(database: Database): Promise<boolean> {
    return database.transaction(async (db) => {
      const { rows } = this.#deps;
      const found = await rows.listUnsentLocked(db, UNSENT_BATCH);
      for (const file of found) {
        const scope = { db, orgId: file.orgId };
        const messageId = await rows.findMessageId(scope, file);
        if (messageId === null) await this.deleteFile(scope, file);
        else await rows.setMessage(scope, file.id, messageId);
      }
      return found.length === UNSENT_BATCH;
    });
  }
}
