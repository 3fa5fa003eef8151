import { In } from 'typeorm';
import type { ChatMessage } from '../../adapters/llm/chat-model.ts';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { oncePerObject } from '../../core/concurrency/once-per-object.ts';
import { newId } from '../../core/ids.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { Message, type MessageRole, type SystemEvent } from '../../entities/conversations/message.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

interface ConversationScope extends OrgScope {
  readonly conversationId: string;
}

export interface MessageRange {
  /** Only messages after this one. */
  after?: string;
  /** The last ones before this message, or of all (`end`), in place of the first ones. */
  before?: string;
  limit: number;
  /** Of the messages with the role `system`, only these kinds; by default all of them. */
  kinds?: readonly SystemEvent['kind'][];
}

/** What a conversation is recognised by in a list, each text cut short. */
export interface Glimpse {
  /** What the visitor said first; null while that is nothing. */
  firstQuestion: string | null;
  /** What anybody said last, and who. */
  lastMessage: string | null;
  lastMessageRole: Exclude<MessageRole, 'system'> | null;
}

/** An answer whose process has died. */
export interface AbandonedAnswer {
  id: string;
  orgId: string;
  botId: string;
  conversationId: string;
  replyToId: string;
  /** Whether it has been tried for so long that trying once more makes no sense. */
  isTooOld: boolean;
}

const MAX_AGE_MINUTES = 10;
/** How many messages are read at once of a conversation that is read whole. */
const BATCH = 200;

const PLACE = '(row.created_at, row.id)';
const placeOf = (id: string) =>
  `(SELECT seen.created_at, seen.id FROM messages seen
    WHERE seen.id = ${id} AND seen.conversation_id = row.conversation_id)`;

const IS_HANDOFF = `(c.status IN ('waiting_human', 'human'))`;

const SILENCE = `
  DELETE FROM messages m USING conversations c
  WHERE m.state = 'generating' AND m.lease_expires_at < now() AND c.id = m.conversation_id AND ${IS_HANDOFF}`;

/** As much of a message as a row of a list shows. */
const GLIMPSE_CHARACTERS = 200;

/** TypeORM's builder has no lateral join, which reads both ends of each conversation by its index in one statement. */
const GLIMPSES: PreparedStatement = {
  name: 'read-glimpses',
  text: `
    SELECT asked.id, first.content AS "firstQuestion", last.content AS "lastMessage", last.role AS "lastMessageRole"
    FROM unnest($1::uuid[]) AS asked (id)
    LEFT JOIN LATERAL (
      SELECT left(m.content, ${GLIMPSE_CHARACTERS}) AS content FROM messages m
      WHERE m.conversation_id = asked.id AND m.org_id = $2 AND m.role = 'user'
      ORDER BY m.created_at, m.id LIMIT 1) first ON true
    LEFT JOIN LATERAL (
      SELECT left(m.content, ${GLIMPSE_CHARACTERS}) AS content, m.role FROM messages m
      WHERE m.conversation_id = asked.id AND m.org_id = $2 AND m.role <> 'system' AND m.state = 'complete'
      ORDER BY m.created_at DESC, m.id DESC LIMIT 1) last ON true`,
};

const NOTHING_SAID: Glimpse = { firstQuestion: null, lastMessage: null, lastMessageRole: null };

/** How much of a conversation a model reads. */
const HISTORY_MESSAGES = 20;

/** By hand, since every answer reads it: those of the same moment share a statement. */
const HISTORY: PreparedStatement = {
  name: 'read-histories',
  text: `
    SELECT (SELECT coalesce(json_agg(json_build_object('role', role, 'content', content)
                            ORDER BY is_asked, created_at, id), '[]') FROM (
              SELECT m.role, m.content, m.created_at, m.id, m.id = asked.up_to AS is_asked FROM messages m
              WHERE m.conversation_id = asked.conversation_id AND m.org_id = asked.org_id AND m.id <= asked.up_to
                AND m.state = 'complete' AND NOT m.is_error AND m.role <> 'system'
              ORDER BY m.created_at DESC, m.id DESC LIMIT ${HISTORY_MESSAGES}) newest) AS said
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY
      AS asked (conversation_id, org_id, up_to, position)
    ORDER BY asked.position`,
};

/** Every answer asks it, too. */
const ARE_THERE: PreparedStatement = {
  name: 'are-messages-there',
  text: `
    SELECT m.id IS NOT NULL AS "isThere"
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (id, org_id, position)
    LEFT JOIN messages m ON m.id = asked.id AND m.org_id = asked.org_id
    ORDER BY asked.position`,
};

interface AskedMessage {
  orgId: string;
  id: string;
}

interface AskedHistory {
  orgId: string;
  conversationId: string;
  upToId: string;
}

type Said = Pick<Message, 'role' | 'content'>;

export class MessageRepository extends ScopedRepository<Message> {
  readonly #histories = oncePerObject(
    (pool: Database) => new Batcher((asked: AskedHistory[]) => readHistories(pool, asked)),
  );
  readonly #presences = oncePerObject(
    (pool: Database) => new Batcher((asked: AskedMessage[]) => readPresences(pool, asked)),
  );

  constructor() {
    super(Message, 'message');
  }

  findByClientId(scope: ConversationScope, clientId: string): Promise<Message | null> {
    return this.#inConversation(scope).andWhere('row.client_id = :clientId', { clientId }).getOne();
  }

  findReply(scope: ConversationScope, messageId: string): Promise<Message | null> {
    return this.#inConversation(scope).andWhere('row.reply_to_id = :messageId', { messageId }).getOne();
  }

  /** Complete messages in order. */
  async list(scope: ConversationScope, { after, before, limit, kinds }: MessageRange): Promise<Message[]> {
    const direction = before === undefined ? 'ASC' : 'DESC';
    const query = this.#inConversation(scope)
      .andWhere("row.state = 'complete'")
      .orderBy('row.createdAt', direction)
      .addOrderBy('row.id', direction)
      .limit(limit);
    if (after !== undefined) query.andWhere(`${PLACE} > ${placeOf(':after')}`, { after });
    if (before !== undefined && before !== 'end')
      query.andWhere(`${PLACE} < ${placeOf(':before')}`, { before });
    if (kinds !== undefined)
      query.andWhere("(row.role <> 'system' OR row.event->>'kind' = ANY(:kinds))", { kinds });
    const rows = await query.getMany();
    return before === undefined ? rows : rows.reverse();
  }

  /** All complete messages in order, read while they are taken. */
  async *all(scope: ConversationScope): AsyncGenerator<Message> {
    for (let after: string | undefined, isMore = true; isMore;) {
      const batch = await this.list(scope, { ...(after !== undefined && { after }), limit: BATCH });
      yield* batch;
      after = batch.at(-1)?.id;
      isMore = batch.length === BATCH;
    }
  }

  async newestId(scope: ConversationScope): Promise<string | null> {
    const newest = await this.#inConversation(scope)
      .andWhere("row.state = 'complete'")
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(1)
      .getOne();
    return newest?.id ?? null;
  }

  /**
   * Writes down what has happened to the conversations, as messages of the role `system`, in the transaction in which it
   * happens and that has locked them. Nobody has said it: it counts as no message, is no sign of life, makes no event, and
   * no model reads it.
   * @param authorId the member whom it names
   */
  async note(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
    event: SystemEvent,
    authorId: string | null = null,
  ): Promise<void> {
    if (conversationIds.length === 0) return;
    const rows = conversationIds.map((conversationId) => ({
      id: newId(),
      orgId,
      conversationId,
      role: 'system' as const,
      content: '',
      event,
      authorId,
      authorName: () => '(SELECT full_name FROM users WHERE id = :authorId)',
      createdAt: () => 'clock_timestamp()',
    }));
    await db
      .repository(Message)
      .createQueryBuilder()
      .insert()
      .values(rows)
      .setParameter('authorId', authorId)
      .updateEntity(false)
      .execute();
  }

  /** The last complete messages that somebody has said and that are no failures, in order. */
  async newest(scope: ConversationScope, limit: number): Promise<Message[]> {
    const rows = await this.#inConversation(scope)
      .andWhere("row.state = 'complete' AND NOT row.is_error AND row.role <> 'system'")
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(limit)
      .getMany();
    return rows.reverse();
  }

  /** What was said first and last in each of the conversations, in their order. */
  async glimpses({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<Glimpse[]> {
    if (conversationIds.length === 0) return [];
    const rows = await db.prepared<Glimpse & { id: string }>(GLIMPSES, [conversationIds, orgId]);
    const byId = new Map(rows.map(({ id, ...glimpse }) => [id, glimpse]));
    return conversationIds.map((id) => byId.get(id) ?? NOTHING_SAID);
  }

  /** What the visitor said first. */
  firstOfVisitor(scope: ConversationScope): Promise<Message | null> {
    return this.#inConversation(scope)
      .andWhere("row.role = 'user'")
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(1)
      .getOne();
  }

  /** Whether the visitor has written these words, in small or capital letters. */
  async hasSaid({ db, orgId, conversationId }: ConversationScope, text: string): Promise<boolean> {
    const rows = await db.sql(
      `SELECT FROM messages WHERE conversation_id = $1 AND org_id = $2 AND role = 'user'
         AND content ~* ('(?<![[:alnum:]@._-])' || $3 || '(?![[:alnum:]@_-])') LIMIT 1`,
      [conversationId, orgId, text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&')],
    );
    return rows.length > 0;
  }

  /**
   * The last messages of the conversation, as a model reads them: up to the visitor's turn, which comes after answers that
   * were finished later, and without answers whose questions are further back.
   */
  async history(scope: ConversationScope, upToId: string): Promise<ChatMessage[]> {
    const { db, orgId, conversationId } = scope;
    const said = await this.#histories(db.outside).load({ orgId, conversationId, upToId });
    return said
      .slice(said.findIndex(({ role }) => role !== 'assistant'))
      .map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'assistant', content }));
  }

  /** What the team has written since the visitor was there last, and was not mailed; the earliest first. */
  unseenReplies(scope: ConversationScope, seenAt: Date, limit: number): Promise<Message[]> {
    return this.#inConversation(scope)
      .andWhere("row.role = 'agent' AND row.mailed_at IS NULL AND row.created_at > :seenAt", { seenAt })
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(limit)
      .getMany();
  }

  /** Notes that they were mailed, in one mail. */
  async noteMailed({ db, orgId }: OrgScope, messages: readonly Message[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await db.repository(Message).update({ id: In(ids), orgId }, { mailedAt: () => 'now()' });
  }

  /** How many mails have gone to the visitor. */
  async countReplyMails(scope: ConversationScope): Promise<number> {
    const row = await this.#inConversation(scope)
      .andWhere('row.mailed_at IS NOT NULL')
      .select('count(DISTINCT row.mailed_at)::int', 'mails')
      .getRawOne<{ mails: number }>();
    return row?.mails ?? 0;
  }

  async renewLease({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<void> {
    await db.sql(
      `UPDATE messages SET lease_expires_at = now() + $3 * interval '1 second'
       WHERE id = $1 AND org_id = $2 AND state = 'generating'`,
      [id, orgId, leaseSeconds],
    );
  }

  /** Whether the message is still there. */
  isThere({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    return this.#presences(db.outside).load({ orgId, id });
  }

  /** The same, but waits for who is removing it at this moment. */
  async remains({ db, orgId }: OrgScope, id: string): Promise<boolean> {
    const rows = await db.sql('SELECT FROM messages WHERE id = $1 AND org_id = $2 FOR KEY SHARE', [
      id,
      orgId,
    ]);
    return rows.length > 0;
  }

  /** Drops the answers that are in the making. */
  async dropUnfinished({ db, orgId }: OrgScope, conversationId: string): Promise<void> {
    await db.sql(`DELETE FROM messages WHERE conversation_id = $1 AND org_id = $2 AND state = 'generating'`, [
      conversationId,
      orgId,
    ]);
  }

  /** Takes the lease of an answer if it has run out; returns whether it has. In a handoff the answer is dropped instead. */
  async takeOver({ db, orgId }: OrgScope, id: string, leaseSeconds: number): Promise<boolean> {
    const rows = await db.sql(
      `WITH silenced AS (${SILENCE} AND m.id = $1 AND m.org_id = $2)
       UPDATE messages m SET lease_expires_at = now() + $3 * interval '1 second' FROM conversations c
       WHERE m.id = $1 AND m.org_id = $2 AND m.state = 'generating' AND m.lease_expires_at < now()
         AND c.id = m.conversation_id AND NOT ${IS_HANDOFF}
       RETURNING m.id`,
      [id, orgId, leaseSeconds],
    );
    return rows.length === 1;
  }

  /**
   * Drops the answers that nobody makes any more where the bot is silent, in any workspace.
   * @param inTheMaking whose lease may have been lost in an outage
   */
  async silenceAbandoned(db: Database, inTheMaking: string[]): Promise<void> {
    await db.sql(`${SILENCE} AND m.id <> ALL($1)`, [inTheMaking]);
  }

  /** Takes the leases of answers that nobody makes any more, in any workspace. */
  claimAbandoned(db: Database, leaseSeconds: number, limit: number): Promise<AbandonedAnswer[]> {
    return db.sql<AbandonedAnswer>(
      `UPDATE messages m SET lease_expires_at = now() + $1 * interval '1 second'
       FROM conversations c JOIN bots b ON b.id = c.bot_id AND b.deleted_at IS NULL
       WHERE c.id = m.conversation_id AND NOT ${IS_HANDOFF} AND m.id IN (
         SELECT id FROM messages WHERE state = 'generating' AND lease_expires_at < now()
         LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING m.id, m.org_id AS "orgId", c.bot_id AS "botId", m.conversation_id AS "conversationId",
                 m.reply_to_id AS "replyToId",
                 m.created_at < now() - interval '${MAX_AGE_MINUTES} minutes' AS "isTooOld"`,
      [leaseSeconds, limit],
    );
  }

  #inConversation(scope: ConversationScope) {
    return this.query(scope).andWhere('row.conversation_id = :conversationId', {
      conversationId: scope.conversationId,
    });
  }
}

async function readPresences(db: Database, asked: AskedMessage[]): Promise<boolean[]> {
  const rows = await db.prepared<{ isThere: boolean }>(ARE_THERE, [
    asked.map(({ id }) => id),
    asked.map(({ orgId }) => orgId),
  ]);
  return rows.map(({ isThere }) => isThere);
}

async function readHistories(db: Database, asked: AskedHistory[]): Promise<Said[][]> {
  const rows = await db.prepared<{ said: Said[] }>(HISTORY, [
    asked.map(({ conversationId }) => conversationId),
    asked.map(({ orgId }) => orgId),
    asked.map(({ upToId }) => upToId),
  ]);
  return rows.map(({ said }) => said);
}
