import type { ChatMessage } from '../adapters/llm/chat-model.ts';
import type { Citation } from '../core/citation.ts';
import { AppError } from '../core/errors.ts';
import type { Database } from '../entities/database.ts';
import { Message, type MessageRole } from '../entities/message.entity.ts';
import type { OrgScope } from './org-scope.ts';
import { ScopedRepository } from './scoped.repository.ts';

interface ConversationScope extends OrgScope {
  readonly conversationId: string;
}

interface CompletedAnswer {
  content: string;
  citations: Citation[];
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  latencyMs: number;
  ttftMs: number | null;
  failure: { code: string } | null;
}

/** An answer whose process has died. */
export interface AbandonedAnswer {
  id: string;
  orgId: string;
  botId: string;
  conversationId: string;
  replyToId: string;
}

export class MessageRepository extends ScopedRepository<Message> {
  constructor() {
    super(Message, 'message');
  }

  findByClientId(scope: ConversationScope, clientId: string): Promise<Message | null> {
    return this.#inConversation(scope).andWhere('row.client_id = :clientId', { clientId }).getOne();
  }

  findReply(scope: ConversationScope, messageId: string): Promise<Message | null> {
    return this.#inConversation(scope).andWhere('row.reply_to_id = :messageId', { messageId }).getOne();
  }

  /** Complete messages in order, at most `limit`, after the message `after` when one is named. */
  async list(
    scope: ConversationScope,
    { after, limit }: { after?: string; limit: number },
  ): Promise<Message[]> {
    const query = this.#inConversation(scope)
      .andWhere("row.state = 'complete'")
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(limit);
    if (after !== undefined) {
      query.andWhere(
        `(row.created_at, row.id) > (SELECT seen.created_at, seen.id FROM messages seen
                                     WHERE seen.id = :after AND seen.conversation_id = row.conversation_id)`,
        { after },
      );
    }
    return query.getMany();
  }

  /** The conversation up to and with the visitor's turn, as a model reads it. */
  async history(scope: ConversationScope, upToId: string, limit: number): Promise<ChatMessage[]> {
    const rows = await this.#inConversation(scope)
      .andWhere("row.state = 'complete' AND NOT row.is_error AND row.role <> 'system'")
      .andWhere('row.id <= :upToId', { upToId })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(limit)
      .getMany();
    return rows
      .reverse()
      .map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'assistant', content }));
  }

  /** Adds a complete message and counts it on its conversation and bot. */
  async add(
    scope: ConversationScope,
    message: { id: string; role: MessageRole; content: string; clientId: string | null },
  ): Promise<Message> {
    await this.insert(scope, { ...message, conversationId: scope.conversationId });
    await this.#count(scope, { inputTokens: null, outputTokens: null, costUsd: null });
    return this.get(scope, message.id);
  }

  async addPending(
    scope: ConversationScope,
    answer: { id: string; replyToId: string },
    leaseSeconds: number,
  ): Promise<void> {
    await scope.db.sql(
      `INSERT INTO messages (id, org_id, conversation_id, reply_to_id, role, state, content, lease_expires_at)
       VALUES ($1, $2, $3, $4, 'assistant', 'generating', '', now() + $5 * interval '1 second')`,
      [answer.id, scope.orgId, scope.conversationId, answer.replyToId, leaseSeconds],
    );
  }

  async renewLease({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<void> {
    await db.sql(
      `UPDATE messages SET lease_expires_at = now() + $3 * interval '1 second'
       WHERE id = $1 AND org_id = $2 AND state = 'generating'`,
      [id, orgId, leaseSeconds],
    );
  }

  /** Takes the lease of an answer if it has run out; answers whether it has. */
  async takeOver({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<boolean> {
    const rows = await db.sql(
      `UPDATE messages SET lease_expires_at = now() + $3 * interval '1 second'
       WHERE id = $1 AND org_id = $2 AND state = 'generating' AND lease_expires_at < now() RETURNING id`,
      [id, orgId, leaseSeconds],
    );
    return rows.length === 1;
  }

  /** Takes the leases of answers that nobody makes any more, in any workspace. */
  claimAbandoned(db: Database, leaseSeconds: number, limit: number): Promise<AbandonedAnswer[]> {
    return db.sql<AbandonedAnswer>(
      `UPDATE messages m SET lease_expires_at = now() + $1 * interval '1 second'
       FROM conversations c
       WHERE c.id = m.conversation_id AND m.id IN (
         SELECT id FROM messages WHERE state = 'generating' AND lease_expires_at < now()
         LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING m.id, m.org_id AS "orgId", c.bot_id AS "botId", m.conversation_id AS "conversationId",
                 m.reply_to_id AS "replyToId"`,
      [leaseSeconds, limit],
    );
  }

  /** @throws AppError `conflict` when the answer is complete already or gone */
  async complete(scope: ConversationScope, id: string, answer: CompletedAnswer): Promise<Message> {
    const result = await this.#completeOnce(scope, id, answer);
    if (!result) throw new AppError('conflict', 'The answer was completed elsewhere.');
    await this.#count(scope, answer);
    return this.get(scope, id);
  }

  async #completeOnce(
    { db, orgId }: OrgScope,
    id: string,
    { failure, ...answer }: CompletedAnswer,
  ): Promise<boolean> {
    const result = await db
      .repository(Message)
      .createQueryBuilder()
      .update()
      .set({
        ...answer,
        state: 'complete',
        leaseExpiresAt: null,
        isError: failure !== null,
        errorCode: failure?.code ?? null,
        createdAt: () => 'clock_timestamp()',
      })
      .where("id = :id AND org_id = :orgId AND state = 'generating'", { id, orgId })
      .execute();
    return result.affected === 1;
  }

  async #count(
    { db, orgId, conversationId }: ConversationScope,
    { inputTokens, outputTokens, costUsd }: Pick<CompletedAnswer, 'inputTokens' | 'outputTokens' | 'costUsd'>,
  ): Promise<void> {
    await db.sql(
      `WITH conversation AS (
         UPDATE conversations SET message_count = message_count + 1, last_message_at = now(),
           total_input_tokens = total_input_tokens + $3, total_output_tokens = total_output_tokens + $4,
           total_cost_usd = total_cost_usd + $5
         WHERE id = $1 AND org_id = $2 RETURNING bot_id)
       UPDATE bots SET total_messages = total_messages + 1 FROM conversation WHERE bots.id = conversation.bot_id`,
      [conversationId, orgId, inputTokens ?? 0, outputTokens ?? 0, costUsd ?? 0],
    );
  }

  #inConversation(scope: ConversationScope) {
    return this.query(scope).andWhere('row.conversation_id = :conversationId', {
      conversationId: scope.conversationId,
    });
  }
}
