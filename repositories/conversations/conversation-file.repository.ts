import { In, IsNull, MoreThan, Not } from 'typeorm';
import { isOlderThan } from '../../database/times.ts';
import type { ContentTarget } from '../../database/content-conversion.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { ConversationFile } from '../../entities/conversations/conversation-file.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { ConversationScope } from './message.repository.ts';

/** A stored file of a conversation with its data key, as needed to encrypt the file again. */
export type StoredConversationFile = Pick<
  ConversationFile,
  'id' | 'orgId' | 'botId' | 'fileKeyId' | 'sizeBytes' | 'sha256' | 'storageKey'
>;

/** A file of a conversation with the folder of the storage that has all its copies. */
export interface ConversationFileLocation {
  id: string;
  orgId: string;
  botId: string;
  /** Prefix of the storage keys of all copies of the file. */
  folder: string;
}

export type UnsentFile = Pick<
  ConversationFile,
  'id' | 'orgId' | 'botId' | 'conversationId' | 'clientId' | 'storageKey'
>;

/** Maximum time for which an uploaded file waits for the visitor's message that contains it. */
const UNSENT = "interval '1 hour'";

export class ConversationFileRepository extends ScopedRepository<ConversationFile> {
  constructor() {
    super(ConversationFile, 'file');
  }

  /**
   * Lists the stored files of a conversation, oldest first, each with the id of its message. The id is null
   * until the visitor has sent the message.
   */
  async listInConversation(scope: ConversationScope): Promise<ConversationFile[]> {
    const { conversationId } = scope;
    const files = await this.query(scope)
      .andWhere({ conversationId })
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .getMany();
    const clientIds = files.flatMap(({ messageId, clientId }) =>
      messageId === null ? (clientId ?? []) : [],
    );
    const sentIds = await this.#mapMessages(scope, clientIds);
    return files.map((file) => ({
      ...file,
      messageId: file.messageId ?? sentIds.get(file.clientId!) ?? null,
    }));
  }

  /** Counts the stored files of a conversation, or of one message in it. */
  count(
    { db, orgId, conversationId }: ConversationScope,
    filter: Pick<ConversationFile, 'senderRole'> & { clientId?: string },
  ): Promise<number> {
    return db.repository(ConversationFile).countBy({ orgId, conversationId, ...filter });
  }

  /** Returns the id of the visitor's message that has the file; null if the message was not sent. */
  async findMessageId(
    scope: OrgScope,
    { conversationId, clientId }: Pick<ConversationFile, 'conversationId' | 'clientId'>,
  ): Promise<string | null> {
    if (conversationId === null || clientId === null) return null;
    return (await this.#mapMessages({ ...scope, conversationId }, [clientId])).get(clientId) ?? null;
  }

  /** Returns those of the given conversations that have files. */
  async listConversationsWithFiles(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
  ): Promise<{ conversationId: string; botId: string }[]> {
    if (conversationIds.length === 0) return [];
    return db
      .repository(ConversationFile)
      .createQueryBuilder('row')
      .select('row.conversationId', 'conversationId')
      .addSelect('row.botId', 'botId')
      .distinct()
      .where({ orgId, conversationId: In(conversationIds) })
      .getRawMany();
  }

  /**
   * Locks uploaded files of all workspaces whose message did not arrive within an hour, or is not recorded
   * yet.
   */
  async listUnsentLocked(db: Database, limit: number): Promise<UnsentFile[]> {
    return db
      .repository(ConversationFile)
      .createQueryBuilder('row')
      .select(
        ['id', 'orgId', 'botId', 'conversationId', 'clientId', 'storageKey'].map((name) => `row.${name}`),
      )
      .where({ messageId: IsNull(), createdAt: isOlderThan(UNSENT) })
      .orderBy('row.createdAt')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  /** Stores the id of the message that has the file. */
  async setMessage({ db, orgId }: OrgScope, id: string, messageId: string): Promise<void> {
    await db.repository(ConversationFile).update({ id, orgId }, { messageId });
  }

  /** Lists stored files of conversations whose content has another data key than the target, sorted by id. */
  async listNeedingReseal(
    { db, orgId }: OrgScope,
    { key, keyIds }: ContentTarget,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<StoredConversationFile[]> {
    const query = db
      .repository(ConversationFile)
      .createQueryBuilder('row')
      .select(
        ['id', 'orgId', 'botId', 'fileKeyId', 'storageKey', 'sizeBytes', 'sha256'].map(
          (name) => `row.${name}`,
        ),
      )
      .where({ orgId, conversationId: Not(IsNull()), ...(after !== null && { id: MoreThan(after) }) })
      .orderBy('row.id')
      .limit(limit);
    if (key === null) query.andWhere('row.fileKeyId IS NOT NULL');
    else query.andWhere('(row.fileKeyId IS NULL OR row.fileKeyId <> ALL(:keyIds))', { keyIds });
    return query.getMany();
  }

  /** Returns whether the content of a conversation's file still has this storage key. */
  isCurrent({ db, orgId }: OrgScope, { id, storageKey }: StoredConversationFile): Promise<boolean> {
    return db.repository(ConversationFile).existsBy({ id, orgId, storageKey });
  }

  /**
   * Replaces the storage key and data key of a file that was encrypted again. Returns false if the file was
   * deleted or replaced meanwhile.
   */
  async replaceContent(
    { db, orgId }: OrgScope,
    { id, storageKey }: StoredConversationFile,
    converted: Pick<StoredConversationFile, 'storageKey' | 'fileKeyId'>,
  ): Promise<boolean> {
    const { affected } = await db.repository(ConversationFile).update({ id, orgId, storageKey }, converted);
    return affected === 1;
  }

  /** Returns the ids of the visitor's messages with the given client ids, by client id. */
  async #mapMessages(
    { db, orgId, conversationId }: ConversationScope,
    clientIds: readonly string[],
  ): Promise<Map<string, string>> {
    if (clientIds.length === 0) return new Map();
    const messages = await db.repository(Message).find({
      select: { id: true, clientId: true },
      where: { orgId, conversationId, role: 'user', clientId: In([...new Set(clientIds)]) },
    });
    return new Map(messages.map(({ id, clientId }) => [clientId!, id]));
  }
}
