import { In, Not, Raw, type FindOperator } from 'typeorm';
import type { ChatMessage } from '../../core/answers/chat-model.ts';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { oncePerObject } from '../../core/concurrency/once-per-object.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { fromNow } from '../../database/times.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { DO_MESSAGES_EXIST, HISTORIES } from './answer.sql.ts';
import type { HistoryMessage } from './answer.sql.ts';
import type { ConversationScope } from './message.repository.ts';
import { DecryptedMessageCache } from './decrypted-message-cache.ts';

/** An answer whose process has died. */
export interface AbandonedAnswer {
  id: string;
  orgId: string;
  botId: string;
  conversationId: string;
  /** Null for an answer without a visitor's message: a flow continues. */
  replyToId: string | null;
  /** True if it has been retried for so long that another attempt is pointless. */
  isTooOld: boolean;
}

const MAX_AGE_MINUTES = 10;

interface MessageKey {
  orgId: string;
  id: string;
}

interface HistoryKey {
  orgId: string;
  conversationId: string;
  upToId: string;
}

/** Unfinished answers, and the history that they are generated from. */
export class AnswerRepository {
  readonly #opened = new DecryptedMessageCache();
  readonly #histories = oncePerObject(
    (pool: Database) => new Batcher((asked: HistoryKey[]) => readHistories(pool, asked)),
  );
  readonly #existence = oncePerObject(
    (pool: Database) => new Batcher((asked: MessageKey[]) => readExistence(pool, asked)),
  );

  /**
   * Returns the conversation's latest messages as input for a model, up to the visitor's message. That message comes
   * last, even after answers that finished later. Leaves out leading answers whose questions are too old.
   */
  async listHistory(scope: ConversationScope, upToId: string): Promise<ChatMessage[]> {
    const { db, orgId, conversationId } = scope;
    const said = await this.#histories(db.withoutTransaction).load({ orgId, conversationId, upToId });
    const read = said.slice(said.findIndex(({ role }) => role !== 'assistant'));
    const opened = await this.#opened.openAll(db, read);
    return opened.map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'assistant', content }));
  }

  /** True if the message exists. */
  exists({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    return this.#existence(db.withoutTransaction).load({ orgId, id });
  }

  /** Like `exists`, but waits for a transaction that is deleting the message. */
  async existsLocked({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const kept = await db
      .repository(Message)
      .createQueryBuilder('row')
      .select('row.id')
      .where({ id, orgId })
      .setLock('for_key_share')
      .getOne();
    return kept !== null;
  }

  async renewLease({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<void> {
    const lease = { leaseExpiresAt: fromNow(leaseSeconds, 'secs') };
    await db.repository(Message).update({ id, orgId, state: 'generating' }, lease);
  }

  /** True if an answer in the conversation is unfinished. */
  hasUnfinished({ db, orgId }: OrgScope, conversationId: string): Promise<boolean> {
    return db.repository(Message).existsBy({ orgId, conversationId, state: 'generating' });
  }

  /**
   * Inserts an unfinished message without a visitor's message. Its lease has expired, so that any process can claim
   * it.
   */
  async insertUnprompted(
    { db, orgId }: OrgScope,
    message: Pick<Message, 'id' | 'conversationId'>,
  ): Promise<void> {
    const begun = { role: 'assistant', state: 'generating', content: '' } as const;
    const leaseExpiresAt = fromNow(-1, 'secs');
    await db.repository(Message).insert({ ...message, ...begun, orgId, leaseExpiresAt });
  }

  /** Deletes an unfinished answer. */
  async deleteUnfinished({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(Message).delete({ id, orgId, state: 'generating' });
  }

  /** Deletes the conversation's unfinished answers. */
  async deleteAllUnfinished({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.repository(Message).delete({ conversationId, orgId, state: 'generating' });
  }

  /**
   * Claims an answer whose lease has expired, or deletes it if the conversation is in a handoff. Returns true if it
   * was claimed.
   */
  async claim({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<boolean> {
    const messages = db.repository(Message);
    const abandoned = { id, orgId, ...IS_ABANDONED };
    await messages.delete({ ...abandoned, conversationId: isInHandoff(db) });
    const { affected } = await messages.update(
      { ...abandoned, conversationId: Not(isInHandoff(db)) },
      { leaseExpiresAt: fromNow(leaseSeconds, 'secs') },
    );
    return affected === 1;
  }

  /**
   * Deletes unfinished answers whose lease has expired in conversations that are in a handoff, in all workspaces.
   * @param activeIds answers that this process is generating; their leases may have expired during an outage
   */
  async deleteAbandoned(db: Database, activeIds: string[]): Promise<void> {
    const abandoned = { id: Not(In(activeIds)), ...IS_ABANDONED };
    await db.repository(Message).delete({ ...abandoned, conversationId: isInHandoff(db) });
  }

  /** Claims answers whose lease has expired, in all workspaces. */
  claimAbandoned(database: Database, leaseSeconds: number, limit: number): Promise<AbandonedAnswer[]> {
    return database.transaction(async (db) => {
      const abandoned = await db
        .repository(Message)
        .createQueryBuilder('row')
        .innerJoin(Conversation, 'conversation', 'conversation.id = row.conversationId')
        .innerJoin(Bot, 'bot', 'bot.id = conversation.botId AND bot.deletedAt IS NULL')
        .where(IS_ABANDONED)
        .andWhere("conversation.status NOT IN ('waiting_human', 'human')")
        // Orders by lease, so that answers that fail repeatedly do not block others.
        .orderBy('row.leaseExpiresAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['row'])
        .setOnLocked('skip_locked')
        .select('row.id', 'id')
        .addSelect('row.orgId', 'orgId')
        .addSelect('conversation.botId', 'botId')
        .addSelect('row.conversationId', 'conversationId')
        .addSelect('row.replyToId', 'replyToId')
        // A message without a visitor's message has not been tried while its lease is older than its creation.
        .addSelect(
          `row.createdAt < now() - interval '${MAX_AGE_MINUTES} minutes' AND row.leaseExpiresAt > row.createdAt`,
          'isTooOld',
        )
        .getRawMany<AbandonedAnswer>();
      const lease = { leaseExpiresAt: fromNow(leaseSeconds, 'secs') };
      await db.repository(Message).update({ id: In(abandoned.map(({ id }) => id)) }, lease);
      return abandoned;
    });
  }
}

/** Matches answers whose lease has expired. */
const IS_ABANDONED = { state: 'generating', leaseExpiresAt: Raw((column) => `${column} < now()`) } as const;

/** Matches a column with the id of a conversation that is in a handoff or waits for one. */
function isInHandoff(db: Database): FindOperator<string> {
  const handoffs = db
    .repository(Conversation)
    .createQueryBuilder('handoff')
    .select('handoff.id')
    .where("handoff.status IN ('waiting_human', 'human')");
  return Raw((column) => `${column} IN (${handoffs.getQuery()})`);
}

async function readExistence(db: Database, asked: MessageKey[]): Promise<boolean[]> {
  const rows = await db.run(DO_MESSAGES_EXIST, [asked.map(({ id }) => id), asked.map(({ orgId }) => orgId)]);
  return rows.map(({ exists }) => exists);
}

async function readHistories(db: Database, asked: HistoryKey[]): Promise<HistoryMessage[][]> {
  const rows = await db.run(HISTORIES, [
    asked.map(({ conversationId }) => conversationId),
    asked.map(({ orgId }) => orgId),
    asked.map(({ upToId }) => upToId),
  ]);
  return rows.map(({ said }) => said);
}
