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
import { ARE_THERE, HISTORIES } from './answer.sql.ts';
import type { SaidMessage } from './answer.sql.ts';
import type { ConversationScope } from './message.repository.ts';
import { OpenedMessages } from './opened-messages.ts';

/** An answer whose process has died. */
export interface AbandonedAnswer {
  id: string;
  orgId: string;
  botId: string;
  conversationId: string;
  /** Null for one that nobody asked for: a flow goes on. */
  replyToId: string | null;
  /** Whether it has been tried for so long that trying once more makes no sense. */
  isTooOld: boolean;
}

const MAX_AGE_MINUTES = 10;

interface AskedMessage {
  orgId: string;
  id: string;
}

interface AskedHistory {
  orgId: string;
  conversationId: string;
  upToId: string;
}

/** Answers in the making, and what they are made from. */
export class AnswerRepository {
  readonly #opened = new OpenedMessages();
  readonly #histories = oncePerObject(
    (pool: Database) => new Batcher((asked: AskedHistory[]) => readHistories(pool, asked)),
  );
  readonly #presences = oncePerObject(
    (pool: Database) => new Batcher((asked: AskedMessage[]) => readPresences(pool, asked)),
  );

  /**
   * The last messages of the conversation, as a model reads them: up to the visitor's turn, which comes after answers that
   * were finished later, and without answers whose questions are further back.
   */
  async listHistory(scope: ConversationScope, upToId: string): Promise<ChatMessage[]> {
    const { db, orgId, conversationId } = scope;
    const said = await this.#histories(db.outside).load({ orgId, conversationId, upToId });
    const read = said.slice(said.findIndex(({ role }) => role !== 'assistant'));
    const opened = await this.#opened.openAll(db, read);
    return opened.map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'assistant', content }));
  }

  /** Whether the message is still there. */
  isThere({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    return this.#presences(db.outside).load({ orgId, id });
  }

  /** The same, but waits for who is removing it at this moment. */
  async remains({ db, orgId }: OrgScope, id: string): Promise<boolean> {
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

  /** Whether an answer to the conversation is in the making. */
  isOneOpen({ db, orgId }: OrgScope, conversationId: string): Promise<boolean> {
    return db.repository(Message).existsBy({ orgId, conversationId, state: 'generating' });
  }

  /** Begins a message that answers no turn, and that nobody makes yet. */
  async insertUnasked(
    { db, orgId }: OrgScope,
    message: Pick<Message, 'id' | 'conversationId'>,
  ): Promise<void> {
    const begun = { role: 'assistant', state: 'generating', content: '' } as const;
    const leaseExpiresAt = fromNow(-1, 'secs');
    await db.repository(Message).insert({ ...message, ...begun, orgId, leaseExpiresAt });
  }

  /** Drops an answer that is in the making. */
  async drop({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(Message).delete({ id, orgId, state: 'generating' });
  }

  /** Drops the answers to the conversation that are in the making. */
  async delete({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.repository(Message).delete({ conversationId, orgId, state: 'generating' });
  }

  /** Takes the lease of an answer if it has run out; returns whether it has. In a handoff the answer is dropped instead. */
  async claim({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<boolean> {
    const messages = db.repository(Message);
    const abandoned = { id, orgId, ...ABANDONED };
    await messages.delete({ ...abandoned, conversationId: isInHandoff(db) });
    const { affected } = await messages.update(
      { ...abandoned, conversationId: Not(isInHandoff(db)) },
      { leaseExpiresAt: fromNow(leaseSeconds, 'secs') },
    );
    return affected === 1;
  }

  /**
   * Drops the answers that nobody makes any more where the bot is silent, in any workspace.
   * @param inTheMaking whose lease may have been lost in an outage
   */
  async deleteAbandoned(db: Database, inTheMaking: string[]): Promise<void> {
    const abandoned = { id: Not(In(inTheMaking)), ...ABANDONED };
    await db.repository(Message).delete({ ...abandoned, conversationId: isInHandoff(db) });
  }

  /** Takes the leases of answers that nobody makes any more, in any workspace. */
  claimAbandoned(database: Database, leaseSeconds: number, limit: number): Promise<AbandonedAnswer[]> {
    return database.transaction(async (db) => {
      const abandoned = await db
        .repository(Message)
        .createQueryBuilder('row')
        .innerJoin(Conversation, 'conversation', 'conversation.id = row.conversationId')
        .innerJoin(Bot, 'bot', 'bot.id = conversation.botId AND bot.deletedAt IS NULL')
        .where(ABANDONED)
        .andWhere("conversation.status NOT IN ('waiting_human', 'human')")
        // Those that cannot be made, whatever the reason, let the others pass.
        .orderBy('row.leaseExpiresAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['row'])
        .setOnLocked('skip_locked')
        .select('row.id', 'id')
        .addSelect('row.orgId', 'orgId')
        .addSelect('conversation.botId', 'botId')
        .addSelect('row.conversationId', 'conversationId')
        .addSelect('row.replyToId', 'replyToId')
        // One that nobody has asked for was not tried yet while its lease is older than itself.
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

/** Answers whose lease has run out. */
const ABANDONED = { state: 'generating', leaseExpiresAt: Raw((column) => `${column} < now()`) } as const;

/** Whether a column names a conversation that a person is asked for or has. */
function isInHandoff(db: Database): FindOperator<string> {
  const handoffs = db
    .repository(Conversation)
    .createQueryBuilder('handoff')
    .select('handoff.id')
    .where("handoff.status IN ('waiting_human', 'human')");
  return Raw((column) => `${column} IN (${handoffs.getQuery()})`);
}

async function readPresences(db: Database, asked: AskedMessage[]): Promise<boolean[]> {
  const rows = await db.run(ARE_THERE, [asked.map(({ id }) => id), asked.map(({ orgId }) => orgId)]);
  return rows.map(({ isThere }) => isThere);
}

async function readHistories(db: Database, asked: AskedHistory[]): Promise<SaidMessage[][]> {
  const rows = await db.run(HISTORIES, [
    asked.map(({ conversationId }) => conversationId),
    asked.map(({ orgId }) => orgId),
    asked.map(({ upToId }) => upToId),
  ]);
  return rows.map(({ said }) => said);
}
