import { In, IsNull, Not, Raw, type QueryDeepPartialEntity, type SelectQueryBuilder } from 'typeorm';
import { notFound } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { sealRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message, type SystemEvent } from '../../entities/conversations/message.entity.ts';
import {
  AUTHOR_NAME,
  MESSAGE_POSITION,
  selectPageBytes,
  selectPagePosition,
  selectPosition,
} from './message.sql.ts';

export interface ConversationScope extends OrgScope {
  readonly conversationId: string;
}

export interface MessageRange {
  /** Id of a message in the conversation. The result contains only messages after this message. */
  after?: string;
  /**
   * Id of a message in the conversation. The result contains the last `limit` messages before this message,
   * not the first. `end` selects the last messages of the conversation.
   */
  before?: string;
  limit: number;
  /** Kinds of events for which `system` messages are included in the result; default: all. */
  kinds?: readonly SystemEvent['kind'][];
}

/** A page of a conversation's messages in chronological order. */
export interface MessagePage {
  messages: Opened<Message>[];
  /** True if more messages of the conversation follow in the direction of reading. */
  hasMore: boolean;
}

/**
 * SQL for a new message's author name and creation time. The time is read when the row is inserted, after the
 * conversation was locked.
 */
const WRITTEN_NOW = { authorName: () => AUTHOR_NAME, createdAt: () => 'clock_timestamp()' };

/**
 * Limits of a batch of messages to read, in messages and characters. One answer may have 262,144 characters.
 */
const MAX_BATCH = 200;
const FIRST_BATCH = 20;
const BATCH_CHARS = 2_000_000;
/** Maximum size in bytes of the newest messages that a task reads at once. */
const MAX_NEWEST_BYTES = 2_000_000;

export interface NewReply {
  id: string;
  conversationId: string;
  content: string;
  authorId: string;
}

export class MessageRepository extends ScopedRepository<Message> {
  constructor() {
    super(Message, 'message');
  }

  async findByClientId(scope: ConversationScope, clientId: string): Promise<Opened<Message> | null> {
    const found = await this.#inConversation(scope)
      .andWhere('row.clientId = :clientId', { clientId })
      .getOne();
    return found && this.open(scope, found);
  }

  async findReply(scope: ConversationScope, messageId: string): Promise<Opened<Message> | null> {
    const found = await this.#inConversation(scope)
      .andWhere('row.replyToId = :messageId', { messageId })
      .getOne();
    return found && this.open(scope, found);
  }

  /**
   * Returns a message of the conversation.
   * @throws AppError `forbidden` for a message of another workspace, `not_found` if the message is missing or
   *   belongs to another conversation
   */
  async getInConversation({ conversationId, ...scope }: ConversationScope, id: string): Promise<Message> {
    const message = await this.get(scope, id);
    if (message.conversationId !== conversationId) throw notFound('message');
    return message;
  }

  /** Returns those of the given messages that exist, in the order of the ids. */
  async listByIds(scope: OrgScope, ids: readonly string[]): Promise<Opened<Message>[]> {
    if (ids.length === 0) return [];
    const rows = await this.query(scope)
      .andWhere({ id: In(ids) })
      .getMany();
    const byId = new Map((await this.openAll(scope, rows)).map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns the texts of the visitor's messages that these answers reply to, by the ids of the answers. */
  async mapQuestions(scope: OrgScope, answerIds: readonly string[]): Promise<Map<string, string>> {
    if (answerIds.length === 0) return new Map();
    const answers = await this.query(scope)
      .andWhere({ id: In(answerIds), replyToId: Not(IsNull()) })
      .select(['row.id', 'row.replyToId'])
      .getMany();
    const questionMessages = await this.listByIds(
      scope,
      answers.map(({ replyToId }) => replyToId!),
    );
    const texts = new Map(questionMessages.map(({ id, content }) => [id, content]));
    return new Map(
      answers.flatMap(({ id, replyToId }) => {
        const text = texts.get(replyToId!);
        return text === undefined ? [] : [[id, text] as const];
      }),
    );
  }

  /** Counts the messages that the visitor has written. */
  countVisitorMessages(scope: ConversationScope): Promise<number> {
    return this.#inConversation(scope).andWhere("row.role = 'user'").getCount();
  }

  /** Lists complete messages of a conversation, oldest first. */
  async list(scope: ConversationScope, range: MessageRange): Promise<Opened<Message>[]> {
    const rows = await this.openAll(scope, await this.#queryRange(scope, range).limit(range.limit).getMany());
    return range.before === undefined ? rows : rows.reverse();
  }

  /**
   * Lists a page of a conversation's complete messages, oldest first. The page ends before the message with
   * which it would exceed `maxBytes`, and has at least one message. Messages beyond the end are not read.
   */
  async listPage(scope: ConversationScope, range: MessageRange, maxBytes: number): Promise<MessagePage> {
    const { rows, found } = await readWithin(this.#queryRange(scope, range), {
      direction: readDirection(range),
      limit: range.limit,
      maxBytes,
    });
    const messages = await this.openAll(scope, rows);
    return {
      messages: range.before === undefined ? messages : messages.reverse(),
      hasMore: rows.length < found,
    };
  }

  #queryRange(scope: ConversationScope, range: MessageRange) {
    const { after, before, kinds } = range;
    const direction = readDirection(range);
    const query = this.#inConversation(scope)
      .andWhere("row.state = 'complete'")
      .orderBy('row.createdAt', direction)
      .addOrderBy('row.id', direction);
    if (after !== undefined) query.andWhere(`${MESSAGE_POSITION} > ${selectPosition(':after')}`, { after });
    if (before !== undefined && before !== 'end')
      query.andWhere(`${MESSAGE_POSITION} < ${selectPosition(':before')}`, { before });
    if (kinds !== undefined)
      query.andWhere("(row.role <> 'system' OR row.event->>'kind' = ANY(:kinds))", { kinds });
    return query;
  }

  /**
   * Streams complete messages of a conversation, oldest first: all messages, or the messages of a range.
   * Reads the next batch once the caller has taken all messages of the previous batch.
   */
  async *listAll(
    scope: ConversationScope,
    range: Pick<MessageRange, 'after' | 'kinds'> = {},
  ): AsyncGenerator<Opened<Message>> {
    let limit = FIRST_BATCH;
    for (let { after } = range, isMore = true; isMore;) {
      const batch = await this.list(scope, { ...range, ...(after !== undefined && { after }), limit });
      yield* batch;
      after = batch.at(-1)?.id;
      isMore = batch.length === limit;
      const chars = batch.reduce((sum, { content }) => sum + content.length, 1);
      limit = Math.min(MAX_BATCH, Math.ceil((BATCH_CHARS * batch.length) / chars));
    }
  }

  async findNewestId(scope: ConversationScope): Promise<string | null> {
    const newest = await this.#inConversation(scope)
      .andWhere("row.state = 'complete'")
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(1)
      .getOne();
    return newest?.id ?? null;
  }

  /**
   * Inserts a `system` message about an event into each conversation, which the caller's transaction has
   * locked. System messages do not count as messages or activity, cause no events and are not sent to models.
   * @param authorId member who caused the event
   * @param words text that the visitor wrote about the event
   * @throws AppError `key_unavailable`
   */
  async insertSystemMessages(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
    event: SystemEvent,
    { authorId = null, words = '' }: { authorId?: string | null; words?: string } = {},
  ): Promise<void> {
    if (conversationIds.length === 0) return;
    const rows = conversationIds.map((conversationId) => ({
      id: newId(),
      orgId,
      conversationId,
      role: 'system' as const,
      content: words,
      event,
      authorId,
      ...WRITTEN_NOW,
    }));
    const stored = await Promise.all(rows.map((row) => sealRow(db.dataSource, Message, row)));
    await this.#insertAuthored(db, stored, authorId);
  }

  /**
   * Inserts an agent's reply into a conversation, which the caller's transaction has locked.
   * @throws AppError `key_unavailable`
   */
  async insertReply({ db, orgId }: OrgScope, reply: NewReply): Promise<void> {
    const row = await sealRow(db.dataSource, Message, {
      ...reply,
      orgId,
      role: 'agent' as const,
      ...WRITTEN_NOW,
    });
    await this.#insertAuthored(db, [row], reply.authorId);
  }

  /**
   * Lists the newest complete messages of a conversation, oldest first. Omits failed answers and `system` messages.
   * Ends before the message with which the content would exceed 2 MB, and has at least one message.
   */
  async listNewest(scope: ConversationScope, limit: number): Promise<Opened<Message>[]> {
    const query = this.#inConversation(scope)
      .andWhere("row.state = 'complete' AND NOT row.isError AND row.role <> 'system'")
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC');
    const { rows } = await readWithin(query, { direction: 'DESC', limit, maxBytes: MAX_NEWEST_BYTES });
    return this.openAll(scope, rows.reverse());
  }

  /** Returns the visitor's first message in a conversation; null if the visitor has not written. */
  async findFirstVisitorMessage(scope: ConversationScope): Promise<Opened<Message> | null> {
    const first = await this.#inConversation(scope)
      .andWhere("row.role = 'user'")
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(1)
      .getOne();
    return first && this.open(scope, first);
  }

  /** Returns whether a message of the visitor contains the text as whole words, ignoring case. */
  async hasVisitorWritten(scope: ConversationScope, text: string): Promise<boolean> {
    const { db, orgId, conversationId } = scope;
    const words = text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');
    const containsWords = (content: string) =>
      `${content} ~* ('(?<![[:alnum:]@._-])' || :words || '(?![[:alnum:]@_-])')`;
    const fromVisitor = { conversationId, orgId, role: 'user' } as const;
    const content = Raw(containsWords, { words });
    if (await db.repository(Message).existsBy({ ...fromVisitor, keyId: IsNull(), content })) return true;
    const literal = text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}@._-])${literal}(?![\\p{L}\\p{N}@_-])`, 'iu');
    for await (const { role, keyId, content: plaintext } of this.listAll(scope))
      if (role === 'user' && keyId !== null && pattern.test(plaintext)) return true;
    return false;
  }

  async #insertAuthored(
    db: Database,
    rows: QueryDeepPartialEntity<Message>[],
    authorId: string | null,
  ): Promise<void> {
    await db
      .repository(Message)
      .createQueryBuilder()
      .insert()
      .values(rows)
      .setParameter('authorId', authorId)
      .updateEntity(false)
      .execute();
  }

  #inConversation(scope: ConversationScope) {
    return this.query(scope).andWhere('row.conversationId = :conversationId', {
      conversationId: scope.conversationId,
    });
  }
}

/** Returns the order in which a range of messages is read, which is reversed when reading back. */
function readDirection({ before }: MessageRange): 'ASC' | 'DESC' {
  return before === undefined ? 'ASC' : 'DESC';
}

/**
 * Runs a query for messages in this order. Ends before the message with which the result would exceed `maxBytes`,
 * and returns at least one message. Does not read messages beyond the end.
 * @returns the messages, and the number of messages that the query finds, counted up to `limit + 1`
 */
async function readWithin(
  query: SelectQueryBuilder<Message>,
  { direction, limit, maxBytes }: { direction: 'ASC' | 'DESC'; limit: number; maxBytes: number },
): Promise<{ rows: Message[]; found: number }> {
  const sized = query
    .clone()
    .select('row.id', 'id')
    .addSelect(selectPageBytes(direction), 'bytes')
    .addSelect(selectPagePosition(direction), 'position')
    .limit(limit + 1);
  const { entities, raw } = await query
    .addCommonTableExpression(sized, 'sized')
    .addSelect('(SELECT count(*) FROM sized)', 'found')
    .andWhere(
      'row.id IN (SELECT id FROM sized WHERE position <= :limit AND (position = 1 OR bytes <= :maxBytes))',
      { limit, maxBytes },
    )
    .getRawAndEntities<{ found: string }>();
  return { rows: entities, found: Number(raw[0]?.found ?? 0) };
}
