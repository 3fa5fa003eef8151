import { Any, In, IsNull } from 'typeorm';
import { decryptRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { ArchiveCursor } from '../../entities/archive/archive-job.entity.ts';
import { Handoff } from '../../entities/analytics/handoff.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { ContactRepository } from '../contacts/contact.repository.ts';
import { toVisitorKey, type VisitorOfBot } from '../contacts/visitor.ts';
import { ConversationRepository } from '../conversations/conversation.repository.ts';
import { MessageRepository } from '../conversations/message.repository.ts';
import { ARCHIVED_MESSAGES, HAS_CONVERSATION, type ArchivedMessage } from './archive-source.sql.ts';

/**
 * Range of the conversations to export: their bots, and their creation times, with `from` inclusive and
 * `until` exclusive.
 */
export interface ArchiveRange {
  botIds: readonly string[];
  from: string | null;
  until: string;
}

/** A section of an export's ordered conversations: after the position `after`, up to and including `to`. */
export interface ArchiveSection {
  after: ArchiveCursor | null;
  to: ArchiveCursor;
}

const POSITION = '(row.createdAt, row.id)';

/** Reads the rows that an export contains, page by page. */
export class ArchiveSourceRepository {
  readonly #contacts = new ContactRepository();
  readonly #conversations = new ConversationRepository();
  readonly #messages = new MessageRepository();

  /**
   * Lists the bots to export that are not deleted, oldest first.
   * @param ids bots to list; null for all
   */
  listBots({ db, orgId }: OrgScope, ids: readonly string[] | null): Promise<Bot[]> {
    return db.repository(Bot).find({
      where: { orgId, deletedAt: IsNull(), ...(ids && { id: In(ids) }) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  countConversations(scope: OrgScope, range: ArchiveRange): Promise<number> {
    return this.#queryRange(scope, range).getCount();
  }

  /** Lists the next conversations to export after a position, oldest first. */
  async listConversations(
    scope: OrgScope,
    range: ArchiveRange,
    after: ArchiveCursor | null,
    limit: number,
  ): Promise<Opened<Conversation>[]> {
    const query = this.#queryRange(scope, range);
    if (after) query.andWhere(`${POSITION} > (:createdAt, :id)`, after);
    const found = await query.orderBy('row.createdAt').addOrderBy('row.id').limit(limit).getMany();
    return this.#conversations.openAll(scope, found);
  }

  /** Lists the complete messages of exported conversations, ordered within each conversation. */
  async listMessages(
    { db, orgId }: OrgScope,
    conversationIds: readonly string[],
  ): Promise<Opened<ArchivedMessage>[]> {
    const rows = await db.run(ARCHIVED_MESSAGES, [conversationIds, orgId]);
    return decryptRows(db, Message, rows);
  }

  /** Returns the total size in bytes of the messages of each conversation. */
  async mapContentBytes(scope: OrgScope, conversationIds: readonly string[]): Promise<Map<string, number>> {
    const found = await this.#messages
      .query(scope)
      .andWhere({ conversationId: Any(conversationIds) })
      .select('row.conversationId', 'id')
      .addSelect(
        'sum(octet_length(row.content) + coalesce(octet_length(CAST(row.citations AS text)), 0))',
        'bytes',
      )
      .groupBy('row.conversationId')
      .getRawMany<{ id: string; bytes: string }>();
    return new Map(found.map(({ id, bytes }) => [id, Number(bytes)]));
  }

  listHandoffs({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<Handoff[]> {
    return db.repository(Handoff).find({
      where: { orgId, conversationId: Any(conversationIds) },
      order: { requestedAt: 'ASC', id: 'ASC' },
    });
  }

  /**
   * Lists the contacts of the conversations in a section of the export, each once. Skips contacts that also
   * have a conversation in the earlier section `before`.
   */
  async listConversationContacts(
    scope: OrgScope,
    range: ArchiveRange,
    conversations: readonly VisitorOfBot[],
    before: ArchiveSection | null,
  ): Promise<Opened<Contact>[]> {
    const visitors = new Map(conversations.map((each) => [toVisitorKey(each), each]));
    if (before) {
      const known = await this.#listVisitorsIn(scope, range, [...visitors.values()], before);
      for (const each of known) visitors.delete(toVisitorKey(each));
    }
    const contacts = await this.#contacts.openByVisitors(scope, [...visitors.values()]);
    return contacts.filter((contact) => contact !== null);
  }

  /** Lists the next contacts to export that have no conversation, after a position, oldest first. */
  async listContactsWithoutConversation(
    scope: OrgScope,
    { botIds, until }: ArchiveRange,
    after: ArchiveCursor | null,
    limit: number,
  ): Promise<Opened<Contact>[]> {
    const query = this.#contacts
      .query(scope)
      .andWhere({ botId: Any(botIds) })
      .andWhere('row.createdAt < :until', { until })
      .andWhere(`NOT ${HAS_CONVERSATION}`);
    if (after) query.andWhere(`${POSITION} > (:createdAt, :id)`, after);
    const found = await query.orderBy('row.createdAt').addOrderBy('row.id').limit(limit).getMany();
    return this.#contacts.openAll(scope, found);
  }

  #queryRange(scope: OrgScope, { botIds, from, until }: ArchiveRange) {
    const query = this.#conversations
      .query(scope)
      .andWhere({ botId: Any(botIds) })
      .andWhere('row.createdAt < :until', { until });
    return from === null ? query : query.andWhere('row.createdAt >= :from', { from });
  }

  async #listVisitorsIn(
    scope: OrgScope,
    range: ArchiveRange,
    visitors: readonly VisitorOfBot[],
    { after, to }: ArchiveSection,
  ): Promise<VisitorOfBot[]> {
    const anonymous = visitors.filter(({ contactId }) => contactId === null);
    const query = this.#queryRange(scope, range)
      .select(['row.botId AS "botId"', 'row.browserId AS "browserId"', 'row.contactId AS "contactId"'])
      .distinct()
      .andWhere(`${POSITION} <= (:toCreatedAt, :toId)`, { toCreatedAt: to.createdAt, toId: to.id })
      .andWhere(
        `(row.contactId = ANY(:contactIds) OR row.contactId IS NULL
          AND (row.botId, row.browserId) IN (SELECT * FROM unnest(:visitedIds::uuid[], :browserIds::uuid[])))`,
        {
          contactIds: visitors.flatMap(({ contactId }) => contactId ?? []),
          visitedIds: anonymous.map(({ botId }) => botId),
          browserIds: anonymous.map(({ browserId }) => browserId),
        },
      );
    if (after) query.andWhere(`${POSITION} > (:createdAt, :id)`, after);
    return query.getRawMany<VisitorOfBot>();
  }
}
