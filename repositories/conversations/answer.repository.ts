import { In, Not, Raw, type FindOperator } from 'typeorm';
import type { ChatMessage } from '../../core/answers/chat-model.ts';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { memoizePerObject } from '../../core/concurrency/memoize-per-object.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { notifyChannel } from '../../database/notify.ts';
import { fromNow } from '../../database/times.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation, CONVERSATIONS_CHANNEL } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { ANSWER_STATES, HISTORIES } from './answer.sql.ts';
import type { AnswerState, HistoryMessage } from './answer.sql.ts';
import type { ConversationScope } from './message.repository.ts';
import { DecryptedMessageCache } from './decrypted-message-cache.ts';

/** An unfinished answer whose lease has expired, because the process that generated it has died. */
export interface AbandonedAnswer {
  id: string;
  orgId: string;
  botId: string;
  conversationId: string;
  /** Id of the visitor's message that is answered; null if a flow continues without a message. */
  replyToId: string | null;
  /**
   * True if the answer was tried before and is older than ten minutes; such an answer is not attempted again.
   */
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

/** Reads and leases unfinished answers, and reads the history from which they are generated. */
export class AnswerRepository {
  readonly #decryptedMessages = new DecryptedMessageCache();
  readonly #histories = memoizePerObject(
    (pool: Database) => new Batcher((keys: HistoryKey[]) => readHistories(pool, keys)),
  );
  readonly #states = memoizePerObject(
    (pool: Database) => new Batcher((keys: MessageKey[]) => readStates(pool, keys)),
  );

  /**
   * Returns the conversation's latest messages up to the visitor's message, as input for a model. The
   * visitor's message comes last, even if earlier answers finished after it. Omits leading answers whose
   * questions are no longer included.
   */
  async listHistory(scope: ConversationScope, upToId: string): Promise<ChatMessage[]> {
    const { db, orgId, conversationId } = scope;
    const history = await this.#histories(db.withoutTransaction).load({ orgId, conversationId, upToId });
    const includedMessages = history.slice(history.findIndex(({ role }) => role !== 'assistant'));
    const opened = await this.#decryptedMessages.openAll(db, includedMessages);
    return opened.flatMap(({ role, content }) =>
      // Skip an answer that the visitor has stopped before its first text.
      content === '' ? [] : [{ role: role === 'user' ? 'user' : 'assistant', content }],
    );
  }

  getState({ db, orgId }: OrgScope, id: string): Promise<AnswerState> {
    return this.#states(db.withoutTransaction).load({ orgId, id });
  }

  /** Returns the state of an answer. Waits for a transaction that is deleting the answer. */
  async getStateLocked({ db, orgId }: OrgScope, id: string): Promise<AnswerState> {
    const message = await db
      .repository(Message)
      .createQueryBuilder('row')
      .select(['row.id', 'row.stoppedAt'])
      .where({ id, orgId })
      .setLock('for_key_share')
      .getOne();
    if (!message) return 'deleted';
    return message.stoppedAt ? 'stopped' : 'needed';
  }

  /** Stops an unfinished answer, and notifies the process that generates it. Does nothing if the answer is complete. */
  async stop({ db, orgId, conversationId }: ConversationScope, id: string): Promise<void> {
    const unfinished = { id, orgId, conversationId, state: 'generating' } as const;
    const { affected } = await db.repository(Message).update(unfinished, { stoppedAt: () => 'now()' });
    if (affected === 1) await notifyChannel(db, CONVERSATIONS_CHANNEL, conversationId);
  }

  async renewLease({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<void> {
    const lease = { leaseExpiresAt: fromNow(leaseSeconds, 'secs') };
    await db.repository(Message).update({ id, orgId, state: 'generating' }, lease);
  }

  hasUnfinished({ db, orgId }: OrgScope, conversationId: string): Promise<boolean> {
    return db.repository(Message).existsBy({ orgId, conversationId, state: 'generating' });
  }

  /**
   * Inserts an unfinished answer that replies to no visitor's message. Its lease is already expired, so that
   * any process can claim the answer.
   */
  async insertAnswerWithoutTurn(
    { db, orgId }: OrgScope,
    message: Pick<Message, 'id' | 'conversationId'>,
  ): Promise<void> {
    const unfinished = { role: 'assistant', state: 'generating', content: '' } as const;
    const leaseExpiresAt = fromNow(-1, 'secs');
    await db.repository(Message).insert({ ...message, ...unfinished, orgId, leaseExpiresAt });
  }

  async deleteUnfinished({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(Message).delete({ id, orgId, state: 'generating' });
  }

  async deleteAllUnfinished({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.repository(Message).delete({ conversationId, orgId, state: 'generating' });
  }

  /**
   * Claims an answer whose lease has expired. Deletes the answer instead if its conversation is in a handoff.
   * Returns true if the answer was claimed.
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
   * Deletes unfinished answers with an expired lease in conversations that are in a handoff, in all
   * workspaces.
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
        // Take the oldest lease first, so that answers that fail repeatedly do not delay other answers.
        .orderBy('row.leaseExpiresAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['row'])
        .setOnLocked('skip_locked')
        .select('row.id', 'id')
        .addSelect('row.orgId', 'orgId')
        .addSelect('conversation.botId', 'botId')
        .addSelect('row.conversationId', 'conversationId')
        .addSelect('row.replyToId', 'replyToId')
        // An answer without a visitor's message was inserted with a lease that had expired before. Such a
        // lease means that no process has tried to generate the answer yet.
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

/** Matches unfinished answers whose lease has expired. */
const IS_ABANDONED = { state: 'generating', leaseExpiresAt: Raw((column) => `${column} < now()`) } as const;

/** Returns an operator that matches ids of conversations in a handoff, or waiting for an agent. */
function isInHandoff(db: Database): FindOperator<string> {
  const handoffs = db
    .repository(Conversation)
    .createQueryBuilder('handoff')
    .select('handoff.id')
    .where("handoff.status IN ('waiting_human', 'human')");
  return Raw((column) => `${column} IN (${handoffs.getQuery()})`);
}

async function readStates(db: Database, keys: MessageKey[]): Promise<AnswerState[]> {
  const rows = await db.run(ANSWER_STATES, [keys.map(({ id }) => id), keys.map(({ orgId }) => orgId)]);
  return rows.map(({ state }) => state);
}

async function readHistories(db: Database, keys: HistoryKey[]): Promise<HistoryMessage[][]> {
  const rows = await db.run(HISTORIES, [
    keys.map(({ conversationId }) => conversationId),
    keys.map(({ orgId }) => orgId),
    keys.map(({ upToId }) => upToId),
  ]);
  return rows.map(({ history }) => history);
}
